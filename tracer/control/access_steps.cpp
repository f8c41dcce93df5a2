#include "tracer/control/access_steps.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <utility>

#include "tracer/control/instruction.h"
#include "tracer/kept_errno.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

namespace {

constexpr greg_t kTrapFlag = 0x100;
constexpr std::int64_t kMillisecond = 1'000'000;
/// Behind one return, and of the whole run unless the user wants all guards.
constexpr std::int64_t kMostEach = 5 * kMillisecond;
constexpr std::int64_t kMostInAll = 100 * kMillisecond;
/// Of the dynamic linker, which looks up what is called for the first time; in addition.
constexpr std::int64_t kMostOfLinker = 25 * kMillisecond;
constexpr std::int64_t kMostIfWanted = 10'000 * kMillisecond;
/// Of one interval, that are told: a loop would be at the same place for ever.
constexpr std::size_t kMostTold = 16;

struct CodeRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

/// Returning: still in the recorder. Ending: the trap behind the last instruction may yet come.
enum class State { Off, Returning, Stepping, Ending };

thread_local constinit State state [[gnu::tls_model("initial-exec")]] = State::Off;

// Of the first thread.
CodeRange own_code;
CodeRange linker_code;
std::array<GuardedRange, kMostGuarded> guarded;
std::size_t guarded_count = 0;
std::int64_t started = 0;
std::int64_t of_linker = 0;  ///< since `started`
std::int64_t last_step = 0;
std::int64_t spent = 0;
bool gave_up = false;
std::array<TouchAt, kMostTold> told;
std::size_t told_count = 0;
/// Of these, by instructions that have been executed; and handed on by next_touch().
std::size_t told_executed = 0;
std::size_t told_handed_on = 0;

/// Of the processor's: a program may sleep between its looks at something.
std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

int find_code(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = object->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
        const std::uint64_t begin = object->dlpi_addr + header.p_vaddr;
        const CodeRange code{begin, begin + header.p_memsz};
        if (code.contains(reinterpret_cast<std::uint64_t>(&find_code))) own_code = code;
        if (object->dlpi_addr == getauxval(AT_BASE)) linker_code = code;
    }
    return 0;
}

bool blocks_traps() {
    sigset_t blocked;
    return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0 ||
           sigismember(&blocked, SIGTRAP) != 0;
}

/// The words below the stack pointer may be in use by the function that this becomes a part of.
void set_trap_flag() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n\t"
        "pushfq\n\t"
        "orq %0, (%%rsp)\n\t"
        "popfq\n\t"
        "lea 128(%%rsp), %%rsp"
        :
        : "i"(kTrapFlag)
        : "memory", "cc");
}

/// It goes through without a change of what a step depends on.
bool is_harmless(long system_call) {
    switch (system_call) {
        case SYS_read:
        case SYS_write:
        case SYS_writev:
        case SYS_openat:
        case SYS_close:
        case SYS_lseek:
        case SYS_fstat:
        case SYS_newfstatat:
        case SYS_ioctl:
        case SYS_mmap:
        case SYS_munmap:
        case SYS_mprotect:
        case SYS_mremap:
        case SYS_madvise:
        case SYS_brk:
        case SYS_futex:
        case SYS_getpid:
        case SYS_gettid:
        case SYS_getrandom:
        case SYS_nanosleep:
        case SYS_clock_nanosleep:
        case SYS_clock_gettime:
        case SYS_gettimeofday:
        case SYS_sched_yield:
            return true;
        default:
            return false;
    }
}

/// Of loads also the second time: a program that waits for what is put by loading it does so.
bool is_told(const Touch& touch) {
    const auto end = told.begin() + static_cast<std::ptrdiff_t>(told_count);
    const auto before = std::count_if(told.begin(), end, [&](const TouchAt& at) {
        return at.touch.address == touch.address && at.touch.kind == touch.kind;
    });
    return before >= (touch.kind == Touch::Kind::Load ? 2 : 1);
}

