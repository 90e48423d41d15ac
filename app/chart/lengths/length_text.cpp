#include "app/chart/lengths/length_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace twolane::chart {
namespace {

constexpr int columns = 76;
constexpr int mostRows = 16;
constexpr int shareColumns = 8; // "> 99.9 %"

QString ascii(const QString& text) {
    QString out;
    for (const char32_t c : text.toUcs4()) {
        if (c < 0x7f)
            out += QLatin1Char(static_cast<char>(c));
        else if (c == 0x202f)
            out += QLatin1Char(' ');
        else if (c == 0xb5)
            out += QLatin1Char('u');
        else
            out += QStringLiteral("\\u%1").arg(static_cast<uint>(c), 4, 16, QLatin1Char('0'));
    }
    return out;
}

/// A name may lose its middle, a number may not.
QString shortened(const QString& text, int width) {
    if (text.size() <= width)
        return text;
    const int begin = (width - 3) / 2;
    return text.left(begin) + QStringLiteral("...") + text.right(width - 3 - begin);
}

/// `parts` with commas between, broken at them.
void addParts(QStringList& lines, const QString& indent, const QStringList& parts) {
    QString line;
    for (const QString& part : parts) {
        if (!line.isEmpty() && line.size() + 2 + part.size() < columns) {
            line += QStringLiteral(", ") + part;
            continue;
        }
        if (!line.isEmpty())
            lines << line + QLatin1Char(',');
        line = indent + shortened(part, columns - static_cast<int>(indent.size()) - 1);
    }
    if (!line.isEmpty())
        lines << line;
}

int groupOf(int bin, int size) {
    return static_cast<int>(std::floor(static_cast<double>(bin) / size));
}

/// How many bins are put together.
int groupSize(int first, int last) {
    int size = 1;
    for (const int factor : {2, 5, 10, 20, 40, 80, 200}) {
        if (groupOf(last, size) - groupOf(first, size) < mostRows)
            break;
        size = factor;
    }
    return size;
}

/// What is drawn of one bin, or of the lengths of zero.
struct Row {
    QString from;
    std::array<std::uint64_t, sideCount> counts{};
};

std::vector<Row> rowsOf(const SideCurves& curves, const TimeFormat& times) {
    int first = INT_MAX;
    int last = INT_MIN;
    Row zeros{ascii(durationText(0, times)), {}};
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!curves[i])
            continue;
        const LogHistogram& bins = curves[i]->histogram;
        zeros.counts[i] = bins.zeros;
        if (bins.counts.empty())
            continue;
        first = std::min(first, bins.firstBin);
        last = std::max(last, bins.firstBin + static_cast<int>(bins.counts.size()) - 1);
    }
    std::vector<Row> rows;
    if (std::any_of(zeros.counts.begin(), zeros.counts.end(), [](auto n) { return n > 0; }))
        rows.push_back(zeros);
    if (first > last)
        return rows;
    const int size = groupSize(first, last);
    const int begin = groupOf(first, size);
    const auto edge = [&](int group) {
        return ascii(durationText(std::llround(LogHistogram::edge(group * size)), times));
    };
    const std::size_t before = rows.size();
    for (int group = begin; group <= groupOf(last, size) + 1; ++group)
        rows.push_back({edge(group), {}}); // the last one holds nothing: it ends the one before
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!curves[i])
            continue;
        const LogHistogram& bins = curves[i]->histogram;
        for (std::size_t k = 0; k < bins.counts.size(); ++k) {
            const int group = groupOf(bins.firstBin + static_cast<int>(k), size);
            rows[before + static_cast<std::size_t>(group - begin)].counts[i] += bins.counts[k];
        }
    }
    return rows;
}

void addBars(QStringList& lines, const SideCurves& curves, const std::vector<Row>& rows) {
    qsizetype labels = 0;
    double highest = 0;
    const auto shareOf = [&](const Row& row, std::size_t side) {
        return static_cast<double>(row.counts[side]) / static_cast<double>(curves[side]->n);
    };
    const auto drawn = [&](std::size_t side) { return curves[side] && curves[side]->n > 0; };
    for (const Row& row : rows) {
        labels = std::max(labels, row.from.size());
        for (std::size_t i = 0; i < sideCount; ++i)
            if (drawn(i))
                highest = std::max(highest, shareOf(row, i));
    }
    const int room = columns - static_cast<int>(labels) - shareColumns - 5;
    for (const Row& row : rows) {
        QString label = row.from.rightJustified(labels);
        const bool edgeOnly = &row == &rows.back() && row.counts == decltype(row.counts){};
        if (edgeOnly)
            lines << label;
        for (std::size_t i = 0; i < sideCount && !edgeOnly; ++i) {
            if (!drawn(i))
                continue;
            const double share = shareOf(row, i);
            const int length = static_cast<int>(std::lround(share / highest * room));
            QString bar(length, QLatin1Char(i == 0 ? '#' : '='));
            if (bar.isEmpty() && row.counts[i] > 0)
                bar = QLatin1Char('.');
            QString line = label + QLatin1Char(' ') + QLatin1Char(i == 0 ? 'A' : 'B') +
                           QLatin1Char(' ') + shareText(share).rightJustified(shareColumns) +
                           QLatin1Char(' ') + bar;
            while (line.endsWith(QLatin1Char(' ')))
                line.chop(1);
            lines << line;
            label = QString(labels, QLatin1Char(' '));
        }
    }
}

} // namespace

QByteArray lengthText(LengthKind kind, const SideCurves& curves, const QString& title,
                      const QStringList& scope) {
    QStringList lines{shortened(ascii(title), columns)};
    if (!scope.isEmpty()) {
        QStringList parts;
        for (const QString& part : scope)
            parts << ascii(part);
        parts.front().prepend(QStringLiteral("only "));
        addParts(lines, {}, parts);
    }
    TimeFormat times;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!curves[i])
            continue;
        times = curves[i]->times;
        lines << shortened(QLatin1Char(i == 0 ? 'A' : 'B') + QStringLiteral("  ") +
                               ascii(curves[i]->label),
                           columns);
        QStringList facts;
        for (const QString& fact : curves[i]->facts(kind))
            facts << ascii(fact);
        if (const QString out = curves[i]->leftOut(); !out.isEmpty())
            facts << ascii(out);
        addParts(lines, QStringLiteral("   "), facts);
    }
    lines << QString();
    if (const QString reason = noPlotReason(curves); !reason.isEmpty()) {
        lines << reason;
    } else {
        lines << QStringLiteral("share of %1, each from its length up to the next one")
                     .arg(kind == LengthKind::timeslices ? QStringLiteral("timeslices")
                                                         : QStringLiteral("wakeups"));
        addBars(lines, curves, rowsOf(curves, times));
    }
    return lines.join(QLatin1Char('\n')).toLatin1() + '\n';
}

} // namespace twolane::chart
