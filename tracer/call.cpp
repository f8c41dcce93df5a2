#include "tracer/call.h"

#include <mpi.h>

#include "tracer/control/errors.h"
#include "tracer/control/heap_blocks.h"

namespace mqinspect::tracer {

namespace {

/// Addresses; pages only as far as they are used.
constexpr std::size_t kScratchBytes = std::size_t{64} << 20U;

List no_elements;

/// What a call that has failed gives back.
std::int64_t nothing_of(model::ParameterKind kind) {
    if (is_list(kind))
        return static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(&no_elements));
    return is_handle(kind) ? model::kNullHandle : 0;
}

}  // namespace

Site* Call::find_in_script(Thread& thread, Place place) {
    place.key ^= python_place();
    return thread.sites.find(recorder.definitions(), place);
}

/// A signal handler that calls MPI may have interrupted the writing of a record.
Thread* Call::thread_to_record() {
    Thread* thread = recorder.thread();
    if (thread != nullptr && !thread->log.busy()) return thread;
    pending_is_incomplete();
    forget_memory();
    return nullptr;
}

/// Mapped when it is first asked for.
bool Call::have_scratch(Thread& thread, std::size_t bytes) {
    if (thread.scratch != nullptr) return false;
    thread.scratch = static_cast<std::uint8_t*>(map_pages(kScratchBytes));
    if (thread.scratch == nullptr) return false;
    thread.scratch_bytes = kScratchBytes;
    return bytes <= kScratchBytes;
}

List* Call::no_list() {
    return &no_elements;
}

bool Call::write_early_enter(Thread& thread,
                             Site& site,
                             const std::int64_t* values,
                             std::uint64_t stack_pointer) {
    look_at_pieces(thread, site);
    look_at_heap(thread, site, values);
    const bool entered = thread.log.enter(site, ticks_now(), values, stack_pointer);
    look_at_blocks(thread);
    return entered;
}

/// Those of the tool information interface have error codes of their own.
void Call::failed(Site& site, int code) {
    constexpr std::string_view tools = "MPI_T_";
    if (std::string_view(site.procedure->name).starts_with(tools)) return;
    error_returned(site, code);
}

void Call::end_left_calls(Thread& thread, std::uint64_t stack_pointer) {
    if (!thread.sites.is_on_stack(stack_pointer)) return;
    constexpr std::size_t most_values = 64;
    while (const Site* site = thread.log.left_behind(stack_pointer)) {
        const Procedure& procedure = *site->procedure;
        std::int64_t values[most_values] = {MPI_ERR_OTHER};
        std::size_t next = 1;
        for (std::size_t i = 0; i < procedure.parameter_count && next < most_values; ++i) {
            const Parameter& parameter = procedure.parameters[i];
            if (parameter.direction == model::Direction::In) continue;
            values[next++] = nothing_of(parameter.kind);
        }
        thread.pending.send.kind = thread.pending.receive.kind = pending::Kind::None;
        call_over(thread);
        thread.log.leave(ticks_now(), values);
    }
    if (!thread.log.has_open_calls()) thread.scratch_used = 0;
}

}  // namespace mqinspect::tracer
