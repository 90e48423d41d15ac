// What every reader is fuzzed by: any bytes as one of its files are read into a sink that checks
// the order of what it is told, then each event again through the reader of single events.
#pragma once

#include "importers/importer.h"
#include "tests/fuzz/checking_sink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace twolane {

inline int fuzzImporter(const Importer& importer, const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);

    SourceProbe probe;
    probe.head = std::as_bytes(std::span(data, std::min<std::size_t>(size, 65536)));
    static_cast<void>(importer.sniff(probe));

    CheckingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    ImportContext context{sink, info, diagnostics, {}, {}};
    MemorySource source(bytes);
    if (!importer.read(source, {}, context))
        return 0;
    static_cast<void>(sink.builder.finish(std::move(info), std::move(diagnostics)));

    auto reader = importer.openEvents(std::make_unique<MemorySource>(bytes), {});
    if (!reader || (*reader)->count() != sink.events)
        std::abort();
    for (std::uint64_t i = 0; i < sink.events && i < 1000; ++i)
        if (!(*reader)->at(i))
            std::abort();
    return 0;
}

} // namespace twolane
