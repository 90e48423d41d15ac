#include "app/cli/output.h"

#include "model/format/numbers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace twolane::cli {
namespace {

/// Length of the valid UTF-8 character at the start of `bytes`; 0 where there is none.
std::size_t utf8Length(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || bytes.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
        (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
        return 0;
    return length;
}

std::string validUtf8(std::string_view bytes, bool escapeControls) {
    std::string text;
    while (!bytes.empty()) {
        std::size_t length = utf8Length(bytes);
        const auto first = static_cast<unsigned char>(bytes.front());
        if (length == 0 || (escapeControls && (first < 0x20 || first == 0x7F))) {
            text += fmt::format("\\x{:02X}", first);
            length = 1;
        } else {
            text += bytes.substr(0, length);
        }
        bytes.remove_prefix(length);
    }
    return text;
}

std::string fraction(double value) {
    return fmt::format("{:.6f}", value);
}

std::string csvCell(const Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return std::to_string(*number);
    if (const auto* value = std::get_if<double>(&cell))
        return fraction(*value);
    const auto* bytes = std::get_if<std::string>(&cell);
    if (!bytes)
        return {};
    const std::string text = validUtf8(*bytes, false);
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string jsonString(std::string_view bytes) {
    std::string text = "\"";
    for (const char c : validUtf8(bytes, false)) {
        switch (c) {
        case '"':
            text += "\\\"";
            break;
        case '\\':
            text += "\\\\";
            break;
        case '\n':
            text += "\\n";
            break;
        case '\t':
            text += "\\t";
            break;
        case '\r':
            text += "\\r";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
            else
                text += c;
        }
    }
    return text + '"';
}

std::string jsonCell(const Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return std::to_string(*number);
    if (const auto* value = std::get_if<double>(&cell))
        return fraction(*value);
    if (const auto* bytes = std::get_if<std::string>(&cell))
        return jsonString(*bytes);
    return "null";
}

std::string textCell(const Cell& cell, Unit unit, const Presentation& presentation) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        if (presentation.counts)
            return std::to_string(*number);
        if (unit == Unit::duration)
            return formatDuration(*number, presentation.resolution);
        if (unit == Unit::instant)
            return formatSeconds(*number, presentation.resolution);
        return std::to_string(*number);
    }
    if (const auto* value = std::get_if<double>(&cell))
        return unit == Unit::share ? fmt::format("{:.1f} %", *value * 100)
                                   : fmt::format("{:.2f}", *value);
    if (const auto* bytes = std::get_if<std::string>(&cell))
        return printable(*bytes);
    return "-";
}

/// Characters of valid UTF-8: what a terminal's columns are counted in here.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

Exit outputError(const std::string& file, const std::string& what, int code,
                 const std::string& remedy) {
    return fail(Error{file, fmt::format("{}: {}", what, std::strerror(code)), "", remedy});
}

bool writeAll(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

} // namespace

std::string printable(std::string_view bytes) {
    return validUtf8(bytes, true);
}

std::string toCsv(const Table& table) {
    std::string csv;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        csv += (i ? "," : "") + table.columns[i].name;
    csv += '\n';
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i)
                csv += ',';
            csv += csvCell(row[i]);
        }
        csv += '\n';
    }
    return csv;
}

std::string toJson(const Table& table, const Presentation& presentation) {
    std::string json = "{\"command\":" + jsonString(presentation.command) + ",\"warnings\":[";
    for (std::size_t i = 0; i < presentation.warnings.size(); ++i)
        json += (i ? "," : "") + jsonString(presentation.warnings[i]);
    json += "],\"notes\":[";
    for (std::size_t i = 0; i < table.notes.size(); ++i)
        json += (i ? "," : "") + jsonString(table.notes[i]);
    json += "],\"rows\":[";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        json += r ? ",\n{" : "\n{";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (i)
                json += ',';
            json += jsonString(table.columns[i].name) + ':' + jsonCell(table.rows[r][i]);
        }
        json += '}';
    }
    return json + "\n]}\n";
}

