#include "tracer/call.h"

#include "tracer/control/errors.h"

namespace mqinspect::tracer {

namespace {

/// Addresses; pages only as far as they are used.
constexpr std::size_t kScratchBytes = std::size_t{64} << 20U;
constexpr std::size_t kAlignment = 16;

List no_elements;

}  // namespace

void* Call::scratch(std::size_t bytes) {
    if (thread_->scratch == nullptr) {
        thread_->scratch = static_cast<std::uint8_t*>(map_pages(kScratchBytes));
        if (thread_->scratch == nullptr) return nullptr;
    }
    bytes = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    if (bytes > kScratchBytes - thread_->scratch_used) return nullptr;
    void* result = thread_->scratch + thread_->scratch_used;
    thread_->scratch_used += bytes;
    return result;
}

/// Those of the tool information interface have error codes of their own.
void Call::failed(int code) {
    constexpr std::string_view tools = "MPI_T_";
    if (std::string_view(site_->procedure->name).starts_with(tools)) return;
    error_returned(code);
}

List* Call::list(std::size_t capacity) {
    auto* list = static_cast<List*>(scratch(sizeof(List) + capacity * sizeof(std::int64_t)));
    if (list == nullptr) return &no_elements;
    *list = {0, reinterpret_cast<std::int64_t*>(list + 1)};
    return list;
}

}  // namespace mqinspect::tracer
