#include "inspector/conformance/debugger.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace mqinspect::conformance {

namespace {

Debugger* the_debugger = nullptr;

/// Before and behind each block of the DLL, and in it until the DLL writes.
constexpr std::size_t kGuardBytes = 32;
constexpr std::size_t kLargestBlock = std::size_t{1} << 36;
constexpr std::byte kGuard{0xfd};
constexpr std::byte kFresh{0xa5};
constexpr int kUnreadable = mqs_first_user_code;
constexpr int kMaxFetchBytes = 1 << 30;

/// A type that the debugger does not know, and yet has a handle for.
const target::TypeLayout kHollowType{};

std::size_t heap_in_use() {
    return mallinfo2().uordblks;
}

/// The end of a table that no byte may be read behind.
const void* at_the_end_of_memory(const void* table, std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* room =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) std::abort();
    auto* end = static_cast<std::byte*>(room) + page;
    mprotect(end, page, PROT_NONE);
    std::memcpy(end - size, table, size);
    return end - size;
}

DebuggedImage& of(mqs_image* image) {
    return *reinterpret_cast<DebuggedImage*>(image);
}
DebuggedProcess& of(mqs_process* process) {
    return *reinterpret_cast<DebuggedProcess*>(process);
}

std::string name_or_nothing(const char* name) {
    return name == nullptr ? std::string() : std::string(name);
}

}  // namespace

/// The functions of the tables. What they allocate themselves is not the DLL's.
struct Callbacks {
    class Inside {
    public:
        Inside() : before_(heap_in_use()) {}
        ~Inside() { the_debugger->callbacks_heap_ += heap_in_use() - before_; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        std::size_t before_;
    };

    static void* allocate(std::size_t size) {
        const Inside inside;
        return the_debugger->allocate(size);
    }
    static void free(void* block) {
        const Inside inside;
        the_debugger->free(block);
    }
    static void print(const char* /*text*/) {}
    static char* error_text(int /*code*/) {
        static char text[] = "error of the debugger";
        return text;
    }
    static void put_image_info(mqs_image* image, mqs_image_info* info) { of(image).info = info; }
    static mqs_image_info* image_info(mqs_image* image) {
        return image == nullptr ? nullptr : of(image).info;
    }
    static void put_process_info(mqs_process* process, mqs_process_info* info) {
        of(process).info = info;
    }
    static mqs_process_info* process_info(mqs_process* process) {
        return process == nullptr ? nullptr : of(process).info;
    }
    static void put_job_info(mqs_job* /*job*/, mqs_job_info* info) {
        the_debugger->job_info_ = info;
    }
    static mqs_job_info* job_info(mqs_job* /*job*/) { return the_debugger->job_info_; }
    static mqs_process* process_of(mqs_job* /*job*/, int identity) {
        for (DebuggedProcess* process : the_debugger->known_processes_) {
            if (the_debugger->job_.processes()[process->process].rank == identity) {
                return process->handle();
            }
        }
        return nullptr;
    }

    static void type_sizes(mqs_process* /*process*/, mqs_target_type_sizes* sizes) {
        *sizes = {sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(void*)};
    }
    static int find_symbol(mqs_image* image, char* name, mqs_taddr_t* address) {
        const Inside inside;
        std::uint64_t found = 0;
        if (!the_debugger->find_symbol(of(image).image, name, found)) return mqs_no_information;
        if (address != nullptr) *address = found;
        return mqs_ok;
    }
    static int find_function(mqs_image* image,
                             char* name,
                             mqs_lang_code /*language*/,
                             mqs_taddr_t* address) {
        return find_symbol(image, name, address);
    }
    static mqs_type* find_type(mqs_image* image, char* name, mqs_lang_code /*language*/) {
        const Inside inside;
        const target::TypeLayout* found = the_debugger->find_type(of(image).image, name);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a handle, never written
        auto* handle = const_cast<target::TypeLayout*>(found);
        return reinterpret_cast<mqs_type*>(handle);
    }
    static int field_offset(mqs_type* type, char* name) {
        if (type == nullptr || name == nullptr) return -1;
        const auto offset = reinterpret_cast<const target::TypeLayout*>(type)->offset_of(name);
        return std::in_range<int>(offset) ? static_cast<int>(offset) : -1;
    }
    static int size_of(mqs_type* type) {
        if (type == nullptr) return -1;
        const auto size = reinterpret_cast<const target::TypeLayout*>(type)->size;
        return size == 0 || !std::in_range<int>(size) ? -1 : static_cast<int>(size);
    }

