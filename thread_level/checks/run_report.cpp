#include "thread_level/checks/run_report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <climits>

#include "thread_level/checks/line.h"
#include "thread_level/checks/memory.h"
#include "thread_level/checks/message.h"

namespace mqinspect::thread_level::checks {
namespace {

enum class State { Unknown, Wanted, NotWanted };

constinit SpinLock lock;  // around all below
constinit std::atomic<State> state{State::Unknown};
constinit std::array<char, PATH_MAX> path{};

constexpr mode_t kDirectoryMode = 0777;
constexpr mode_t kFileMode = 0666;

void give_up(const char* what, const char* name) {
    const int error = errno;
    state = State::NotWanted;
    say(what, name, error);
}

/// With those that it is in.
bool make_directory(const char* directory) {
    std::array<char, PATH_MAX> part{};
    for (std::size_t i = 0; i < part.size() - 1; ++i) {
        const bool is_end = directory[i] == '\0';
        if ((directory[i] == '/' || is_end) && i > 0 && mkdir(part.data(), kDirectoryMode) != 0 &&
            errno != EEXIST && is_end)
            return false;
        if (is_end) return true;
        part[i] = directory[i];
    }
    errno = ENAMETOOLONG;
    return false;
}

void append(Line& line) {
    const int file = open(path.data(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kFileMode);
    if (file < 0) {
        give_up("cannot open", path.data());
        return;
    }
    if (!line.write_to(file)) give_up("cannot write", path.data());
    close(file);
}

/// The program may change its directory later: the path is absolute.
bool choose_path(const char* directory) {
    std::array<char, PATH_MAX> real{};
    if (!make_directory(directory) || realpath(directory, real.data()) == nullptr) return false;
    std::array<char, HOST_NAME_MAX + 1> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "host");
    const int size = std::snprintf(path.data(),
                                   path.size(),
                                   "%s/%s.%ld.run",
                                   real.data(),
                                   host.data(),
                                   static_cast<long>(getpid()));
    errno = ENAMETOOLONG;
    return size > 0 && static_cast<std::size_t>(size) < path.size();
}

void start() {
    const char* const directory = std::getenv("MPI_THREAD_LEVEL_REPORT");
    if (directory == nullptr || *directory == '\0') {
        state = State::NotWanted;
        return;
    }
    if (!choose_path(directory)) {
        give_up("no run report in", directory);
        return;
    }
    state = State::Wanted;
    Line line;
    line << "mpi-thread-level-run 1";
    append(line);
}

/// Whether there is a report; its lock is held then.
class Report {
public:
    Report() : error_(errno) {
        if (state.load(std::memory_order_acquire) == State::NotWanted) return;
        lock.lock();
        is_locked_ = true;
        if (state.load(std::memory_order_relaxed) == State::Unknown) start();
    }
    ~Report() {
        if (is_locked_) lock.unlock();
        errno = error_;
    }
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    explicit operator bool() const {
        return is_locked_ && state.load(std::memory_order_relaxed) == State::Wanted;
    }

private:
    int error_;  ///< the caller's errno stays what it was
    bool is_locked_ = false;
};

/// The run is in the report, even if it executes no site.
[[gnu::constructor]] void start_report() {
    const Report report;
}

}  // namespace

void report_number(const char* kind, int number) {
    const Report report;
    if (!report) return;
    Line line;
    line << kind << " " << static_cast<long>(number);
    append(line);
}

void report_site(Site& site) {
    if (site.is_announced.load(std::memory_order_acquire)) return;
    const Report report;
    if (site.is_announced.load(std::memory_order_relaxed)) return;
    if (report) {
        Line line;
        line << "site\t" << static_cast<long>(site.id) << "\t" << site.text;
        append(line);
    }
    site.is_announced.store(true, std::memory_order_release);
}

void report_context(const Site& site, int level) {
    const Report report;
    if (!report) return;
    Line line;
    line << "context\t" << static_cast<long>(site.id) << "\t" << static_cast<long>(level);
    append(line);
}

void report_pair(const char* kind, std::uint32_t low, std::uint32_t high) {
    const Report report;
    if (!report) return;
    Line line;
    line << "pair\t" << kind << "\t" << static_cast<long>(low) << "\t" << static_cast<long>(high);
    append(line);
}

void forget_report_after_fork() {
    lock.unlock();
    state = State::Unknown;
}

}  // namespace mqinspect::thread_level::checks
