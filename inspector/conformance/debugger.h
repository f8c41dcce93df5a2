/// A debugger that watches what the DLL does with its callbacks, and that can be a poor
/// one: without types, without memory, of the older level. Used in a helper process only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "include/mqs_extensions.h"
#include "inspector/conformance/debugged_job.h"
#include "inspector/conformance/journal.h"

namespace mqinspect::conformance {

/// In what the debugger differs from one that knows everything.
struct Conditions {
    /// Tables of the MPI-1 level that end where unmapped memory starts.
    bool short_tables = false;
    bool no_optional_callbacks = false;
    bool no_types = false;
    /// A type that is not known gets a handle without members and size; with no_types
    /// every type does.
    bool hollow_types = false;
    bool no_symbols = false;
    bool no_memory = false;
    bool ranks_unknown = false;
};

/// The objects behind the handles that the DLL gets.
struct DebuggedImage {
    std::size_t image = 0;
    mqs_image_info* info = nullptr;

    mqs_image* handle() { return reinterpret_cast<mqs_image*>(this); }
};

struct DebuggedProcess {
    std::size_t process = 0;
    DebuggedImage* image = nullptr;
    mqs_process_info* info = nullptr;
    /// Bytes that are read instead of those of the job, by address.
    std::map<std::uint64_t, std::byte> tampered;

    mqs_process* handle() { return reinterpret_cast<mqs_process*>(this); }
};

/// Only one may exist: the interface has no handle of the debugger.
class Debugger {
public:
    Debugger(const DebuggedJob& job, Journal& journal, const Conditions& conditions);
    ~Debugger();
    Debugger(const Debugger&) = delete;
    Debugger& operator=(const Debugger&) = delete;

    const mqs_basic_callbacks* basic_callbacks() const { return basic_; }
    const mqs_image_callbacks* image_callbacks() const { return image_; }
    const mqs_process_callbacks* process_callbacks() const { return process_; }
    const mqs_job_callbacks* job_callbacks() const { return &job_callbacks_; }
    mqs_job* job_handle() { return reinterpret_cast<mqs_job*>(this); }

    const DebuggedJob& job() const { return job_; }
    Journal& journal() { return journal_; }
    Conditions& conditions() { return conditions_; }
    /// For the processes that mqs_get_process finds.
    std::vector<DebuggedProcess*>& known_processes() { return known_processes_; }
    mqs_job_info*& job_info() { return job_info_; }

    /// Around a call of the function, which is named with what is found meanwhile.
    void enter(std::string_view function);
    void leave();
    std::string_view function() const { return function_; }

    /// Questions of the scenario itself, not of the DLL.
    std::uint64_t symbol(std::size_t image, const char* name) const;
    long offset(std::size_t image, const char* type, const char* field) const;
    bool read(const DebuggedProcess& process,
              std::uint64_t address,
              std::span<std::byte> destination) const;

    long reads() const { return reads_; }
    long type_questions() const { return type_questions_; }
    std::size_t live_blocks() const { return blocks_.size(); }
    std::size_t live_bytes() const { return live_bytes_; }
    std::size_t peak_bytes() const { return peak_bytes_; }
    /// The allocation after so many others fails, once.
    void fail_allocation_after(long allocations) { allocations_left_ = allocations; }
    /// Checks the guards around every block.
    void check_heap();

private:
    friend struct Callbacks;

    struct Block {
        std::size_t size = 0;
        std::unique_ptr<std::byte[]> room;
    };

    void* allocate(std::size_t size);
    void free(void* block);
    void check_guards(const Block& block);
    void make_tables();
    const target::TypeLayout* find_type(std::size_t image, const char* name);
    bool find_symbol(std::size_t image, const char* name, std::uint64_t& address);
    int fetch(DebuggedProcess& process, std::uint64_t address, int size, void* data);

    const DebuggedJob& job_;
    Journal& journal_;
    Conditions conditions_;
    std::vector<DebuggedProcess*> known_processes_;
    mqs_job_info* job_info_ = nullptr;
    const mqs_basic_callbacks* basic_ = nullptr;
    const mqs_image_callbacks* image_ = nullptr;
    const mqs_process_callbacks* process_ = nullptr;
    mqs_basic_callbacks whole_basic_{};
    mqs_image_callbacks whole_image_{};
    mqs_process_callbacks whole_process_{};
    mqs_job_callbacks job_callbacks_{};

    std::string_view function_;
    std::size_t own_heap_ = 0;        ///< bytes in use of the C library's heap at enter
    std::size_t callbacks_heap_ = 0;  ///< of them by callbacks since
    std::unordered_map<void*, Block> blocks_;
    std::size_t live_bytes_ = 0;
    std::size_t peak_bytes_ = 0;
    long allocations_left_ = -1;
    long reads_ = 0;
    long type_questions_ = 0;
};

}  // namespace mqinspect::conformance
