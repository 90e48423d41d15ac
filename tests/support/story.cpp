#include "tests/support/story.h"

#include "model/trace_builder.h"

#include <sstream>
#include <stdexcept>
#include <string>

namespace twolane::tests {
namespace {

struct Named {
    std::string comm;
    std::int32_t tid = -1;
};

Named named(const std::string& text) {
    if (text == "idle")
        return {"swapper", 0};
    const auto colon = text.rfind(':');
    return {text.substr(0, colon), std::stoi(text.substr(colon + 1))};
}

void tell(TraceBuilder& builder, std::istringstream& in, const EventHeader& header,
          const std::string& event) {
    std::string a, b, c, d, e, f;
    const auto wake = [&] {
        in >> a >> b >> c >> d >> e; // NAME on CPU by TID
        const Named task = named(a);
        SchedWake told;
        told.header = header;
        told.header.pid = std::stoi(e);
        told.pid = task.tid;
        told.prio = 120;
        told.target_cpu = std::stoi(c);
        f = task.comm;
        told.comm = f;
        return told;
    };
    if (event == "switch") {
        in >> a >> b >> c >> d; // PREV STATE > NEXT
        const Named prev = named(a);
        const Named next = named(d);
        const auto state = PrevStateDecoder::fromLetters(b);
        if (!state)
            throw std::runtime_error("no state: " + b);
        builder.schedSwitch({header, prev.comm, prev.tid, 120, *state, next.comm, next.tid, 120});
    } else if (event == "out") {
        in >> a >> b >> c >> d; // NAME STATE for NEXT
        const Named task = named(a);
        builder.switchRecord(
            {header, task.comm, task.tid, true, b == "R", d == "?" ? -1 : named(d).tid});
    } else if (event == "in") {
        in >> a >> b >> c; // NAME after PREV
        const Named task = named(a);
        builder.switchRecord(
            {header, task.comm, task.tid, false, false, c == "?" ? -1 : named(c).tid});
    } else if (event == "waking") {
        builder.schedWaking(wake());
    } else if (event == "wakeup") {
        builder.schedWakeup(wake());
    } else if (event == "new") {
        builder.schedWakeupNew(wake());
    } else if (event == "migrate") {
        in >> a >> b >> c >> d;
        const Named task = named(a);
        builder.schedMigrateTask({header, task.comm, task.tid, 120, std::stoi(b), std::stoi(d)});
    } else if (event == "fork") {
        in >> a >> b >> c;
        const Named child = named(a);
        const Named parent = named(c);
        builder.schedProcessFork({header, parent.comm, parent.tid, child.comm, child.tid});
    } else if (event == "exec") {
        in >> a >> b >> c >> d;
        builder.schedProcessExec(
            {header, a, std::stoi(b), c == "old" ? std::stoi(d) : std::stoi(b)});
    } else if (event == "exit") {
        in >> a;
        const Named task = named(a);
        builder.schedProcessExit({header, task.comm, task.tid, 120});
    } else if (event == "rename") {
        in >> a >> b >> c >> d;
        builder.taskRename({header, std::stoi(a), b, d});
    } else if (event == "other") {
        builder.otherEvent(header);
    } else if (event == "lost") {
        in >> a >> b >> c;
        builder.lostEvents(
            {header.cpu, {header.time, std::stoll(c)}, a == "?" ? -1 : std::stoll(a)});
    } else {
        throw std::runtime_error("no event: " + event);
    }
}

} // namespace

std::shared_ptr<const Trace> story(std::string_view lines) {
    TraceBuilder builder;
    std::istringstream text{std::string(lines)};
    std::uint64_t index = 0;
    for (std::string line; std::getline(text, line);) {
        line = line.substr(0, line.find('#'));
        std::istringstream in(line);
        EventHeader header;
        std::string event;
        if (!(in >> header.time >> header.cpu >> event))
            continue;
        header.index = index++;
        tell(builder, in, header, event);
    }
    return builder.finish({}, {});
}

} // namespace twolane::tests
