#include "app/chart/draw_chart.h"

#include "tests/app/chart/lengths.h"
#include "tests/app/window/qt_text.h"
#include "tests/support/story.h"

#include <QImage>
#include <QTemporaryDir>

using namespace twolane;
using namespace twolane::chart;
namespace fs = std::filesystem;

namespace {

ChartRequest requestFor(const QTemporaryDir& folder, ChartRequest::Kind kind,
                        const std::vector<std::shared_ptr<const Trace>>& traces) {
    ChartRequest request;
    request.kind = kind;
    for (const auto& trace : traces)
        request.inputs.push_back({trace, "6.1.0", {windowOf(*trace), {}, {}}});
    request.width = 640;
    request.height = 400;
    request.output = fs::path(folder.path().toStdString()) / "chart.png";
    return request;
}

constexpr std::array kinds{ChartRequest::Kind::timeline, ChartRequest::Kind::timeslices,
                           ChartRequest::Kind::latency};

} // namespace

TEST_CASE("every kind is drawn, of one trace and of two") {
    const auto trace = tests::makeLengths({.slices = {40'000, 10'000}, .latencies = {700, 9'000}});
    for (const auto kind : kinds)
        for (const std::size_t count : {1, 2}) {
            const QTemporaryDir folder;
            ChartRequest request =
                requestFor(folder, kind, std::vector<std::shared_ptr<const Trace>>(count, trace));
            request.scale = 2;
            const ChartOutcome outcome = drawChart(request);
            REQUIRE(outcome);
            CHECK(QImage(QString::fromStdString(request.output.string())).size() ==
                  QSize(1280, 800));
        }
}

TEST_CASE("a stop request leaves no file") {
    const auto trace = tests::makeLengths({.slices = {40'000, 10'000}});
    std::stop_source stop;
    stop.request_stop();
    for (const auto kind : kinds) {
        const QTemporaryDir folder;
        ChartRequest request = requestFor(folder, kind, {trace});
        request.stop = stop.get_token();
        if (kind != ChartRequest::Kind::timeline) {
            ChartRequest text = request;
            text.output.replace_extension(".txt");
            CHECK(!drawChart(text));
        }
        const ChartOutcome outcome = drawChart(request);
        REQUIRE(!outcome);
        CHECK(outcome.error().interrupted);
        CHECK(fs::is_empty(folder.path().toStdString()));
    }
}

TEST_CASE("case 29: a trace of counts and a trace of time have no common axis") {
    const QTemporaryDir folder;
    for (const auto kind : kinds) {
        const ChartOutcome outcome =
            drawChart(requestFor(folder, kind,
                                 {tests::makeLengths({.slices = {40'000}}),
                                  tests::makeLengths({.slices = {40}, .nanoseconds = false})}));
        REQUIRE(!outcome);
        CHECK(outcome.error().message().find("--clock") != std::string::npos);
    }
    CHECK(fs::is_empty(folder.path().toStdString()));
}

TEST_CASE("latencies that begin with different events are not compared") {
    // The same wake, once with sched_waking, once with sched_wakeup alone.
    const auto waking = tests::story("0    0 switch a:1 S > idle\n"
                                     "1000 1 waking a:1 on 0 by 2\n"
                                     "1500 0 wakeup a:1 on 0 by 2\n"
                                     "2000 0 switch idle R > a:1\n"
                                     "3000 0 switch a:1 S > idle\n");
    const auto wakeup = tests::story("0    0 switch a:1 S > idle\n"
                                     "1500 0 wakeup a:1 on 0 by 2\n"
                                     "2000 0 switch idle R > a:1\n"
                                     "3000 0 switch a:1 S > idle\n");
    const QTemporaryDir folder;
    const ChartOutcome outcome =
        drawChart(requestFor(folder, ChartRequest::Kind::latency, {waking, wakeup}));
    REQUIRE(!outcome);
    CHECK(outcome.error().what.find("sched_wakeup") != std::string::npos);
    CHECK(fs::is_empty(folder.path().toStdString()));
    CHECK(drawChart(requestFor(folder, ChartRequest::Kind::timeslices, {waking, wakeup})));

    // And beside the lanes.
    SideCurves curves;
    const auto of = [](const Trace& trace, LengthKind kind) {
        return *lengthCurves(trace, {windowOf(trace), {}, {}}, kind);
    };
    curves[0] = of(*waking, LengthKind::wakeupLatency);
    curves[1] = of(*wakeup, LengthKind::wakeupLatency);
    CHECK(curves[0]->max == 1000);
    CHECK(curves[1]->max == 500);
    CHECK(noPlotReason(curves).contains("different events"_q));
    curves[1] = curves[0];
    CHECK(noPlotReason(curves).isEmpty());
    curves = {of(*waking, LengthKind::timeslices), of(*wakeup, LengthKind::timeslices)};
    CHECK(noPlotReason(curves).isEmpty());
}
