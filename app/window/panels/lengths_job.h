// Works out distributions off the window's thread; only the last request counts.
#pragma once

#include "app/chart/lengths/length_plot.h"

#include <QObject>
#include <QTimer>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

namespace twolane::window {

/// What both panels draw.
struct LengthsAnswer {
    chart::SideCurves timeslices;
    chart::SideCurves latencies; ///< of kind wakeup
};

class LengthsJob : public QObject {
    Q_OBJECT

public:
    /// One side: nothing of a trace means that the side is empty.
    struct Side {
        std::shared_ptr<const Trace> trace;
        Selection selection;
    };
    using Request = std::array<Side, chart::sideCount>;

    explicit LengthsJob(QObject* parent = nullptr);
    ~LengthsJob() override; ///< stops what runs and waits for it

    /// Begins a little later, so that a view in motion asks once it rests.
    void ask(Request request);
    bool busy() const { return m_pending.has_value() || m_running; }

Q_SIGNALS:
    void answered(const std::shared_ptr<const twolane::window::LengthsAnswer>& answer);

private:
    void begin();

    QTimer m_rest;
    std::optional<Request> m_pending;
    bool m_running = false;
    std::uint64_t m_current = 0; ///< id of the request that counts
    std::jthread m_thread;
};

} // namespace twolane::window
