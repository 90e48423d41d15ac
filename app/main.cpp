// Subcommand or window.
#include "app/cli/command_line.h"
#include "app/window_module.h"

#include <atomic>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace {

/// Turns SIGINT into a stop request: a thread waits for it, because a handler may not lock.
class InterruptWatch {
public:
    InterruptWatch() {
        sigset_t interrupt;
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
        m_thread = std::thread([this, interrupt] {
            int signal = 0;
            sigwait(&interrupt, &signal);
            if (!m_done)
                m_source.request_stop();
        });
    }
    /// From here on SIGINT ends the program as usual.
    ~InterruptWatch() {
        m_done = true;
        pthread_kill(m_thread.native_handle(), SIGINT);
        m_thread.join();
        sigset_t interrupt;
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
    }
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::atomic<bool> m_done = false;
    std::thread m_thread;
};

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write(), told as one
    // Only subcommands have something to tidy up.
    std::optional<InterruptWatch> watch(std::in_place);
    const auto openWindow = [&watch](const twolane::WindowRequest& request) {
        watch.reset();
        return twolane::openWindow(request);
    };
    return twolane::cli::run(argc, argv, watch->token(), openWindow, twolane::drawChart);
}
