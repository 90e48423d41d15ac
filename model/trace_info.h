// What is known about a recording as a whole, as told by its file.
#pragma once

#include "model/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twolane {

struct EventCount {
    std::string event; ///< the event's name without its system: "sched_switch"
    std::uint64_t count = 0;
};

/// Empty texts mean: the file does not tell.
struct TraceInfo {
    std::string file;         ///< as the user gave it
    std::string format;       ///< the importer's name: "trace.dat"
    std::string formatDetail; ///< for people: "version 7, zstd"
    std::string buffer;       ///< name of the instance; empty for the top buffer
    std::string clock;        ///< as the kernel names it: "mono", "local", …
    Nanos resolution = 0;     ///< ns of the last digit of a stamp; 0: not known
    /// False for clocks that do not count time (`counter`) or an unknown unit (`x86-tsc` without
    /// calibration): stamps are then bare counts, and no duration in seconds may be shown.
    bool stampsAreNanoseconds = true;
    std::string host;
    std::string kernel; ///< release: "6.1.0-57-cloud-amd64"
    /// CPUs that the file names, recorded on or not; 0: it does not tell.
    std::uint32_t cpuCount = 0;
    /// Events that the file says were lost, at places that it does not tell: no gap stands for them.
    std::uint64_t lostElsewhere = 0;
    /// Recorded events of the buffer by name, names in alphabetical order, zeros left out.
    std::vector<EventCount> events;
};

} // namespace twolane
