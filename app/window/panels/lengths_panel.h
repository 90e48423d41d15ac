// Timeslice lengths and wakeup latencies of what the view shows, both sides over each other.
#pragma once

#include "app/chart/lengths/length_view.h"
#include "app/window/panels/lengths_job.h"

#include <QWidget>

namespace twolane::window {

class LengthsPanel : public QWidget {
    Q_OBJECT

public:
    explicit LengthsPanel(QWidget* parent = nullptr);

    /// What the view shows has changed; the curves follow.
    void follow(LengthsJob::Request request) { m_job.ask(std::move(request)); }
    void setTheme(const chart::Theme& theme);
    bool busy() const { return m_job.busy(); }

    const chart::LengthView& timeslices() const { return *m_timeslices; }
    const chart::LengthView& latencies() const { return *m_latencies; }

Q_SIGNALS:
    void followed(); ///< the curves are those of the last request

private:
    LengthsJob m_job;
    chart::LengthView* m_timeslices;
    chart::LengthView* m_latencies;
};

} // namespace twolane::window
