/// The debugger's side of the mqs interface: the objects behind its handles and
/// the callback tables. Used in the helper process only; one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "include/mqs_extensions.h"
#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host {

/// Finds a type of the process with this index, or null: not there.
using FindType = std::function<std::unique_ptr<target::TypeLayout>(std::size_t process,
                                                                   const std::string& name)>;

/// The types of a set of files, looked up once however many processes have loaded
/// those files and wherever they lie.
class TypeTable {
public:
    TypeTable(std::size_t process, const FindType& find) : process_(process), find_(find) {}
    /// Null: not there. Stays valid as long as the table.
    mqs_type* find(const std::string& name);

private:
    std::size_t process_;
    const FindType& find_;
    std::unordered_map<std::string, std::unique_ptr<mqs_type_>> types_;
};

}  // namespace mqinspect::mqs_host

// The interface declares these in the global namespace.

struct mqs_type_ {
    mqinspect::target::TypeLayout layout;
};

/// A set of files at one place in memory. Processes share one only if all their
/// files lie at the same addresses: find_symbol takes an image, not a process.
struct mqs_image_ {
    const mqinspect::target::DebugSymbols* view = nullptr;
    mqinspect::mqs_host::TypeTable* types = nullptr;
    mqs_image_info* info = nullptr;
    bool is_set_up = false;
    /// Why it has no queues; empty if it has, or was not asked yet.
    std::string refusal;
};

struct mqs_job_;

struct mqs_process_ {
    mqinspect::mqs_host::HostedProcess target;
    mqs_image* image = nullptr;
    mqs_job_* job = nullptr;
    mqs_process_info* info = nullptr;
    /// Reads that the DLL asked for and that failed.
    std::size_t failed_reads = 0;
    /// What the DLL is told when it asks for the global rank: the number of the
    /// process, or its rank in its own MPI_COMM_WORLD.
    int global_rank = -1;
    bool is_set_up = false;
    /// Why it could not be set up; empty if it could, or was not tried yet.
    std::optional<mqinspect::Error> failure;
};

struct mqs_job_ {
    std::span<mqs_process_> processes;
    mqs_job_info* info = nullptr;
};

namespace mqinspect::mqs_host {

/// The job, its processes and their images, ready for a DLL.
class Handles {
public:
    Handles(std::span<const HostedProcess> processes, FindType find);

    mqs_job_& job() { return job_; }
    std::vector<mqs_process_>& processes() { return processes_; }
    const std::vector<std::unique_ptr<mqs_image_>>& images() const { return images_; }

private:
    FindType find_;
    mqs_job_ job_;
    std::vector<mqs_process_> processes_;
    std::vector<std::unique_ptr<mqs_image_>> images_;
    std::vector<std::unique_ptr<TypeTable>> tables_;
};

/// The tables, with the MPI-2 members: a DLL of the older level does not look at
/// them.
const mqs_basic_callbacks& basic_callbacks();
const mqs_image_callbacks& image_callbacks();
const mqs_process_callbacks& process_callbacks();
const mqs_job_callbacks& job_callbacks();

}  // namespace mqinspect::mqs_host
