// Writes a figure to a file.
#pragma once

#include "app/chart/figure.h"
#include "model/result.h"

#include <QByteArray>

#include <filesystem>
#include <optional>

namespace twolane::chart {

enum class FileKind : std::uint8_t { png, svg, pdf };

/// By the name's ending, whatever its case; nothing for others.
std::optional<FileKind> fileKindOf(const std::filesystem::path& path);

/// Whole or not at all: written beside and renamed. A file that is there already is replaced only
/// with `force`. The same figure gives the same bytes. PNGs of at most 256 colours have a palette.
Status writeFigure(const Figure& figure, const FigureSize& size, const std::filesystem::path& path,
                   bool force);

/// The same for bytes that are ready.
Status writeWhole(const QByteArray& bytes, const std::filesystem::path& path, bool force);

} // namespace twolane::chart
