#include "tests/support/stub_debugger.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>

namespace mqinspect::test {
namespace {

struct Heap {
    std::unordered_map<void*, std::size_t> blocks;
    std::size_t bytes = 0;
    std::size_t peak = 0;
    std::size_t until_failure = SIZE_MAX;
    bool failed = false;
};
Heap* heap = nullptr;

void* stub_malloc(std::size_t size) {
    if (heap->until_failure != SIZE_MAX && heap->until_failure-- == 0) {
        heap->until_failure = SIZE_MAX;
        heap->failed = true;
        return nullptr;
    }
    void* block = std::malloc(size);
    // What the DLL does not set must not look as if it had.
    std::memset(block, 0xa5, size);
    heap->blocks.emplace(block, size);
    heap->bytes += size;
    heap->peak = std::max(heap->peak, heap->bytes);
    return block;
}

void stub_free(void* block) {
    const auto found = heap->blocks.find(block);
    if (found == heap->blocks.end()) std::abort();  // freed twice, or never allocated
    heap->bytes -= found->second;
    heap->blocks.erase(found);
    std::free(block);
}

StubTarget& of(mqs_image* image) {
    return *reinterpret_cast<StubTarget*>(image);
}
StubTarget& of(mqs_process* process) {
    return *reinterpret_cast<StubTarget*>(process);
}

void put_image_info(mqs_image* image, mqs_image_info* info) {
    of(image).image_info = info;
}
mqs_image_info* image_info_of(mqs_image* image) {
    return image == nullptr ? nullptr : of(image).image_info;
}
void put_process_info(mqs_process* process, mqs_process_info* info) {
    of(process).process_info = info;
}
mqs_process_info* process_info_of(mqs_process* process) {
    return of(process).process_info;
}

void put_job_info(mqs_job* job, mqs_job_info* info) {
    reinterpret_cast<StubJob*>(job)->info = info;
}
mqs_job_info* job_info_of(mqs_job* job) {
    return reinterpret_cast<StubJob*>(job)->info;
}
mqs_job* job_of(mqs_process* process) {
    StubJob* job = of(process).job;
    return job == nullptr ? nullptr : job->job();
}

void type_sizes(mqs_process* process, mqs_target_type_sizes* sizes) {
    *sizes = {2, 4, of(process).pointer_size, 8, of(process).pointer_size};
}

int find_symbol(mqs_image* image, char* name, mqs_taddr_t* address) {
    ++of(image).symbol_lookups;
    const auto found = of(image).symbols.find(std::string_view(name));
    if (found == of(image).symbols.end()) return of(image).unknown_symbol;
    if (address != nullptr) *address = found->second;
    return mqs_ok;
}

int find_function(mqs_image* image, char* name, mqs_lang_code, mqs_taddr_t* address) {
    return find_symbol(image, name, address);
}

mqs_type* find_type(mqs_image* image, char* name, mqs_lang_code) {
    StubTarget& target = of(image);
    const auto found = target.types.find(std::string_view(name));
    if (found != target.types.end()) return reinterpret_cast<mqs_type*>(&found->second);
    return target.invents_types ? reinterpret_cast<mqs_type*>(&target.no_fields) : nullptr;
}

int field_offset(mqs_type* type, char* field) {
    const auto& fields = reinterpret_cast<StubType*>(type)->fields;
    const auto found = fields.find(std::string_view(field));
    return found == fields.end() ? -1 : found->second;
}

int size_of(mqs_type* type) {
    return reinterpret_cast<StubType*>(type)->size;
}

int global_rank(mqs_process*) {
    return -1;
}

mqs_image* image_of(mqs_process* process) {
    return of(process).image_is_missing ? nullptr : of(process).image();
}

int fetch_data(mqs_process* process, mqs_taddr_t address, int size, void* to) {
    ++of(process).reads;
    if (size < 0) return mqs_no_information;
    return of(process).memory->read(address, static_cast<std::size_t>(size), to)
               ? static_cast<int>(mqs_ok)
               : mqs_no_information;
}

void target_to_host(mqs_process* process, const void* from, void* to, int size) {
    const auto* first = static_cast<const unsigned char*>(from);
    auto* result = static_cast<unsigned char*>(to);
    std::copy(first, first + size, result);
    if (of(process).reverses_bytes) std::reverse(result, result + size);
}

const mqs_basic_callbacks kBasic = {
    stub_malloc,
    stub_free,
    nullptr,
    nullptr,
    put_image_info,
    image_info_of,
    put_process_info,
    process_info_of,
    put_job_info,
    job_info_of,
};

SeenQueue look_at_queue(StubTarget& target, int queue) {
    SeenQueue seen;
    seen.setup = mqs_setup_operation_iterator(target.process(), queue);
    if (seen.setup != mqs_ok) return seen;
    mqs_pending_operation operation;
    while ((seen.end = mqs_next_operation(target.process(), &operation)) == mqs_ok) {
        mqs_operation_details details{};
        details.struct_size = sizeof details;
        if (mqs_get_operation_details(target.process(), &details) != mqs_ok) {
            throw std::logic_error("no details of an operation");
        }
        seen.operations.push_back(operation);
        seen.details.push_back(details);
    }
    return seen;
}

SeenCommunicator look_at_communicator(StubTarget& target) {
    SeenCommunicator seen;
    seen.details.struct_size = sizeof seen.details;
    if (mqs_get_communicator(target.process(), &seen.communicator) != mqs_ok ||
        mqs_get_comm_details(target.process(), &seen.details) != mqs_ok) {
        throw std::logic_error("the current communicator cannot be had");
    }
    seen.group.resize(static_cast<std::size_t>(seen.communicator.size));
    if (mqs_get_comm_group(target.process(), seen.group.data()) != mqs_ok) seen.group.clear();
    seen.remote_group.resize(static_cast<std::size_t>(seen.details.remote_size));
    if (mqs_get_comm_remote_group(target.process(), seen.remote_group.data()) != mqs_ok) {
        seen.remote_group.clear();
    }
    for (int i = mqs_comm_barrier; i <= mqs_comm_scatterv; ++i) {
        int count = 0;
        int active = 0;
        if (mqs_get_comm_coll_state(target.process(), i, &count, &active) == mqs_ok) {
            seen.active_classes.push_back(i);
        }
    }
    seen.sends = look_at_queue(target, mqs_pending_sends);
    seen.receives = look_at_queue(target, mqs_pending_receives);
    seen.messages = look_at_queue(target, mqs_unexpected_messages);
    seen.collectives = look_at_queue(target, mqs_pending_collectives);
    return seen;
}

}  // namespace

StubDebugger::StubDebugger() {
    heap = new Heap;
    image_callbacks_ = {type_sizes, find_function, find_symbol, find_type, field_offset, size_of};
    process_callbacks_ = {global_rank, image_of, fetch_data, target_to_host, job_of, nullptr};
    mqs_setup_basic_callbacks(&kBasic);
}

StubDebugger::~StubDebugger() {
    mqs_setup_basic_callbacks(nullptr);
    delete heap;
    heap = nullptr;
}

std::size_t StubDebugger::blocks() const {
    return heap->blocks.size();
}
std::size_t StubDebugger::peak_bytes() const {
    return heap->peak;
}
void StubDebugger::fail_allocation_after(std::size_t allocations) {
    heap->until_failure = allocations;
    heap->failed = false;
}
bool StubDebugger::allocation_failed() const {
    return heap->failed;
}

int StubDebugger::set_up(StubTarget& target) {
    int result = mqs_setup_image(target.image(), &image_callbacks_);
    if (result != mqs_ok) return result;
    char* message = nullptr;
    result = mqs_image_has_queues(target.image(), &message);
    if (result != mqs_ok) return result;
    result = mqs_setup_process(target.process(), &process_callbacks_);
    if (result != mqs_ok) return result;
    return mqs_process_has_queues(target.process(), &message);
}

const mqs_basic_callbacks& StubDebugger::basic_callbacks() {
    return kBasic;
}

int StubDebugger::set_up(StubJob& job) {
    return mqs_setup_job(job.job(), nullptr);
}

void StubDebugger::tear_down(StubJob& job) {
    if (job.info != nullptr) mqs_destroy_job_info(job.info);
    job.info = nullptr;
}

void StubDebugger::tear_down(StubTarget& target) {
    if (target.process_info != nullptr) mqs_destroy_process_info(target.process_info);
    if (target.image_info != nullptr) mqs_destroy_image_info(target.image_info);
    target.process_info = nullptr;
    target.image_info = nullptr;
}

const SeenCommunicator& SeenQueues::named(const std::string& name) const {
    for (const SeenCommunicator& seen : communicators) {
        if (name == seen.communicator.name) return seen;
    }
    throw std::logic_error("no communicator " + name);
}

std::vector<SeenWindow> look_at_windows(StubTarget& target, int& end) {
    std::vector<SeenWindow> seen;
    end = mqs_setup_window_iterator(target.process());
    while (end == mqs_ok) {
        SeenWindow current;
        current.window.struct_size = sizeof current.window;
        end = mqs_next_window(target.process(), &current.window);
        if (end != mqs_ok) break;
        mqs_window_peer peer{};
        peer.struct_size = sizeof peer;
        while (mqs_next_window_peer(target.process(), &peer) == mqs_ok)
            current.peers.push_back(peer);
        seen.push_back(current);
    }
    return seen;
}

SeenQueues look(StubTarget& target) {
    SeenQueues seen;
    seen.world_rank = mqs_get_global_rank(target.process());
    seen.update = mqs_update_communicator_list(target.process());
    seen.end = mqs_setup_communicator_iterator(target.process());
    while (seen.end == mqs_ok) {
        seen.communicators.push_back(look_at_communicator(target));
        seen.end = mqs_next_communicator(target.process());
    }
    seen.windows = look_at_windows(target, seen.windows_end);
    return seen;
}

}  // namespace mqinspect::test
