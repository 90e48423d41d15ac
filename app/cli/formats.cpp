#include "app/cli/command.h"
#include "app/cli/output.h"
#include "importers/registry.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace twolane::cli {

void addFormats(CLI::App& app, Exit& exit, std::stop_token stop) {
    auto options = std::make_shared<CommonOptions>();
    options->stop = std::move(stop);
    CLI::App* command = app.add_subcommand("formats", "Every format that can be read, one a line");
    addOutputOptions(*command, *options);
    command->callback([options, &exit] {
        Table table;
        table.columns = {{"name", Unit::none, "name"},
                         {"written_by", Unit::none, "written by"},
                         {"recognised", Unit::none, "recognised by"}};
        for (const auto& importer : allImporters()) {
            const FormatInfo format = importer->format();
            table.rows.push_back({format.name, format.writtenBy, format.recognised});
        }
        Presentation presentation;
        presentation.command = "formats";
        exit = write(table, presentation, *options);
    });
}

} // namespace twolane::cli
