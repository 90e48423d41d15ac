#include "app/window/panels/lengths_job.h"

#include <chrono>

namespace twolane::window {
using namespace chart;
namespace {

constexpr std::chrono::milliseconds restTime(60);

std::shared_ptr<LengthsAnswer> answerTo(const LengthsJob::Request& request,
                                        const std::stop_token& stop) {
    auto answer = std::make_shared<LengthsAnswer>();
    for (std::size_t i = 0; i < sideCount; ++i) {
        const LengthsJob::Side& side = request[i];
        if (!side.trace)
            continue;
        answer->timeslices[i] =
            lengthCurves(*side.trace, side.selection, LengthKind::timeslices, stop);
        answer->latencies[i] =
            lengthCurves(*side.trace, side.selection, LengthKind::wakeupLatency, stop);
    }
    return stop.stop_requested() ? nullptr : answer;
}

} // namespace

LengthsJob::LengthsJob(QObject* parent)
    : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restTime);
    connect(&m_rest, &QTimer::timeout, this, &LengthsJob::begin);
}

LengthsJob::~LengthsJob() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void LengthsJob::ask(Request request) {
    m_pending = std::move(request);
    ++m_current;
    m_thread.request_stop(); // what it works out is out of date
    m_rest.start();
}

void LengthsJob::begin() {
    if (m_running || !m_pending)
        return; // the one that runs begins this one when it ends
    m_running = true;
    m_thread = std::jthread(
        [this, request = std::move(*m_pending), id = m_current](const std::stop_token& stop) {
            std::shared_ptr<const LengthsAnswer> answer = answerTo(request, stop);
            QMetaObject::invokeMethod(
                this,
                [this, id, answer] {
                    m_running = false;
                    if (answer && id == m_current)
                        Q_EMIT answered(answer);
                    if (m_pending && !m_rest.isActive())
                        begin();
                },
                Qt::QueuedConnection);
        });
    m_pending.reset();
}

} // namespace twolane::window
