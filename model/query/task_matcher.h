// A TaskFilter for loops over millions of rows.
#pragma once

#include "model/query/window.h"

#include <cstdint>
#include <vector>

namespace twolane {

/// Answers as TaskFilter::matches() does, but compares each comm with the pattern once. Holds
/// references to both: the filter and the trace must outlive it. For one thread.
class TaskMatcher {
public:
    TaskMatcher(const Trace& trace, const TaskFilter& filter)
        : m_strings(trace.strings)
        , m_filter(filter)
        , m_answers(filter.all() ? 0 : trace.strings.size(), Answer::notAsked) {}

    bool operator()(std::int32_t tid, StringId comm) {
        if (m_filter.matchesTid(tid))
            return true;
        if (!comm.valid())
            return m_filter.matches(tid, {});
        Answer& answer = m_answers[comm.value()];
        if (answer == Answer::notAsked)
            answer = m_filter.matches(tid, m_strings.text(comm)) ? Answer::yes : Answer::no;
        return answer == Answer::yes;
    }

private:
    enum class Answer : std::uint8_t { notAsked, no, yes };

    const StringPool& m_strings;
    const TaskFilter& m_filter;
    std::vector<Answer> m_answers; ///< by comm, for tids that do not match by themselves
};

} // namespace twolane