void note_access(const Access& access, std::uint64_t instruction) {
    const std::uint64_t end = access.address + access.bytes;
    for (std::size_t i = 0; i < guarded_count && told_count < told.size(); ++i) {
        const GuardedRange& range = guarded[i];
        const std::uint64_t range_end = range.begin + range.bytes;
        if (access.address >= range_end || end <= range.begin) continue;
        if (!access.stores && !range.loads) continue;
        const bool inside = access.address >= range.begin && end <= range_end;
        const bool perhaps_not = !access.stores || access.partial;
        if (perhaps_not && access.bytes > kLargestWord && !inside) continue;
        Touch touch;
        touch.address = std::max(access.address, range.begin);
        touch.bytes = std::min(end, range_end) - touch.address;
        touch.kind = access.stores ? Touch::Kind::Store : Touch::Kind::Load;
        if (!is_told(touch)) told[told_count++] = {touch, instruction};
    }
}

/// What the next instruction will do; false: it must not be stepped through.
bool look_ahead(const ucontext_t& context) {
    Instruction instruction;
    if (!decode(context, instruction)) return false;
    if (instruction.is_system_call && !is_harmless(context.uc_mcontext.gregs[REG_RAX]))
        return false;
    const auto place = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    for (std::size_t i = 0; i < instruction.count; ++i)
        note_access(instruction.accesses[i], place);
    return true;
}

std::int64_t most_in_all() {
    return recorder.options().guards == Guards::All ? kMostIfWanted : kMostInAll;
}

/// False: no further step.
bool goes_on(const ucontext_t& context) {
    if (state == State::Ending) return false;
    const auto place = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    if (own_code.contains(place)) return state == State::Returning;
    state = State::Stepping;
    if (told_count == told.size()) return false;
    const std::int64_t now = now_ns();
    const std::int64_t step = now - std::exchange(last_step, now);
    // What the linker uses is its own.
    const bool links = linker_code.contains(place);
    if (links) of_linker += step;
    const std::int64_t each = now - started;
    if (each - of_linker > kMostEach || of_linker > kMostOfLinker || spent + each > most_in_all())
        return false;
    return links || look_ahead(context);
}

}  // namespace

bool can_step() {
    const KeptErrno kept;
    if (own_code.end == 0) dl_iterate_phdr(find_code, nullptr);
    return can_decode();
}

bool are_steps_due(const GuardedRange* ranges, std::size_t count) {
    // What is stored is seen by comparing, in general.
    const bool any_unseen = std::any_of(ranges, ranges + count, [](const GuardedRange& range) {
        return range.loads || !range.compared;
    });
    const bool wanted = any_unseen || (count != 0 && recorder.options().guards == Guards::All);
    return wanted && spent <= most_in_all() && can_step() && !blocks_traps();
}

void start_steps(const GuardedRange* ranges, std::size_t count) {
    const KeptErrno kept;
    guarded_count = std::min(count, guarded.size());
    std::copy_n(ranges, guarded_count, guarded.begin());
    told_count = told_executed = told_handed_on = 0;
    started = last_step = now_ns();
    of_linker = 0;
    state = State::Returning;
    set_trap_flag();
}

void end_steps() {
    if (state == State::Returning || state == State::Stepping) state = State::Ending;
}

bool take_step(ucontext_t& context) {
    if (state == State::Off) return false;
    told_executed = told_count;
    gave_up = false;
    if (!goes_on(context)) {
        gave_up = state != State::Ending;
        context.uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
        spent += now_ns() - started;
        state = State::Off;
    }
    return true;
}

bool gave_up_steps() {
    return gave_up;
}

bool next_touch(TouchAt& touch) {
    if (told_handed_on == told_executed) return false;
    touch = told[told_handed_on++];
    return true;
}

}  // namespace mqinspect::tracer
