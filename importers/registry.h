// The plain list of the formats that Twolane reads.
#pragma once

#include "importers/importer.h"

#include <memory>
#include <vector>

namespace twolane {

/// Every importer, in the order in which `twolane formats` lists them.
std::vector<std::unique_ptr<Importer>> allImporters();

} // namespace twolane
