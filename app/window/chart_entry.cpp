// The entry point of the window's module that draws charts into files.
#include "app/chart/draw_chart.h"
#include "app/window/headless.h"

#define TWOLANE_EXPORT extern "C" __attribute__((visibility("default")))

TWOLANE_EXPORT void twolaneDrawChart(const twolane::chart::ChartRequest* request,
                                     twolane::chart::ChartOutcome* outcome) {
    const twolane::window::HeadlessApplication application(false, 1);
    *outcome = twolane::chart::drawChart(*request);
}
