// From a request to a file. There must be a QApplication.
#pragma once

#include "app/chart/chart_request.h"

namespace twolane::chart {

ChartOutcome drawChart(const ChartRequest& request);

} // namespace twolane::chart
