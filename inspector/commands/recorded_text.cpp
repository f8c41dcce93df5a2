#include "inspector/commands/recorded_text.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "inspector/target/declared_memory.h"
#include "report/written_call.h"

namespace mqinspect::commands {
namespace {

namespace fs = std::filesystem;

}  // namespace

const model::DeclaredBuffer* RecordedText::buffer(const model::RecordedCall& call,
                                                  std::size_t parameter) {
    const bool known = call.stack.value >= 0 && call.stack.index() < execution_.stacks.size() &&
                       call.procedure.value >= 0 &&
                       call.procedure.index() < execution_.procedures.size();
    if (!known) return nullptr;
    auto place = places_.find(call.stack.value);
    if (place == places_.end()) {
        place = places_
                    .emplace(call.stack.value,
                             resolver_.user_place(execution_.stacks[call.stack.index()]))
                    .first;
    }
    if (!place->second) return nullptr;
    const UserPlace& user = *place->second;
    const std::tuple key{user.image, user.address, call.procedure.value, parameter};
    auto buffer = buffers_.find(key);
    if (buffer == buffers_.end()) {
        const model::Procedure& procedure = execution_.procedures[call.procedure.index()];
        buffer = buffers_.emplace(key, find(user, procedure, parameter)).first;
    }
    return buffer->second ? &*buffer->second : nullptr;
}

std::optional<model::DeclaredBuffer> RecordedText::find(const UserPlace& place,
                                                        const model::Procedure& procedure,
                                                        std::size_t parameter) {
    const Arguments arguments = arguments_at(place, procedure);
    if (!arguments || parameter >= arguments->size()) return std::nullopt;
    return target::declared_memory(*place.image, place.address, (*arguments)[parameter]);
}

RecordedText::Arguments RecordedText::arguments_at(const UserPlace& place,
                                                   const model::Procedure& procedure) {
    if (!is_older(place.location.file, *place.image)) return std::nullopt;
    const auto own = static_cast<std::size_t>(std::ranges::count_if(
        procedure.parameters,
        [](const model::Parameter& one) { return !model::is_of_recorder(one.kind); }));
    const bool fortran = target::is_fortran(*place.image, place.address);
    std::string name = procedure.name;
    // Fortran has one name for both.
    if (fortran && name.ends_with("_c")) name.resize(name.size() - 2);
    Arguments arguments = report::written_arguments(
        sources_.lines_of(place.location.file), place.location.line, name, fortran);
    if (!arguments) return std::nullopt;
    const bool complete = arguments->size() == own || (fortran && arguments->size() == own + 1);
    return complete ? std::move(arguments) : std::nullopt;
}

bool RecordedText::has_returned(model::StackId call, model::StackId later) {
    const auto known = [&](model::StackId stack) {
        return stack.value >= 0 && stack.index() < execution_.stacks.size();
    };
    if (!known(call) || !known(later) || call == later) return false;
    const auto [answer, added] = returned_.try_emplace({call.value, later.value}, false);
    if (added)
        answer->second = compare(execution_.stacks[call.index()], execution_.stacks[later.index()]);
    return answer->second;
}

// The frame is there as long as its callers are, at the same places, and its function is what
// they call.
bool RecordedText::compare(const std::vector<model::CodePlace>& call,
                           const std::vector<model::CodePlace>& later) {
    if (!resolver_.is_whole(call) || !resolver_.is_whole(later)) return false;
    const std::size_t frame = resolver_.user_frame(call);
    const std::size_t callers = call.size() - frame - 1;
    if (frame >= call.size() || !resolver_.function(call[frame])) return false;
    if (later.size() <= callers) return true;
    if (!std::equal(
            call.rbegin(), call.rbegin() + static_cast<std::ptrdiff_t>(callers), later.rbegin()))
        return true;
    const auto other = resolver_.function(later[later.size() - callers - 1]);
    return other && other != resolver_.function(call[frame]);
}

bool RecordedText::is_older(const std::string& source, const target::Image& image) {
    const auto [known, added] = older_.try_emplace({source, image.path()}, false);
    if (!added) return known->second;
    std::error_code no_source;
    std::error_code no_image;
    const auto written = fs::last_write_time(source, no_source);
    const auto built = fs::last_write_time(image.path(), no_image);
    return known->second = !no_source && !no_image && written <= built;
}

}  // namespace mqinspect::commands
