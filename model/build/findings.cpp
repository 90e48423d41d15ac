#include "model/build/findings.h"

#include "model/format/numbers.h"

namespace twolane {

Findings::Finding* Findings::find(const char* code) {
    for (Finding& finding : m_all)
        if (finding.oddity.code == code)
            return &finding;
    return nullptr;
}

void Findings::tell(Diagnostics& diagnostics, Nanos resolution, const std::string& leftOut) const {
    for (const Finding& finding : m_all) {
        if (finding.oddity.code == leftOut)
            continue;
        Oddity oddity = finding.oddity;
        oddity.first += ", " + formatSeconds(finding.firstAt, resolution) + " s";
        diagnostics.add(oddity);
    }
}

} // namespace twolane
