// Tables and texts on standard output or into a file that is whole or not there.
#pragma once

#include "app/cli/command.h"
#include "model/diagnostics.h"
#include "model/table.h"

#include <string>
#include <string_view>
#include <vector>

namespace twolane::cli {

/// How a table is headed and read.
struct Presentation {
    std::string command;               ///< the subcommand's name, for json
    std::vector<std::string> header;   ///< lines above a text table
    std::vector<std::string> warnings; ///< for json; the other formats have them on standard error
    bool counts = false;  ///< stamps count something else than time: no unit of time is shown
    Nanos resolution = 1; ///< ns of the stamps' last digit
};

std::string toCsv(const Table& table);
std::string toJson(const Table& table, const Presentation& presentation);
std::string toText(const Table& table, const Presentation& presentation);

/// Bytes that are not UTF-8, and control characters, as \xNN.
std::string printable(std::string_view bytes);

/// What must be told beside a result: losses and errors of an input, a sentence each.
std::vector<std::string> warningsOf(const std::string& file, const Diagnostics& diagnostics);
/// As "warning:" lines on standard error.
void printWarnings(const std::vector<std::string>& warnings);

/// To standard output or, whole or not at all, to the file that was asked for.
Exit write(const std::string& content, const CommonOptions& options);
/// The table in the chosen format.
Exit write(const Table& table, const Presentation& presentation, const CommonOptions& options);

} // namespace twolane::cli
