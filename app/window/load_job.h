// Reads one side's trace on a thread of its own.
#pragma once

#include "app/chart/loaded_trace.h"
#include "importers/importer.h"
#include "model/result.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <thread>

namespace twolane::window {

/// What reads a file; called on the job's thread. Tests put their own in its place.
using LoadFn = std::function<Result<std::shared_ptr<const Trace>>(
    const std::filesystem::path&, std::stop_token, const ProgressFn&)>;

/// The load of one side: at most one counts, and only its result is ever told. Lives on the
/// window's thread, as do all its signals.
class SideLoader : public QObject {
    Q_OBJECT

public:
    explicit SideLoader(LoadFn load, QObject* parent = nullptr);
    /// Stops what runs and waits for it; importers promise to end within 0.2 s.
    ~SideLoader() override;

    /// Begins to read `path`; a load under way is abandoned without a word.
    void start(const std::filesystem::path& path);
    /// Abandons the load under way, if any, at once; its thread ends by itself.
    void cancel();

    bool busy() const { return m_current != 0; }
    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t bytesDone() const;
    std::uint64_t bytesTotal() const;

Q_SIGNALS:
    void progressed(); ///< a few times a second while a load runs
    void loaded(std::shared_ptr<const chart::LoadedTrace> trace);
    void failed(const twolane::Error& error);
    void cancelled();

private:
    /// Written by the job's thread, read by the window's.
    struct Progress {
        std::atomic<std::uint64_t> done = 0;
        std::atomic<std::uint64_t> total = 0;
    };
    struct Job {
        std::uint64_t id = 0;
        std::shared_ptr<Progress> progress;
        std::jthread thread;
    };
    using Outcome = Result<std::shared_ptr<const chart::LoadedTrace>>;

    void finish(std::uint64_t id, const Outcome& outcome);

    LoadFn m_load;
    std::filesystem::path m_path;
    std::list<Job> m_jobs;       ///< the current one and those that have not yet ended
    std::uint64_t m_current = 0; ///< id of the job that counts; 0: none
    std::uint64_t m_lastId = 0;
    QTimer m_tick;
};

} // namespace twolane::window