    static int global_rank(mqs_process* process) {
        if (the_debugger->conditions_.ranks_unknown) return -1;
        return the_debugger->job_.processes()[of(process).process].rank;
    }
    static mqs_image* image_of(mqs_process* process) { return of(process).image->handle(); }
    static int fetch(mqs_process* process, mqs_taddr_t address, int size, void* data) {
        const Inside inside;
        return the_debugger->fetch(of(process), address, size, data);
    }
    static void target_to_host(mqs_process* /*process*/, const void* from, void* to, int size) {
        if (size > 0) std::memmove(to, from, static_cast<std::size_t>(size));
    }
    static mqs_job* job_of(mqs_process* /*process*/) { return the_debugger->job_handle(); }
    /// Takes a process, although every published header says mqs_job*.
    static int identity(mqs_job* process) {
        return global_rank(reinterpret_cast<mqs_process*>(process));
    }
};

Debugger::Debugger(const DebuggedJob& job, Journal& journal, const Conditions& conditions)
    : job_(job), journal_(journal), conditions_(conditions) {
    the_debugger = this;
    make_tables();
}

Debugger::~Debugger() {
    the_debugger = nullptr;
}

void Debugger::make_tables() {
    whole_basic_ = {.mqs_malloc_fp = Callbacks::allocate,
                    .mqs_free_fp = Callbacks::free,
                    .mqs_dprints_fp = Callbacks::print,
                    .mqs_errorstring_fp = Callbacks::error_text,
                    .mqs_put_image_info_fp = Callbacks::put_image_info,
                    .mqs_get_image_info_fp = Callbacks::image_info,
                    .mqs_put_process_info_fp = Callbacks::put_process_info,
                    .mqs_get_process_info_fp = Callbacks::process_info,
                    .mqs_put_job_info_fp = Callbacks::put_job_info,
                    .mqs_get_job_info_fp = Callbacks::job_info};
    whole_image_ = {.mqs_get_type_sizes_fp = Callbacks::type_sizes,
                    .mqs_find_function_fp = Callbacks::find_function,
                    .mqs_find_symbol_fp = Callbacks::find_symbol,
                    .mqs_find_type_fp = Callbacks::find_type,
                    .mqs_field_offset_fp = Callbacks::field_offset,
                    .mqs_sizeof_fp = Callbacks::size_of};
    whole_process_ = {.mqs_get_global_rank_fp = Callbacks::global_rank,
                      .mqs_get_image_fp = Callbacks::image_of,
                      .mqs_fetch_data_fp = Callbacks::fetch,
                      .mqs_target_to_host_fp = Callbacks::target_to_host,
                      .mqs_get_process_job_fp = Callbacks::job_of,
                      .mqs_get_process_identity_fp = Callbacks::identity};
    job_callbacks_ = {.mqs_get_process_fp = Callbacks::process_of};
    if (conditions_.no_optional_callbacks) {
        whole_basic_.mqs_dprints_fp = nullptr;
        whole_basic_.mqs_errorstring_fp = nullptr;
        whole_image_.mqs_sizeof_fp = nullptr;
    }
    basic_ = &whole_basic_;
    image_ = &whole_image_;
    process_ = &whole_process_;
    if (!conditions_.short_tables) return;
    // The levels differ by members at the end.
    basic_ = static_cast<const mqs_basic_callbacks*>(
        at_the_end_of_memory(basic_, offsetof(mqs_basic_callbacks, mqs_put_job_info_fp)));
    image_ = static_cast<const mqs_image_callbacks*>(at_the_end_of_memory(image_, sizeof *image_));
    process_ = static_cast<const mqs_process_callbacks*>(
        at_the_end_of_memory(process_, offsetof(mqs_process_callbacks, mqs_get_process_job_fp)));
}

void Debugger::enter(std::string_view function) {
    function_ = function;
    callbacks_heap_ = 0;
    own_heap_ = heap_in_use();
}

void Debugger::leave() {
    const std::size_t taken = heap_in_use() - own_heap_ - callbacks_heap_;
    if (taken != 0 && taken <= std::size_t{std::numeric_limits<int>::max()}) {
        journal_.violation(Rule::Allocation,
                           function_,
                           fmt::format("keeps {} bytes of the C library's heap", taken));
    }
}

void* Debugger::allocate(std::size_t size) {
    if (allocations_left_ >= 0 && allocations_left_-- == 0) return nullptr;
    if (size > kLargestBlock) return nullptr;
    Block block{size, std::make_unique<std::byte[]>(size + 2 * kGuardBytes)};
    std::byte* room = block.room.get();
    std::fill_n(room, size + 2 * kGuardBytes, kGuard);
    std::fill_n(room + kGuardBytes, size, kFresh);
    void* result = room + kGuardBytes;
    blocks_.emplace(result, std::move(block));
    live_bytes_ += size;
    peak_bytes_ = std::max(peak_bytes_, live_bytes_);
    return result;
}

void Debugger::free(void* block) {
    if (block == nullptr) return;
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) {
        journal_.violation(Rule::Heap, function_, "frees what mqs_malloc has not given, or twice");
        return;
    }
    check_guards(found->second);
    live_bytes_ -= found->second.size;
    blocks_.erase(found);
}

