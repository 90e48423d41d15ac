#include "app/window/load_job.h"

#include <exception>
#include <new>
#include <utility>

namespace twolane::window {

using namespace chart;
namespace {

/// Runs on the job's thread. No exception leaves it.
Result<std::shared_ptr<const LoadedTrace>> run(const LoadFn& load,
                                               const std::filesystem::path& path,
                                               const std::stop_token& stop,
                                               const ProgressFn& progress) {
    try {
        Result<std::shared_ptr<const Trace>> trace = load(path, stop, progress);
        if (!trace)
            return trace.error();
        if (stop.stop_requested())
            return Error{path.string(), "cancelled", "", "", true};
        return prepare(*trace);
    } catch (const std::bad_alloc&) {
        return Error{path.string(), "needs more memory than there is", "",
                     "record for a shorter time, or fewer events"};
    } catch (const std::exception& error) {
        return Error{path.string(), error.what(), "", ""};
    }
}

} // namespace

SideLoader::SideLoader(LoadFn load, QObject* parent)
    : QObject(parent)
    , m_load(std::move(load)) {
    m_tick.setInterval(60);
    connect(&m_tick, &QTimer::timeout, this, &SideLoader::progressed);
}

SideLoader::~SideLoader() {
    m_current = 0;
    for (Job& job : m_jobs)
        job.thread.request_stop();
    m_jobs.clear(); // joins; what they still post to this object goes with it
}

void SideLoader::start(const std::filesystem::path& path) {
    for (Job& job : m_jobs)
        job.thread.request_stop();
    m_path = path;
    m_current = ++m_lastId;
    Job& job = m_jobs.emplace_back();
    job.id = m_current;
    job.progress = std::make_shared<Progress>();
    job.thread = std::jthread([this, id = job.id, progress = job.progress, load = m_load,
                               path](const std::stop_token& stop) {
        Outcome outcome =
            run(load, path, stop, [&progress](std::uint64_t done, std::uint64_t total) {
                progress->total = total;
                progress->done = done;
            });
        // The destructor joins before this object is gone.
        QMetaObject::invokeMethod(
            this, [this, id, outcome = std::move(outcome)] { finish(id, outcome); },
            Qt::QueuedConnection);
    });
    m_tick.start();
    Q_EMIT progressed();
}

void SideLoader::cancel() {
    if (!busy())
        return;
    m_current = 0;
    m_tick.stop();
    for (Job& job : m_jobs)
        job.thread.request_stop();
    Q_EMIT cancelled();
}

std::uint64_t SideLoader::bytesDone() const {
    return busy() ? m_jobs.back().progress->done.load() : 0;
}

std::uint64_t SideLoader::bytesTotal() const {
    return busy() ? m_jobs.back().progress->total.load() : 0;
}

void SideLoader::finish(std::uint64_t id, const Outcome& outcome) {
    m_jobs.remove_if(
        [id](const Job& job) { return job.id == id; }); // its thread has nothing left to do
    if (id != m_current)
        return; // cancelled or replaced meanwhile
    m_current = 0;
    m_tick.stop();
    if (outcome)
        Q_EMIT loaded(*outcome);
    else if (outcome.error().interrupted)
        Q_EMIT cancelled();
    else
        Q_EMIT failed(outcome.error());
}

} // namespace twolane::window
