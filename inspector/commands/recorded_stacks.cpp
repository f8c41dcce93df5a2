#include "inspector/commands/recorded_stacks.h"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "inspector/target/demangled.h"
#include "inspector/target/image.h"
#include "inspector/target/library_headers.h"
#include "inspector/target/python_library.h"
#include "model/mpi_function.h"

namespace mqinspect::commands {
namespace {

namespace fs = std::filesystem;
using model::CodePlace;
using model::Execution;
using report::ResolvedStack;
using target::Image;

/// Of a script; who has more has a damaged record.
constexpr std::uint64_t kMostLines = INT32_MAX;

}  // namespace

StackResolver::StackResolver(const Execution& execution,
                             const SourceOptions& options,
                             std::vector<std::string>& remarks)
    : options_(options), store_(target::default_image_cache()) {
    for (const model::RecordedImage& image : execution.images) {
        std::string why;
        images_.push_back(open(image, why));
        if (!why.empty()) remarks.push_back(why + "; its functions and lines are not shown");
    }
}

Image* StackResolver::find(const model::RecordedImage& recorded, std::string& why) {
    std::vector<fs::path> candidates{recorded.path};
    for (const std::string& folder : options_.image_paths)
        candidates.push_back(fs::path(folder) / fs::path(recorded.path).filename());
    for (const fs::path& candidate : candidates) {
        const Result<Image*> image = store_.file(candidate);
        if (!image) {
            if (why.empty()) why = image.error().message;
        } else if (!recorded.build_id.empty() && (*image)->build_id() != recorded.build_id) {
            why = fmt::format("{} has been built anew since the recording", candidate.string());
        } else {
            return *image;
        }
    }
    return nullptr;
}

StackResolver::OpenImage StackResolver::open(const model::RecordedImage& recorded,
                                             std::string& why) {
    OpenImage open;
    open.path = recorded.path;
    open.script_function = recorded.script_function;
    // The kernel's page is no file, and the sources of scripts are no programs.
    if (!recorded.script_function.empty() || recorded.path.empty() ||
        recorded.path.starts_with('['))
        return open;
    open.image = find(recorded, why);
    if (open.image == nullptr) return open;
    why.clear();
    const bool library =
        fs::path(recorded.path).filename().string().find(".so") != std::string::npos;
    // What the C library does it does for its caller, such as memset in a buffer.
    open.of_library = library && (open.image->find_dynamic_symbol("PMPI_Init") ||
                                  open.image->find_dynamic_symbol("mpi_init_") ||
                                  open.image->find_dynamic_symbol("__libc_start_main"));
    // What ends the program for it: an exception that nobody catches, a STOP.
    open.of_language = library && (open.image->find_dynamic_symbol("__cxa_throw") ||
                                   open.image->find_dynamic_symbol("_gfortran_stop_string"));
    return open;
}

// The file where it was compiled, else the longest end of its path below a given folder.
std::string StackResolver::source_file(const std::string& file) {
    if (options_.source_paths.empty() || file.empty()) return file;
    const auto known = found_sources_.find(file);
    if (known != found_sources_.end()) return known->second;
    std::error_code ignored;
    std::string found = file;
    if (!fs::is_regular_file(file, ignored)) {
        const fs::path path(file);
        for (auto part = path.begin(); part != path.end() && found == file; ++part) {
            fs::path end;
            for (auto rest = part; rest != path.end(); ++rest)
                end /= *rest;
            if (end.is_absolute()) continue;
            for (const std::string& folder : options_.source_paths) {
                const fs::path candidate = fs::absolute(fs::path(folder), ignored) / end;
                if (fs::is_regular_file(candidate, ignored)) {
                    found = candidate.lexically_normal().string();
                    break;
                }
            }
        }
    }
    return found_sources_.emplace(file, found).first->second;
}

const StackResolver::PlacedFrame& StackResolver::place(const CodePlace& place) {
    const std::pair key{place.image, place.offset};
    auto known = places_.find(key);
    if (known == places_.end()) known = places_.emplace(key, find_place(place)).first;
    return known->second;
}

StackResolver::PlacedFrame StackResolver::place_in_script(const OpenImage& open,
                                                          std::uint64_t line) {
    PlacedFrame placed;
    placed.open = &open;
    placed.of_script = true;
    placed.of_language = target::is_python_library(open.path);
    placed.frame.function = open.script_function;
    placed.frame.location = {source_file(open.path), static_cast<int>(std::min(line, kMostLines))};
    return placed;
}

StackResolver::PlacedFrame StackResolver::find_place(const CodePlace& place) {
    PlacedFrame placed;
    model::Frame& frame = placed.frame;
    if (place.image >= 0 && static_cast<std::size_t>(place.image) < images_.size()) {
        const OpenImage& open = images_[static_cast<std::size_t>(place.image)];
        placed.open = &open;
        frame.image = open.path;
        frame.pc = place.offset;
        placed.of_library = open.of_library;
        placed.of_language = open.of_language;
        if (!open.script_function.empty()) return place_in_script(open, place.offset);
        if (open.image != nullptr && place.offset > 0) {
            // A return address may be that of the next line, or of the next function.
            placed.address = open.image->first_load_address() + place.offset - 1;
            if (const auto function = open.image->function_at(placed.address)) {
                placed.symbol = function->name;
                frame.function = target::demangled(placed.symbol);
            }
            if (auto location = open.image->location_at(placed.address)) {
                if (target::is_library_header(location->file)) {
                    auto outside = target::outside_library_headers(*open.image, placed.address);
                    if (outside) location = std::move(outside);
                }
                frame.location = std::move(*location);
                frame.location.file = source_file(frame.location.file);
                frame.location = sources_.begin_of_statement(std::move(frame.location));
            }
        }
    }
    // Wrappers of other tools bear the names of what they wrap.
    placed.of_library = placed.of_library || model::find_mpi_function(placed.symbol).has_value();
    placed.of_language = placed.of_language || target::is_library_header(frame.location.file);
    return placed;
}

// The frames up to what starts every program.
std::size_t StackResolver::program_frames(const std::vector<CodePlace>& stack) {
    std::size_t count = 0;
    bool any_script = false;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const PlacedFrame& placed = place(stack[i]);
        if (placed.frame.function == "main" && !placed.of_script) return i + 1;
        any_script = any_script || placed.of_script;
        // The interpreter's own main is not recorded.
        if (!any_script || !placed.of_library) count = i + 1;
    }
    return count;
}

