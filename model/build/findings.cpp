#include "model/build/findings.h"

#include "model/format/numbers.h"

namespace twolane {

Findings::Finding* Findings::find(const char* code) {
    for (Finding& finding : m_all)
        if (finding.oddity.code == code)
            return &finding;
    return nullptr;
}

void Findings::tell(Diagnostics& diagnostics, const TraceInfo& info,
                    const std::string& leftOut) const {
    for (const Finding& finding : m_all) {
        if (finding.oddity.code == leftOut)
            continue;
        Oddity oddity = finding.oddity;
        oddity.first += info.stampsAreNanoseconds
                            ? ", " + formatSeconds(finding.firstAt, info.resolution) + " s"
                            : ", at " + std::to_string(finding.firstAt);
        diagnostics.add(oddity);
    }
}

} // namespace twolane
