#include "app/window/panels/lengths_panel.h"

#include <QVBoxLayout>

namespace twolane::window {
using namespace chart;

LengthsPanel::LengthsPanel(QWidget* parent)
    : QWidget(parent)
    , m_timeslices(new LengthView(LengthKind::timeslices, CurveKind::histogram,
                                  QStringLiteral("Timeslice length"), this))
    , m_latencies(new LengthView(LengthKind::wakeupLatency, CurveKind::cumulative,
                                 QStringLiteral("Wakeup latency, cumulative"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_timeslices);
    layout->addWidget(m_latencies);
    connect(&m_job, &LengthsJob::answered, this,
            [this](const std::shared_ptr<const LengthsAnswer>& answer) {
                m_timeslices->setCurves(answer->timeslices);
                m_latencies->setCurves(answer->latencies);
                Q_EMIT followed();
            });
}

void LengthsPanel::setTheme(const Theme& theme) {
    m_timeslices->setTheme(theme);
    m_latencies->setTheme(theme);
}

} // namespace twolane::window
