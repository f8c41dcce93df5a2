#include "tracer/world_key.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mqinspect::tracer {

namespace {

constexpr int kGenerations = 8;

void add_to_hash(std::uint64_t& hash, const char* text) {
    for (; *text != '\0'; ++text)
        hash = (hash ^ static_cast<std::uint8_t>(*text)) * 0x100'0000'01b3ULL;
    hash = (hash ^ 0xffU) * 0x100'0000'01b3ULL;
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

/// Hydra starts the processes of a world through proxies, one for each node, whose command line
/// names the launcher's port and the number of the world (process group) in it.
bool add_hydra(std::uint64_t& hash) {
    char line[8192];
    pid_t pid = getppid();
    for (int i = 0; i < kGenerations && pid > 1; ++i, pid = parent_of(pid)) {
        const std::size_t bytes = read_proc(pid, "cmdline", line, sizeof line);
        const char* port = argument(line, bytes, "--control-port");
        const char* group = argument(line, bytes, "--pgid");
        if (port == nullptr || group == nullptr) continue;
        add_to_hash(hash, port);
        add_to_hash(hash, group);
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

std::uint64_t find_world_key() {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
    // PMIx (Open MPI, recent Slurm) has a name for each world, and Slurm numbers for each step.
    if (add_variable(hash, "PMIX_NAMESPACE") || add_hydra(hash)) return hash;
    if (add_variable(hash, "SLURM_JOB_ID") && add_variable(hash, "SLURM_STEP_ID")) return hash;
    if (getenv("PMI_RANK") != nullptr) {
        char line[8192];
        read_proc(getppid(), "stat", line, sizeof line);
        add_to_hash(hash, line);
        return hash;
    }
    char own[4096];
    read_proc(getpid(), "stat", own, sizeof own);
    add_to_hash(hash, own);
    return hash;
}

}  // namespace mqinspect::tracer
