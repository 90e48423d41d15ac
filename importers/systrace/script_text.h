// The text of a JavaScript string that goes on over many lines.
#pragma once

#include "importers/common/line_reader.h"

#include <cstdint>
#include <string>

namespace twolane {

/// The string that begins at `begin`, behind its quote, up to the quote that ends the statement,
/// the end of the script or the end of the file. Escapes are those of ECMA-262, 5.1, section 7.8.4;
/// a backslash before a line feed continues the string without one. A line of more than
/// LineReader::maxLine bytes is given as a line that says so. Never longer than what it is read
/// from, but for such lines.
Result<std::string> readScriptString(ByteSource& source, std::uint64_t begin,
                                     const LineReader::GoOnFn& goOn);

} // namespace twolane