void Debugger::check_guards(const Block& block) {
    const std::byte* room = block.room.get();
    const auto is_guard = [](std::byte byte) { return byte == kGuard; };
    if (std::all_of(room, room + kGuardBytes, is_guard) &&
        std::all_of(
            room + kGuardBytes + block.size, room + 2 * kGuardBytes + block.size, is_guard)) {
        return;
    }
    journal_.violation(
        Rule::Heap, function_, fmt::format("writes outside of a block of {} bytes", block.size));
}

void Debugger::check_heap() {
    for (const auto& [address, block] : blocks_)
        check_guards(block);
}

bool Debugger::find_symbol(std::size_t image, const char* name, std::uint64_t& address) {
    if (name == nullptr) {
        journal_.violation(Rule::Functions, function_, "looks a symbol up without a name");
        return false;
    }
    if (conditions_.no_symbols) return false;
    journal_.asked_symbol(image, name);
    const auto answer = job_.find_symbol(image, name);
    if (!answer.recorded) journal_.unrecorded(fmt::format("the symbol {}", name));
    if (answer.value) address = *answer.value;
    return answer.value.has_value();
}

const target::TypeLayout* Debugger::find_type(std::size_t image, const char* name) {
    ++type_questions_;
    const target::TypeLayout* unknown = conditions_.hollow_types ? &kHollowType : nullptr;
    if (conditions_.no_types || name == nullptr) return unknown;
    journal_.asked_type(image, name);
    const auto answer = job_.find_type(image, name);
    if (!answer.recorded) journal_.unrecorded(fmt::format("the type {}", name_or_nothing(name)));
    return answer.value ? *answer.value : unknown;
}

int Debugger::fetch(DebuggedProcess& process, std::uint64_t address, int size, void* data) {
    ++reads_;
    if (address == 0) {
        journal_.violation(Rule::NullAddress, function_, "reads at address 0");
        return mqs_no_information;
    }
    if (size <= 0 || size > kMaxFetchBytes || data == nullptr) {
        journal_.violation(Rule::Unreadable, function_, fmt::format("reads {} bytes", size));
        return kUnreadable;
    }
    if (conditions_.no_memory) return kUnreadable;
    const auto bytes = static_cast<std::size_t>(size);
    if (address > std::numeric_limits<std::uint64_t>::max() - bytes) return kUnreadable;
    journal_.asked_memory(process.process, address, bytes);
    return read(process, address, {static_cast<std::byte*>(data), bytes}) ? int{mqs_ok}
                                                                          : kUnreadable;
}

bool Debugger::read(const DebuggedProcess& process,
                    std::uint64_t address,
                    std::span<std::byte> destination) const {
    const auto answer = job_.read(process.process, address, destination);
    if (!answer.recorded) {
        journal_.unrecorded(fmt::format("memory at {:#x}", address / kPageBytes * kPageBytes));
    }
    if (!answer.value) return false;
    const auto end = process.tampered.lower_bound(address + destination.size());
    for (auto byte = process.tampered.lower_bound(address); byte != end; ++byte)
        destination[byte->first - address] = byte->second;
    return true;
}

std::uint64_t Debugger::symbol(std::size_t image, const char* name) const {
    return job_.find_symbol(image, name).value.value_or(0);
}

long Debugger::offset(std::size_t image, const char* type, const char* field) const {
    const auto layout = job_.find_type(image, type).value;
    return layout ? (*layout)->offset_of(field) : -1;
}

}  // namespace mqinspect::conformance
