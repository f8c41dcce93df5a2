#include "inspector/snapshot/thread_calls.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "inspector/target/library_headers.h"
#include "inspector/target/python_library.h"

namespace mqinspect::snapshot {

namespace {

/// Functions of the C library in which a thread waits for another thread of its
/// process (glibc 2.31 to 2.39 name them so).
constexpr std::array<std::string_view, 12> kThreadWaits = {"__futex_abstimed_wait_common",
                                                           "__futex_abstimed_wait_common64",
                                                           "__futex_abstimed_wait_cancelable64",
                                                           "futex_wait",
                                                           "__lll_lock_wait",
                                                           "__pthread_clockjoin_ex",
                                                           "pthread_cond_wait",
                                                           "__pthread_cond_wait",
                                                           "pthread_join",
                                                           "pthread_barrier_wait",
                                                           "do_futex_wait",
                                                           "sem_wait"};

/// OpenMP runtimes spin in their own code while they wait for work.
constexpr std::array<std::string_view, 3> kThreadRuntimes = {"libgomp.", "libomp.", "libiomp5."};

/// Functions of the C library in which a service thread of some library (a network
/// provider's event thread, say) waits for the outside.
constexpr std::array<std::string_view, 10> kEventWaits = {"epoll_wait",
                                                          "epoll_pwait",
                                                          "poll",
                                                          "__poll",
                                                          "ppoll",
                                                          "select",
                                                          "__select",
                                                          "pselect",
                                                          "accept",
                                                          "recvmsg"};

bool starts_with_any(std::string_view text, std::span<const std::string_view> prefixes) {
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

/// Ranks that return to the same place on the same stack are in the same call.
std::uint64_t identity_of(const target::UnwoundStack& stack, const CallSite& site) {
    const target::UnwoundFrame& frame = stack.frames[site.user_frame - 1];
    std::uint64_t identity = frame.cfa.value_or(0);
    if (site.user_frame < stack.frames.size()) {
        identity = identity * 31 + target::to_integer(stack.frames[site.user_frame].pc);
    }
    return identity;
}

std::uint64_t identity_of(const target::PythonStack& stack) {
    std::uint64_t identity = 0;
    for (const target::PythonStack::Frame& frame : stack.frames) {
        identity = identity * 31 + std::hash<std::string>{}(frame.location.file);
        identity = identity * 31 + static_cast<std::uint64_t>(frame.location.line);
    }
    return identity;
}

/// Where the program itself is, not what comes with Python; null: it executes none.
const target::PythonStack::Frame* user_frame(const target::PythonStack& stack) {
    const auto of_user = [](const target::PythonStack::Frame& frame) {
        return !target::is_python_library(frame.location.file);
    };
    const auto found = std::ranges::find_if(stack.frames, of_user);
    if (found != stack.frames.end()) return &*found;
    return stack.frames.empty() ? nullptr : stack.frames.data();
}

}  // namespace

const model::Frame& ActivityReader::describe(const target::ProcessView& view,
                                             const target::UnwoundFrame& frame) {
    const target::Address address = lookup_address(frame);
    const target::Module* module = view.module_at(address);
    const Place place = module != nullptr ? Place{module->image, module->linked(address)}
                                          : Place{nullptr, target::to_integer(address)};
    const auto [entry, is_new] = frames_.try_emplace(place);
    if (!is_new) return entry->second;
    if (module != nullptr && sites_.is_mpi_library(*module) && module != &view.modules().front()) {
        // Lines inside the library cost much to find and tell the user nothing.
        const auto symbol = module->image->function_at(module->linked(address));
        if (symbol) entry->second.function = symbol->name;
        entry->second.image = module->image->path();
    } else {
        entry->second = view.describe(frame.pc, frame.is_return_address);
    }
    return entry->second;
}

std::vector<model::Frame> ActivityReader::describe(const target::ProcessView& view,
                                                   const target::UnwoundStack& stack) {
    std::vector<model::Frame> frames;
    frames.reserve(stack.frames.size());
    for (const target::UnwoundFrame& frame : stack.frames) {
        frames.push_back(describe(view, frame));
        frames.back().pc = target::to_integer(frame.pc);
    }
    return frames;
}

Doing doing_in(const CallSite& call) {
    return call.function.call_class == model::CallClass::Local ? Doing::Polling : Doing::Waiting;
}

Doing doing_outside_calls(const model::Frame& innermost, bool is_main, bool in_library) {
    if (std::ranges::find(kThreadWaits, innermost.function) != kThreadWaits.end() ||
        (!is_main && std::ranges::find(kEventWaits, innermost.function) != kEventWaits.end()) ||
        starts_with_any(file_name(innermost.image), kThreadRuntimes)) {
        return Doing::Idle;
    }
    // A thread that the library runs for itself, such as its progress thread.
    return in_library ? Doing::Library : Doing::Running;
}

RankDoing doing_of_rank(std::span<const Doing> threads, bool main_calls) {
    const auto count = [&](Doing doing) { return std::ranges::count(threads, doing); };
    RankDoing rank;
    rank.blocked =
        count(Doing::Waiting) > 0 && count(Doing::Running) == 0 && count(Doing::Polling) == 0;
    if (!main_calls && rank.blocked) {
        const auto waiting = std::ranges::find(threads, Doing::Waiting);
        rank.reported = static_cast<std::size_t>(waiting - threads.begin());
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (i != rank.reported && threads[i] == Doing::Waiting) rank.also_waiting.push_back(i);
    }
    return rank;
}

Doing ActivityReader::classify(const target::ProcessView& view, const Thread& thread) {
    if (thread.call) return doing_in(thread.call->site);
    if (thread.stack.frames.empty()) return Doing::Running;
    const auto in_library = [&](const target::UnwoundFrame& frame) {
        const target::Module* module = view.module_at(lookup_address(frame));
        return module != nullptr && module != &view.modules().front() &&
               sites_.is_mpi_library(*module);
    };
    return doing_outside_calls(describe(view, thread.stack.frames.front()),
                               thread.is_main,
                               std::ranges::any_of(thread.stack.frames, in_library));
}

ActivityReader::Thread ActivityReader::read_thread(const target::ProcessView& view,
                                                   const target::Memory& memory,
                                                   const target::CapturedThread& captured) {
    const target::CapturedMemory at_stop(captured, memory);
    Thread thread;
    thread.python = &captured.python;
    thread.stack = target::unwind(view, captured, at_stop);
    if (const auto site = sites_.find(view, thread.stack.frames)) {
        thread.call = read_call(view, thread.stack, at_stop, *site);
    }
    thread.is_main = captured.tid == view.pid();
    return thread;
}

/// Outside of headers that the program's own code only includes.
model::SourceLocation ActivityReader::native_location(const target::ProcessView& view,
                                                      const Thread& thread) {
    const std::span frames = std::span{thread.stack.frames};
    const std::size_t first = std::min(thread.call->site.user_frame, frames.size());
    for (const target::UnwoundFrame& frame : frames.subspan(first)) {
        const model::SourceLocation& location = describe(view, frame).location;
        if (!target::is_library_header(location.file)) return location;
        const target::Address address = lookup_address(frame);
        const target::Module* const module = view.module_at(address);
        if (module == nullptr) continue;
        if (auto outside = target::outside_library_headers(*module->image, module->linked(address)))
            return std::move(*outside);
    }
    return {};
}

model::SourceLocation ActivityReader::user_location(const target::ProcessView& view,
                                                    const Thread& thread) {
    const model::SourceLocation location = native_location(view, thread);
    const target::PythonStack::Frame* const script = user_frame(*thread.python);
    return location.line <= 0 && script != nullptr ? script->location : location;
}

RankActivity ActivityReader::read(const target::ProcessView& view,
                                  const target::Memory& memory,
                                  const CapturedRank& captured) {
    std::vector<Thread> threads;
    threads.reserve(captured.threads.size());
    for (const target::CapturedThread& thread : captured.threads) {
        threads.push_back(read_thread(view, memory, thread));
    }

    RankActivity activity;
    if (threads.empty()) return activity;
    std::vector<Doing> doings;
    doings.reserve(threads.size());
    for (const Thread& thread : threads)
        doings.push_back(classify(view, thread));
    const RankDoing rank = doing_of_rank(doings, threads.front().call.has_value());
    activity.blocked = rank.blocked;
    activity.thread = rank.reported;
    Thread* reported = &threads[rank.reported];
    activity.stack = target::merge_python(describe(view, reported->stack), *reported->python);
    activity.problem = reported->stack.problem;
    if (!reported->call) return activity;

    activity.location = user_location(view, *reported);
    activity.call_identity =
        identity_of(reported->stack, reported->call->site) + identity_of(*reported->python);
    for (const std::size_t i : rank.also_waiting) {
        activity.more_locations.push_back(user_location(view, threads[i]));
        activity.more_calls.push_back(std::move(*threads[i].call));
    }
    activity.call = std::move(reported->call);
    return activity;
}

}  // namespace mqinspect::snapshot
