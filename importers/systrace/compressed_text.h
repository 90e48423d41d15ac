// The text in the stream of zlib that atrace -z writes.
#pragma once

#include "importers/common/line_reader.h"

#include <cstdint>
#include <string>

namespace twolane {

struct InflatedText {
    std::string text;
    bool cutOff = false;  ///< the stream ends too early
    bool damaged = false; ///< it goes on with bytes that are no such stream
};

/// Inflates what begins at `begin`; what precedes a damage is kept. An error where nothing can be
/// had, and where the text is longer than `most` bytes.
Result<InflatedText> inflateText(ByteSource& source, std::uint64_t begin, std::uint64_t most,
                                 const LineReader::GoOnFn& goOn);

} // namespace twolane
