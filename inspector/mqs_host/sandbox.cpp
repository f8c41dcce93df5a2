#include "inspector/mqs_host/sandbox.h"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

#include <fmt/format.h>

namespace mqinspect::mqs_host {

namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

/// Of memory, signals and time of the process itself, and reading.
constexpr std::array kHarmless{
    // Memory and threads' own affairs.
    SCMP_SYS(brk),
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(membarrier),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // Who and when it is.
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getcwd),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(times),
    SCMP_SYS(getcpu),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    // Files and other processes, for reading.
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(lseek),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(process_vm_readv),
    // What is open already.
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
};

constexpr std::array kBlocking{
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(pause),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
};

/// Adds rules and remembers the first that failed.
class Rules {
public:
    explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}

    void allow(std::span<const int> calls) {
        for (const int call : calls)
            allow(call);
    }
    void allow(int call, std::initializer_list<scmp_arg_cmp> conditions = {}) {
        const int result = seccomp_rule_add_array(filter_,
                                                  SCMP_ACT_ALLOW,
                                                  call,
                                                  static_cast<unsigned>(conditions.size()),
                                                  std::data(conditions));
        if (result < 0 && error_ == 0) error_ = result;
    }
    /// Zero or a negative errno.
    int error() const { return error_; }

private:
    scmp_filter_ctx filter_;
    int error_ = 0;
};

scmp_arg_cmp argument_is(unsigned argument, std::uint64_t value) {
    return {argument, SCMP_CMP_EQ, value, 0};
}

scmp_arg_cmp argument_lacks(unsigned argument, std::uint64_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}

void allow_with_conditions(Rules& rules) {
    constexpr std::uint64_t writes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    rules.allow(SCMP_SYS(open), {argument_lacks(1, writes)});
    rules.allow(SCMP_SYS(openat), {argument_lacks(2, writes)});
    // Not F_SETOWN and F_SETSIG, which send signals to others.
    for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL})
        rules.allow(SCMP_SYS(fcntl), {argument_is(1, static_cast<std::uint64_t>(command))});
    rules.allow(SCMP_SYS(ioctl), {argument_is(1, TCGETS)});
    rules.allow(SCMP_SYS(prlimit64), {argument_is(2, 0)});
    // raise(3) and abort(3).
    const auto self = static_cast<std::uint64_t>(getpid());
    rules.allow(SCMP_SYS(tgkill), {argument_is(0, self)});
    rules.allow(SCMP_SYS(kill), {argument_is(0, self)});
}

Error failure(int code) {
    return Error{
        ErrorCode::System,
        fmt::format("the sandbox of the debugger DLL cannot be set up: {}", std::strerror(-code))};
}

}  // namespace

Result<Done> enter_sandbox(const SandboxOptions& options) {
    const std::uint32_t forbidden =
        options.forbidden == Forbidden::Fails ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_TRAP;
    const Filter filter(seccomp_init(forbidden), seccomp_release);
    if (!filter) return failure(-ENOMEM);
    Rules rules(filter.get());
    rules.allow(kHarmless);
    if (options.may_block) rules.allow(kBlocking);
    allow_with_conditions(rules);
    if (rules.error() != 0) return failure(rules.error());
    // The tree of rules is faster than a list: most calls read memory.
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
    const int loaded = seccomp_load(filter.get());
    if (loaded < 0) return failure(loaded);
    return Done{};
}

std::string system_call_name(int number) {
    const std::unique_ptr<char, decltype(&std::free)> name(
        seccomp_syscall_resolve_num_arch(seccomp_arch_native(), number), std::free);
    return name ? std::string(name.get()) : fmt::format("system call {}", number);
}

}  // namespace mqinspect::mqs_host
