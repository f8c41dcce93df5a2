#include "inspector/commands/export.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"
#include "inspector/commands/progress.h"
#include "inspector/commands/recorded_stacks.h"

#include "trace_io/otf2/export.h"
#include "trace_io/recording.h"

namespace mqinspect::commands {
namespace {

struct ExportCommand {
    std::string folder;
    std::string otf2;
    SourceOptions sources;
    bool quiet = false;
};

std::vector<std::vector<model::Frame>> user_frames(std::vector<report::ResolvedStack> stacks) {
    std::vector<std::vector<model::Frame>> frames;
    for (report::ResolvedStack& stack : stacks) {
        const auto user = stack.frames.begin() + static_cast<std::ptrdiff_t>(stack.user_frame);
        stack.frames.erase(stack.frames.begin(), user);
        frames.push_back(std::move(stack.frames));
    }
    return frames;
}

Result<ExitCode> export_run(const ExportCommand& command) {
    Progress progress(!command.quiet);
    progress.begin("reading");
    const std::unique_ptr<model::Recording> opened = TRY(trace_io::open_recording(command.folder));
    const model::Execution& execution = opened->execution();
    progress.begin("source references");
    std::vector<std::string> remarks;
    const std::vector<bool> all(execution.stacks.size(), true);
    StackResolver resolver(execution, command.sources, remarks);
    auto frames = user_frames(resolve_stacks(execution, all, resolver));
    remarks.insert(remarks.end(), execution.problems.begin(), execution.problems.end());
    for (const std::string& remark : remarks)
        complain({ErrorCode::CorruptData, remark});
    progress.begin("export");
    const std::unique_ptr<model::Recording> recording = progress.counted(*opened);
    TRY(trace_io::export_otf2(*recording, frames, command.otf2, MQI_VERSION));
    return execution.problems.empty() ? ExitCode::NothingFound : ExitCode::Partial;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ExportCommand>();
    CLI::App* command =
        app.add_subcommand("export", "Write a recorded run in the format of other tools");
    command->add_option("DIR", options->folder, "what mqinspect record -o has written")->required();
    command->add_option("--otf2", options->otf2, "folder for an OTF2 archive, traces.otf2 in it")
        ->required();
    add_source_options(*command, options->sources);
    command->add_flag("-q,--quiet", options->quiet, "show no progress");
    command->callback([options, &exit_code] { exit_code = settle(export_run(*options)); });
}

}  // namespace mqinspect::commands