std::string toText(const Table& table, const Presentation& presentation) {
    struct Shown {
        std::size_t column;
        std::size_t width;
        bool left;
    };
    std::vector<Shown> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (const Column& column = table.columns[i]; !column.heading.empty())
            shown.push_back({i, width(column.heading), false});

    std::vector<std::vector<std::string>> lines;
    for (const auto& row : table.rows) {
        auto& line = lines.emplace_back();
        for (Shown& s : shown) {
            line.push_back(textCell(row[s.column], table.columns[s.column].unit, presentation));
            s.width = std::max(s.width, width(line.back()));
            s.left = s.left || std::holds_alternative<std::string>(row[s.column]);
        }
    }

    std::string text;
    for (const std::string& line : presentation.header)
        text += line + '\n';
    if (!presentation.header.empty())
        text += '\n';
    const auto append = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const std::string pad(shown[i].width - width(cells[i]), ' ');
            line += (i ? "  " : "") + (shown[i].left ? cells[i] + pad : pad + cells[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    };
    std::vector<std::string> headings;
    for (const Shown& s : shown)
        headings.push_back(table.columns[s.column].heading);
    append(headings);
    for (const auto& line : lines)
        append(line);
    if (!table.notes.empty())
        text += '\n';
    for (const std::string& note : table.notes)
        text += note + '\n';
    return text;
}

std::vector<std::string> warningsOf(const std::string& file, const Diagnostics& diagnostics) {
    std::vector<std::string> warnings;
    for (const Oddity& oddity : diagnostics.all())
        if (oddity.severity != Severity::info)
            warnings.push_back(file + ": " + oddity.message());
    return warnings;
}

void printWarnings(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        fmt::print(stderr, "warning: {}\n", printable(warning));
}

Exit write(const std::string& content, const CommonOptions& options) {
    if (options.output.empty()) {
        if (!writeAll(STDOUT_FILENO, content)) {
            if (errno == EPIPE)
                return Exit::done; // the reader had enough
            return outputError("standard output", "cannot be written", errno, "");
        }
        return Exit::done;
    }
    const std::filesystem::path target(options.output);
    std::error_code ignored;
    if (!options.force && std::filesystem::exists(target, ignored))
        return fail(Error{options.output, "exists already", "",
                          "give another name, or --force to replace it"});

    // Written beside the target and renamed, so that nobody ever sees half of it.
    std::string temporary = options.output + ".XXXXXX";
    const int fd = mkstemp(temporary.data());
    if (fd < 0)
        return outputError(options.output, "cannot be written", errno,
                           "check the folder and its permissions");
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    const bool written = writeAll(fd, content);
    const int code = errno;
    const bool closed = close(fd) == 0;
    if (!written || !closed) {
        unlink(temporary.c_str());
        return outputError(options.output, "cannot be written", written ? errno : code,
                           "check the free space");
    }
    if (options.stop.stop_requested()) {
        unlink(temporary.c_str());
        return Exit::interrupted;
    }
    // Without --force the name must still be free: link() never replaces.
    const int placed = options.force ? std::rename(temporary.c_str(), options.output.c_str())
                                     : link(temporary.c_str(), options.output.c_str());
    const int placeCode = errno;
    if (!options.force || placed != 0)
        unlink(temporary.c_str());
    if (placed != 0)
        return outputError(options.output, "cannot be written", placeCode, "");
    return Exit::done;
}

Exit write(const Table& table, const Presentation& presentation, const CommonOptions& options) {
    switch (options.format) {
    case Format::csv:
        return write(toCsv(table), options);
    case Format::json:
        return write(toJson(table, presentation), options);
    case Format::text:
        break;
    }
    return write(toText(table, presentation), options);
}

} // namespace twolane::cli
