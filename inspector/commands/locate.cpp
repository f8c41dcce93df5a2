#include "inspector/commands/locate.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"
#include "inspector/target/image.h"
#include "inspector/target/python_library.h"
#include "report/recorded_source.h"

namespace mqinspect::commands {

namespace {

struct LocateOptions {
    std::string message;
    /// In turn: an image and a return address, or a script and a colon with a line.
    std::vector<std::string> places;
};

/// The first place whose source is here; else the first that has a line at all: inner ones are
/// often in libraries that were built elsewhere.
std::optional<model::SourceLocation> best_place(const std::vector<std::string>& places) {
    constexpr int any_base = 0;
    std::optional<model::SourceLocation> first;
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
        if (places[i + 1].starts_with(':')) {
            if (target::is_python_library(places[i])) continue;
            return model::SourceLocation{places[i], std::atoi(places[i + 1].c_str() + 1)};
        }
        const auto image = target::Image::open(places[i], places[i]);
        const std::uint64_t address = std::strtoull(places[i + 1].c_str(), nullptr, any_base);
        if (!image || address == 0) continue;
        auto location = (*image)->location_at(address - 1);
        if (!location || location->line <= 0) continue;
        if (std::filesystem::exists(location->file)) return location;
        if (!first) first = std::move(location);
    }
    return first;
}

int locate(const LocateOptions& options) {
    const auto location = best_place(options.places);
    std::string message = options.message;
    if (location) {
        report::SourceFiles sources;
        message += ", " + sources.place(sources.begin_of_statement(*location));
    }
    complain({ErrorCode::System, message});
    return static_cast<int>(ExitCode::NothingFound);
}

}  // namespace

void add_locate(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<LocateOptions>();
    CLI::App* command = app.add_subcommand("locate", "Print a message with the source line");
    command->group("");
    command->add_option("MESSAGE", options->message)->required();
    command->add_option("PLACES", options->places);
    command->callback([options, &exit_code] { exit_code = locate(*options); });
}

}  // namespace mqinspect::commands
