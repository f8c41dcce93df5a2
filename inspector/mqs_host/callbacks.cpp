#include "inspector/mqs_host/callbacks.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace mqinspect::mqs_host {

namespace {

/// What callbacks of ours return, beside the codes of the interface.
constexpr int kUnreadable = mqs_first_user_code;

/// A DLL asks for structures and arrays; nothing in an MPI library is this big.
constexpr int kMaxFetchBytes = 1 << 30;

/// What a DLL forgets to fill in must not look like an answer: as a number it is -1,
/// which is no rank and no size.
void* allocate(std::size_t bytes) {
    void* block = std::malloc(bytes);
    if (block != nullptr) std::memset(block, 0xFF, bytes);
    return block;
}

void print(const char* text) {
    if (text == nullptr) return;
    // Standard error of the helper is a pipe; nobody can act on its failure.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

char* error_text(int code) {
    // The interface has char*, and a DLL may write; a constant would be a crash.
    static char unreadable[] = "memory of the process cannot be read";
    static char no_information[] = "no information";
    static char unknown[] = "unknown error of the debugger";
    if (code == kUnreadable) return unreadable;
    return code == mqs_no_information ? no_information : unknown;
}

void put_image_info(mqs_image* image, mqs_image_info* info) {
    image->info = info;
}
mqs_image_info* image_info(mqs_image* image) {
    return image->info;
}
void put_process_info(mqs_process* process, mqs_process_info* info) {
    process->info = info;
}
mqs_process_info* process_info(mqs_process* process) {
    return process->info;
}
void put_job_info(mqs_job* job, mqs_job_info* info) {
    job->info = info;
}
mqs_job_info* job_info(mqs_job* job) {
    return job->info;
}

void type_sizes(mqs_process* /*process*/, mqs_target_type_sizes* sizes) {
    *sizes = {sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(void*)};
}

int find_symbol(mqs_image* image, char* name, mqs_taddr_t* address) {
    if (name == nullptr) return mqs_no_information;
    const auto found = image->view->find_symbol(name);
    if (!found) return mqs_no_information;
    if (address != nullptr) *address = target::to_integer(*found);
    return mqs_ok;
}

int find_function(mqs_image* image, char* name, mqs_lang_code /*language*/, mqs_taddr_t* address) {
    return find_symbol(image, name, address);
}

mqs_type* find_type(mqs_image* image, char* name, mqs_lang_code /*language*/) {
    return name == nullptr ? nullptr : image->types->find(name);
}

int field_offset(mqs_type* type, char* name) {
    if (type == nullptr || name == nullptr) return -1;
    const auto offset = type->layout.offset_of(name);
    return std::in_range<int>(offset) ? static_cast<int>(offset) : -1;
}

int size_of(mqs_type* type) {
    if (type == nullptr || !std::in_range<int>(type->layout.size)) return -1;
    return static_cast<int>(type->layout.size);
}

int global_rank(mqs_process* process) {
    return process->global_rank;
}

mqs_image* image_of(mqs_process* process) {
    return process->image;
}

int fetch_data(mqs_process* process, mqs_taddr_t address, int size, void* data) {
    if (address == 0) return mqs_no_information;
    if (size <= 0 || size > kMaxFetchBytes || data == nullptr) return kUnreadable;
    if (address > std::numeric_limits<mqs_taddr_t>::max() - static_cast<unsigned>(size)) {
        return kUnreadable;
    }
    const std::span destination{static_cast<std::byte*>(data), static_cast<std::size_t>(size)};
    const auto read = process->target.memory->read(target::Address{address}, destination);
    if (read) return mqs_ok;
    ++process->failed_reads;
    return kUnreadable;
}

void target_to_host(mqs_process* /*process*/, const void* from, void* to, int size) {
    if (size > 0) std::memmove(to, from, static_cast<std::size_t>(size));
}

mqs_job* job_of(mqs_process* process) {
    return process->job;
}

/// Takes a process, although every published header says mqs_job*.
int process_identity(mqs_job* process) {
    return reinterpret_cast<mqs_process*>(process)->target.rank.value;
}

mqs_process* process_of(mqs_job* job, int identity) {
    const auto found = std::ranges::find_if(job->processes, [identity](const mqs_process_& p) {
        return p.target.rank.value == identity;
    });
    return found == job->processes.end() ? nullptr : &*found;
}

}  // namespace

mqs_type* TypeTable::find(const std::string& name) {
    const auto [entry, is_new] = types_.try_emplace(name);
    if (is_new) {
        if (auto layout = find_(process_, name)) {
            entry->second = std::make_unique<mqs_type_>(mqs_type_{std::move(*layout)});
        }
    }
    return entry->second.get();
}

Handles::Handles(std::span<const HostedProcess> processes, FindType find)
    : find_(std::move(find)), processes_(processes.size()) {
    using Files = std::vector<const void*>;
    std::map<Files, TypeTable*> tables;
    std::map<target::DebugSymbols::LoadedFiles, mqs_image_*> images;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        // Newer kernels put each file where it fits best: their addresses are in no order.
        auto loaded = processes[i].view->loaded_files();
        std::ranges::sort(loaded);
        Files files;
        for (const auto& [file, bias] : loaded)
            files.push_back(file);
        TypeTable*& table = tables[std::move(files)];
        if (table == nullptr) {
            table = tables_.emplace_back(std::make_unique<TypeTable>(i, find_)).get();
        }
        mqs_image_*& image = images[std::move(loaded)];
        if (image == nullptr) {
            image = images_.emplace_back(std::make_unique<mqs_image_>()).get();
            image->view = processes[i].view;
            image->types = table;
        }
        processes_[i].target = processes[i];
        processes_[i].image = image;
        processes_[i].job = &job_;
        processes_[i].global_rank = processes[i].rank.value;
    }
    job_.processes = processes_;
}

const mqs_basic_callbacks& basic_callbacks() {
    static const mqs_basic_callbacks callbacks{.mqs_malloc_fp = allocate,
                                               .mqs_free_fp = std::free,
                                               .mqs_dprints_fp = print,
                                               .mqs_errorstring_fp = error_text,
                                               .mqs_put_image_info_fp = put_image_info,
                                               .mqs_get_image_info_fp = image_info,
                                               .mqs_put_process_info_fp = put_process_info,
                                               .mqs_get_process_info_fp = process_info,
                                               .mqs_put_job_info_fp = put_job_info,
                                               .mqs_get_job_info_fp = job_info};
    return callbacks;
}

const mqs_image_callbacks& image_callbacks() {
    static const mqs_image_callbacks callbacks{.mqs_get_type_sizes_fp = type_sizes,
                                               .mqs_find_function_fp = find_function,
                                               .mqs_find_symbol_fp = find_symbol,
                                               .mqs_find_type_fp = find_type,
                                               .mqs_field_offset_fp = field_offset,
                                               .mqs_sizeof_fp = size_of};
    return callbacks;
}

const mqs_process_callbacks& process_callbacks() {
    static const mqs_process_callbacks callbacks{.mqs_get_global_rank_fp = global_rank,
                                                 .mqs_get_image_fp = image_of,
                                                 .mqs_fetch_data_fp = fetch_data,
                                                 .mqs_target_to_host_fp = target_to_host,
                                                 .mqs_get_process_job_fp = job_of,
                                                 .mqs_get_process_identity_fp = process_identity};
    return callbacks;
}

const mqs_job_callbacks& job_callbacks() {
    static const mqs_job_callbacks callbacks{.mqs_get_process_fp = process_of};
    return callbacks;
}

}  // namespace mqinspect::mqs_host
