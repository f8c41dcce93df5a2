/// From the return addresses of a recorded run to functions and source lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "analysis/event_references.h"
#include "analysis/findings.h"
#include "analysis/run_profile.h"
#include "inspector/target/image.h"
#include "model/execution.h"
#include "report/checked_run.h"
#include "report/recorded_source.h"

namespace mqinspect::commands {

struct SourceOptions {
    /// Folders in which sources are looked for that are not where they were compiled.
    std::vector<std::string> source_paths;
    /// Folders in which programs and libraries are looked for that have moved.
    std::vector<std::string> image_paths;
};

/// --source-path, --image-path.
void add_source_options(CLI::App& command, SourceOptions& options);

/// By StackId: true for those that the findings, their calls' references, the events and the ends
/// of processes name; with `all` for all.
std::vector<bool> stacks_to_show(const model::Execution& execution,
                                 const analysis::Findings& findings,
                                 const analysis::RunProfile& profile,
                                 const analysis::EventReferences& references,
                                 bool all);

/// The programs and libraries of a recorded run. Files that are not here, or have been built anew
/// since (by build-id), give no lines.
class StackResolver {
public:
    /// Opens the files; of each that gives no lines a line is added to `remarks`. Borrows the
    /// execution and the options.
    StackResolver(const model::Execution& execution,
                  const SourceOptions& options,
                  std::vector<std::string>& remarks);

    report::ResolvedStack resolve(const std::vector<model::CodePlace>& stack);

    /// Where the user's code makes the call of a stack.
    struct UserPlace {
        target::Image* image = nullptr;
        std::uint64_t address = 0;  ///< as linked, of the call
        model::SourceLocation location;
    };
    /// Empty: no line of it is known.
    std::optional<UserPlace> user_place(const std::vector<model::CodePlace>& stack);
    /// The subscript of its frame; the stack's size: there is none.
    std::size_t user_frame(const std::vector<model::CodePlace>& stack);
    /// It reaches down to what starts the program.
    bool is_whole(const std::vector<model::CodePlace>& stack);
    /// The image, and the name of the function of a place without what the compiler has put behind
    /// it for a part or a copy (".cold"); empty: not known.
    std::optional<std::pair<const target::Image*, std::string>> function(
        const model::CodePlace& place);

private:
    struct OpenImage {
        target::Image* image = nullptr;  ///< null: not here, or another
        std::string path;
        bool of_library = false;
        bool of_language = false;  ///< the runtime library of C++ or Fortran
        std::string script_function;
    };
    struct PlacedFrame {
        model::Frame frame;
        std::string symbol;         ///< of the function
        std::uint64_t address = 0;  ///< as linked
        const OpenImage* open = nullptr;
        bool of_library = false;
        bool of_language = false;
        bool of_script = false;
    };

    /// `why` it gives no lines; else empty.
    OpenImage open(const model::RecordedImage& recorded, std::string& why);
    target::Image* find(const model::RecordedImage& recorded, std::string& why);
    std::string source_file(const std::string& file);
    bool has_line(const model::CodePlace& one);
    std::size_t program_frames(const std::vector<model::CodePlace>& stack);
    /// Worked out once. Valid as long as this object.
    const PlacedFrame& place(const model::CodePlace& place);
    PlacedFrame find_place(const model::CodePlace& place);
    PlacedFrame place_in_script(const OpenImage& open, std::uint64_t line);

    const SourceOptions& options_;
    target::ImageStore store_;
    std::vector<OpenImage> images_;
    std::map<std::string, std::string> found_sources_;
    report::SourceFiles sources_;
    std::map<std::pair<int, std::uint64_t>, PlacedFrame> places_;  ///< by image and offset
};

/// The wanted stacks, by StackId.
std::vector<report::ResolvedStack> resolve_stacks(const model::Execution& execution,
                                                  const std::vector<bool>& wanted,
                                                  StackResolver& resolver);

}  // namespace mqinspect::commands
