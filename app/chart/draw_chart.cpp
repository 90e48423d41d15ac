#include "app/chart/draw_chart.h"

#include "app/chart/figure_file.h"
#include "app/chart/lengths/length_figure.h"
#include "app/chart/lengths/length_text.h"
#include "app/chart/timeline/timeline_figure.h"

#include <QApplication>
#include <QRawFont>

#include <fmt/format.h>

namespace twolane::chart {
namespace {

/// 400 MB while it is drawn.
constexpr double mostPixels = 100e6;

Theme themeFor(ChartRequest::Look look) {
    switch (look) {
    case ChartRequest::Look::dark:
        return themeOf(plainPalette(true));
    case ChartRequest::Look::print:
        return printTheme();
    case ChartRequest::Look::light:
        break;
    }
    return themeOf(plainPalette(false));
}

QString labelOf(const ChartRequest::Input& input) {
    return printable(input.label);
}

std::unique_ptr<TimelineFigure> timelineOf(const ChartRequest& request) {
    std::array<SideChoice, sideCount> sides;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const ChartRequest::Input& input = request.inputs[i];
        sides[i] = {prepare(input.trace), labelOf(input), input.selection.cpus,
                    input.selection.tasks};
    }
    TimelineOptions options;
    options.arrangement = request.sideBySide ? Arrangement::sideBySide : Arrangement::stacked;
    options.title = printable(request.title);
    options.font = QApplication::font();
    return std::make_unique<TimelineFigure>(sceneOf(sides, themeFor(request.look), request.span),
                                            options);
}

/// Nothing after a stop request.
std::optional<SideCurves> curvesOf(const ChartRequest& request, LengthKind kind) {
    SideCurves curves;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const ChartRequest::Input& input = request.inputs[i];
        curves[i] = lengthCurves(*input.trace, input.selection, kind, request.stop);
        if (!curves[i])
            return std::nullopt;
        curves[i]->label = labelOf(input);
    }
    return curves;
}

QStringList scopeOf(const ChartRequest& request) {
    QStringList scope;
    for (const std::string& part : request.scope)
        scope << printable(part);
    return scope;
}

LengthKind lengthKindOf(const ChartRequest& request) {
    return request.kind == ChartRequest::Kind::timeslices ? LengthKind::timeslices
                                                          : LengthKind::wakeupLatency;
}

std::unique_ptr<LengthFigure> lengthsOf(const ChartRequest& request, LengthKind kind) {
    auto curves = curvesOf(request, kind);
    if (!curves)
        return nullptr;
    return std::make_unique<LengthFigure>(kind, *std::move(curves),
                                          LengthLook{themeFor(request.look), QApplication::font(),
                                                     printable(request.title), request.logY,
                                                     scopeOf(request)});
}

Error interrupted(const ChartRequest& request) {
    return {request.output.string(), "interrupted", "", "", true};
}

bool isText(const std::filesystem::path& path) {
    return QString::fromStdString(path.extension().string()).toLower() == QLatin1String(".txt");
}

ChartOutcome writeText(const ChartRequest& request) {
    if (request.kind == ChartRequest::Kind::timeline)
        return Error{request.output.string(), "a timeline is not drawn in characters", "",
                     "give it a name that ends in .png, .svg or .pdf"};
    const LengthKind kind = lengthKindOf(request);
    const auto curves = curvesOf(request, kind);
    if (!curves)
        return interrupted(request);
    const QString title = request.title.empty() ? titleOf(kind) : printable(request.title);
    if (Status status = writeWhole(lengthText(kind, *curves, title, scopeOf(request)),
                                   request.output, request.force);
        !status)
        return status.error();
    return std::vector<std::string>{};
}

/// Without a font Qt draws boxes and says nothing; it lists families all the same, by their
/// aliases. A font of a file has a table of its characters.
bool textCanBeDrawn() {
    return !QRawFont::fromFont(QApplication::font()).fontTable("cmap").isEmpty();
}

/// Why latencies of both sides are not to be compared, if they are not: one event marks the wake on
/// both sides, or none does.
std::optional<Error> edgesApart(const ChartRequest& request) {
    if (request.kind != ChartRequest::Kind::latency || request.inputs.size() < 2)
        return std::nullopt;
    const Trace& a = *request.inputs[0].trace;
    const Trace& b = *request.inputs[1].trace;
    if (a.wakeEdge == b.wakeEdge || a.wakeEdge == WakeEdge::none || b.wakeEdge == WakeEdge::none)
        return std::nullopt;
    return Error{
        b.info.file,
        fmt::format("marks a wake by {}, the baseline by {}: their latencies are not to be "
                    "compared",
                    nameOf(b.wakeEdge), nameOf(a.wakeEdge)),
        "", "record sched_waking on both, or draw a chart of each"};
}

} // namespace

ChartOutcome drawChart(const ChartRequest& request) {
    if (request.inputs.empty() || request.inputs.size() > sideCount)
        return Error{request.output.string(), "shows one trace or two", "", "give one or two"};
    if (request.inputs.size() == 2)
        if (auto error = clocksApart(*request.inputs[0].trace, *request.inputs[1].trace))
            return *error;
    if (auto error = edgesApart(request))
        return *error;
    if (isText(request.output))
        return writeText(request);
    if (!textCanBeDrawn())
        return Error{request.output.string(), "cannot be drawn: no fonts are installed", "",
                     "install a font package, such as fonts-dejavu-core"};

    const double pixels = request.scale * request.scale * request.width * request.height;
    if (fileKindOf(request.output) == FileKind::png && pixels > mostPixels)
        return Error{request.output.string(),
                     fmt::format("would have {:.0f} million pixels: a picture of more than {:.0f} "
                                 "million is not drawn",
                                 pixels / 1e6, mostPixels / 1e6),
                     "", "choose a smaller --size or --scale, or write .svg or .pdf"};

    std::vector<std::string> warnings;
    const FigureSize size{QSize(request.width, request.height), request.scale};
    std::unique_ptr<Figure> figure;
    if (request.kind == ChartRequest::Kind::timeline) {
        auto timeline = timelineOf(request);
        if (const std::size_t missing = timeline->lanesWithoutRoom(size))
            warnings.push_back(fmt::format(
                "{}: {} CPUs have no room in the picture: give it more height with --size, or "
                "choose CPUs with --cpu",
                request.output.string(), missing));
        figure = std::move(timeline);
    } else {
        figure = lengthsOf(request, lengthKindOf(request));
    }
    if (request.stop.stop_requested() || !figure)
        return interrupted(request);
    if (Status status = writeFigure(*figure, size, request.output, request.force); !status)
        return status.error();
    return warnings;
}

} // namespace twolane::chart
