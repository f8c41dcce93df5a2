#include "tracer/world_key.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

namespace {

constexpr int kGenerations = 8;

void add_to_hash(std::uint64_t& hash, const char* text) {
    hash = hash_text(hash_text(hash, text), "\xff");
}

/// A file below /proc/PID; its size.
std::size_t read_proc(pid_t pid, const char* name, char* buffer, std::size_t bytes) {
    buffer[0] = '\0';
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE* file = fopen(path, "re");
    if (file == nullptr) return 0;
    const std::size_t length = fread(buffer, 1, bytes - 1, file);
    fclose(file);
    buffer[length] = '\0';
    return length;
}

pid_t parent_of(pid_t pid) {
    char status[2048];
    read_proc(pid, "status", status, sizeof status);
    const char* line = std::strstr(status, "\nPPid:");
    return line == nullptr ? 0
                           : static_cast<pid_t>(strtol(line + std::strlen("\nPPid:"), nullptr, 10));
}

/// The process and when it was started: its number alone is used again.
void add_process(std::uint64_t& hash, pid_t pid) {
    char line[2048];
    read_proc(pid, "stat", line, sizeof line);
    // Behind the name, which may hold anything: the state, and 18 numbers before the start.
    char* word = std::strrchr(line, ')');
    char* rest = nullptr;
    char* field = word == nullptr ? nullptr : strtok_r(word + 1, " ", &rest);
    for (int i = 0; i < 19 && field != nullptr; ++i)
        field = strtok_r(nullptr, " ", &rest);
    char text[64];
    snprintf(text, sizeof text, "%d %s", pid, field == nullptr ? "" : field);
    add_to_hash(hash, text);
}

/// The word behind an option, in a command line of words that end with a NUL each.
const char* argument(const char* line, std::size_t bytes, const char* option) {
    const char* const end = line + bytes;
    while (line < end) {
        const char* next = line + std::strlen(line) + 1;
        if (std::strcmp(line, option) == 0) return next < end ? next : nullptr;
        line = next;
    }
    return nullptr;
}

/// FNV-1a.
constexpr std::uint64_t kEmptyHash = 0xcbf2'9ce4'8422'2325ULL;

/// Hydra starts the processes of a world through proxies, one for each node, whose command line
/// names the launcher's port and the number of the world (process group) in it.
bool add_hydra(WorldKeys& keys) {
    char line[8192];
    pid_t pid = getppid();
    for (int i = 0; i < kGenerations && pid > 1; ++i, pid = parent_of(pid)) {
        const std::size_t bytes = read_proc(pid, "cmdline", line, sizeof line);
        const char* port = argument(line, bytes, "--control-port");
        const char* group = argument(line, bytes, "--pgid");
        if (port == nullptr || group == nullptr) continue;
        add_to_hash(keys.world, port);
        add_to_hash(keys.world, group);
        // Each world has a port of its own; the proxies on its host are the launcher's children.
        add_process(keys.job, parent_of(pid));
        return true;
    }
    return false;
}

bool add_variable(std::uint64_t& hash, const char* name) {
    const char* value = getenv(name);
    if (value == nullptr) return false;
    add_to_hash(hash, value);
    return true;
}

}  // namespace

WorldKeys find_world_keys() {
    WorldKeys keys{kEmptyHash, kEmptyHash};
    std::uint64_t& hash = keys.world;
    // PMIx (Open MPI, recent Slurm) has a name for each world, and Slurm numbers for each step.
    if (getenv("PMIX_NAMESPACE") == nullptr && add_hydra(keys)) return keys;
    keys.job = 0;
    if (add_variable(hash, "PMIX_NAMESPACE")) return keys;
    if (add_variable(hash, "SLURM_JOB_ID") && add_variable(hash, "SLURM_STEP_ID")) return keys;
    add_process(hash, getenv("PMI_RANK") != nullptr ? getppid() : getpid());
    return keys;
}

}  // namespace mqinspect::tracer
