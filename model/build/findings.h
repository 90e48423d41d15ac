// The oddities that a trace turns out to have while it is being built.
#pragma once

#include "model/diagnostics.h"
#include "model/time.h"
#include "model/trace_info.h"

#include <string>
#include <vector>

namespace twolane {

/// Counts oddities; the first place of each is kept as a stamp until the end, when it is known how
/// many digits a stamp of this trace has.
class Findings {
public:
    /// All texts are literals. `who` is asked for a text ("CPU 3") only the first time.
    template <class Who>
    void add(const char* code, Severity severity, const char* what, Who who, Nanos at,
             const char* advice) {
        if (Finding* known = find(code))
            ++known->oddity.count;
        else
            m_all.push_back({{code, severity, 1, what, who(), advice}, at});
    }

    /// Adds everything but `leftOut` to `diagnostics`. Places are seconds in the digits that the
    /// trace has, or counts where it counts something else.
    void tell(Diagnostics& diagnostics, const TraceInfo& info, const std::string& leftOut) const;

private:
    struct Finding {
        Oddity oddity; ///< `first` without its stamp yet
        Nanos firstAt = 0;
    };
    Finding* find(const char* code);

    std::vector<Finding> m_all;
};

} // namespace twolane