ResolvedStack StackResolver::resolve(const std::vector<CodePlace>& stack) {
    ResolvedStack resolved;
    const std::size_t count = program_frames(stack);
    for (std::size_t i = 0; i < count; ++i)
        resolved.frames.push_back(place(stack[i]).frame);
    resolved.user_frame = user_frame(stack);
    for (std::size_t i = 0; resolved.user_frame == stack.size() && i < count; ++i)
        if (!place(stack[i]).of_library) resolved.user_frame = i;  // there is nothing but that
    resolved.user_frame = std::min(resolved.user_frame, count);
    return resolved;
}

bool StackResolver::has_line(const CodePlace& one) {
    return place(one).frame.location.line > 0;
}

// What a script calls is a module for it, unless there are sources of that.
std::size_t StackResolver::user_frame(const std::vector<CodePlace>& stack) {
    std::size_t user = stack.size();
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const PlacedFrame& placed = place(stack[i]);
        if (placed.of_library || placed.of_language) continue;
        if (placed.of_script) return user == stack.size() || !has_line(stack[user]) ? i : user;
        if (user == stack.size()) user = i;
    }
    return user;
}

std::optional<StackResolver::UserPlace> StackResolver::user_place(
    const std::vector<CodePlace>& stack) {
    const std::size_t frame = user_frame(stack);
    if (frame == stack.size()) return std::nullopt;
    const PlacedFrame& placed = place(stack[frame]);
    if (placed.address == 0 || placed.frame.location.line <= 0) return std::nullopt;
    return UserPlace{placed.open->image, placed.address, placed.frame.location};
}

bool StackResolver::is_whole(const std::vector<CodePlace>& stack) {
    return std::ranges::any_of(
        stack, [&](const CodePlace& one) { return place(one).frame.function == "main"; });
}

std::optional<std::pair<const Image*, std::string>> StackResolver::function(const CodePlace& one) {
    const PlacedFrame& placed = place(one);
    if (placed.open == nullptr || placed.open->image == nullptr || placed.address == 0)
        return std::nullopt;
    const std::string& name = placed.symbol;
    if (name.empty()) return std::nullopt;
    return std::pair{static_cast<const Image*>(placed.open->image), name.substr(0, name.find('.'))};
}

void add_source_options(CLI::App& command, SourceOptions& options) {
    command
        .add_option("--source-path",
                    options.source_paths,
                    "folder with sources that are not where they were compiled")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    command
        .add_option("--image-path",
                    options.image_paths,
                    "folder with programs and libraries that have moved")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
}

std::vector<bool> stacks_to_show(const Execution& execution,
                                 const analysis::Findings& findings,
                                 const analysis::RunProfile& profile,
                                 const analysis::EventReferences& references,
                                 bool all) {
    std::vector<bool> wanted(execution.stacks.size(), all);
    const auto want = [&](const std::optional<model::StackId>& stack) {
        if (stack && stack->value >= 0 && stack->index() < wanted.size())
            wanted[stack->index()] = true;
    };
    for (const analysis::Finding& finding : findings.findings) {
        for (const analysis::InvolvedCall& call : finding.calls)
            want(call.stack);
    }
    for (const model::RecordedEvent& event : execution.events)
        want(event.stack);
    for (const model::RecordedProcess& process : execution.processes)
        want(process.termination.stack);
    for (const analysis::ProcessProfile& process : profile.processes) {
        if (process.last) want(process.last->call.stack);
    }
    for (const auto& [key, call] : references.calls)
        want(call.call.stack);
    return wanted;
}

std::vector<ResolvedStack> resolve_stacks(const Execution& execution,
                                          const std::vector<bool>& wanted,
                                          StackResolver& resolver) {
    std::vector<ResolvedStack> stacks(execution.stacks.size());
    for (std::size_t at = 0; at < stacks.size(); ++at) {
        if (wanted[at]) stacks[at] = resolver.resolve(execution.stacks[at]);
    }
    return stacks;
}

}  // namespace mqinspect::commands
