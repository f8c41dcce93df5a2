#include "analysis/replay/player.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::ProcessId;
using model::RecordedCall;
using model::Role;

namespace {

/// How long a process may go on before it is the turn of the others.
constexpr int kCallsPerTurn = 256;
/// Calls that are kept for threads that are blocked, of one process.
constexpr std::size_t kMostKept = 8192;
/// After so many times a call site that has to be let through is let through at once.
constexpr std::uint32_t kPassedOften = 64;
constexpr ThreadIndex kNoThread = ~ThreadIndex{0};

}  // namespace

Player::Player(const model::Recording& recording,
               const std::vector<CallKind>& kinds,
               Members& members,
               MatchVisitor* visitor)
    : recording_(recording),
      execution_(recording.execution()),
      kinds_(kinds),
      matcher_(recording, kinds, members, visitor),
      processes_(execution_.processes.size()) {
    matcher_.track_waits();
    const auto shared = execution_.constants.find("MPI_LOCK_SHARED");
    // Not known: as if all were shared, which makes nobody wait.
    locks_known_ = shared != execution_.constants.end();
    if (locks_known_) shared_lock_ = shared->second;
    for (const model::RecordedProcess& process : execution_.processes) {
        const auto world = static_cast<std::size_t>(std::max(process.world, 0));
        if (world >= world_size_.size()) world_size_.resize(world + 1);
        ++world_size_[world];
        Process& played = processes_[process.id.index()];
        played.stream = recording_.calls(process.id);
        played.threaded = process.threads_may_call();
        thread_of(process.id, 0);
        make_ready(process.id);
    }
    in_finalize_.resize(world_size_.size());
}

void Player::make_ready(ProcessId id) {
    Process& process = processes_[id.index()];
    if (process.ready || process.ended) return;
    process.ready = true;
    ready_.push_back(id);
}

void Player::run() {
    while (!ready_.empty() && !out_of_limit()) {
        const ProcessId process = ready_.front();
        ready_.pop_front();
        processes_[process.index()].ready = false;
        play(process);
    }
}

void Player::play(ProcessId id) {
    Process& process = processes_[id.index()];
    RecordedCall call;
    for (int calls = 0; calls < kCallsPerTurn; ++calls) {
        if (process.kept_calls > 0 && play_kept(id)) continue;
        if (!process.threaded && threads_[process.threads[0]].blocked) return;
        if (process.read || process.kept_calls >= kMostKept) return;
        if (!process.stream->next(call)) {
            process.read = true;
            process.stream.reset();
            process.ended = process.kept_calls == 0;
            block_pollers(id);
            return;
        }
        const ThreadIndex thread = thread_of(id, call.thread);
        process.threaded = process.threaded || process.threads.size() > 1;
        if (kinds_[call.procedure.index()].action == Action::None) {
            ++played_;  // nothing comes of it, now or later
            if (see_) see_(call);
            continue;
        }
        const Turn turn = process.threaded ? draw_turn(process, call) : Turn{};
        if (threads_[thread].blocked || is_behind(process, thread) ||
            !has_turn(process, thread, call, turn)) {
            keep(process, thread, call, turn);
        } else {
            play_turn(process, thread, call, turn);
        }
    }
    make_ready(id);
}

// True: there was one whose thread can go on.
bool Player::play_kept(ProcessId id) {
    Process& process = processes_[id.index()];
    for (auto& [thread, calls] : process.kept) {
        if (calls.empty() || threads_[thread].blocked) continue;
        if (!has_turn(process, thread, calls.front().call, calls.front().turn)) continue;
        const KeptCall kept = std::move(calls.front());
        calls.pop_front();
        --process.kept_calls;
        process.ended = process.read && process.kept_calls == 0;
        play_turn(process, thread, kept.call, kept.turn);
        return true;
    }
    return false;
}

Player::Turn Player::draw_turn(Process& process, const RecordedCall& call) const {
    const CallKind& kind = kinds_[call.procedure.index()];
    if (kind.action != Action::Collective || kind.space == WaveSpace::Group) return {};
    const Role role = kind.space == WaveSpace::Window ? Role::Window
                      : kind.space == WaveSpace::File ? Role::File
                                                      : Role::Communicator;
    const model::Value* handle =
        model::value_of(execution_.procedures[call.procedure.index()], call.before, role);
    if (handle == nullptr || handle->number < 0) return {};
    const std::uint64_t place =
        static_cast<std::uint64_t>(role) << 56U | static_cast<std::uint64_t>(handle->number);
    return {place, process.turns[place].read++};
}

bool Player::is_behind(const Process& process, ThreadIndex thread) {
    const auto kept = process.kept.find(thread);
    return kept != process.kept.end() && !kept->second.empty();
}

bool Player::has_turn(const Process& process,
                      ThreadIndex thread,
                      const RecordedCall& call,
                      const Turn& turn) const {
    // It comes when all threads are done.
    if (kinds_[call.procedure.index()].action == Action::Finalize) {
        return std::ranges::none_of(process.threads, [&](ThreadIndex other) {
            return other != thread && (threads_[other].blocked || is_behind(process, other));
        });
    }
    if (turn.place == Turn{}.place) return true;
    const auto turns = process.turns.find(turn.place);
    return turns != process.turns.end() && turns->second.played == turn.number;
}

void Player::play_turn(Process& process,
                       ThreadIndex thread,
                       const RecordedCall& call,
                       const Turn& turn) {
    if (turn.place != Turn{}.place) ++process.turns[turn.place].played;
    play_call(thread, call);
}

ThreadIndex Player::thread_of(ProcessId id, int number) {
    Process& process = processes_[id.index()];
    for (const ThreadIndex thread : process.threads)
        if (threads_[thread].number == number) return thread;
    // The first call tells the number of the thread that was there from the start.
    if (process.threads.size() == 1 && threads_[process.threads[0]].number < 0) {
        threads_[process.threads[0]].number = number;
        return process.threads[0];
    }
    const auto thread = static_cast<ThreadIndex>(threads_.size());
    PlayedThread added;
    added.process = id;
    added.number = process.threads.empty() ? -1 : number;
    threads_.push_back(std::move(added));
    process.threads.push_back(thread);
    return thread;
}

void Player::keep(Process& process,
                  ThreadIndex thread,
                  const RecordedCall& call,
                  const Turn& turn) {
    KeptCall kept;
    kept.call = call;
    kept.turn = turn;
    const auto copy = [&](std::span<const model::Value> values, std::vector<model::Value>& into) {
        into.assign(values.begin(), values.end());
        for (model::Value& value : into) {
            if (value.list.empty()) continue;
            kept.lists.emplace_back(value.list.begin(), value.list.end());
            value.list = kept.lists.back();
        }
    };
    copy(call.before, kept.before);
    copy(call.after, kept.after);
    kept.call.before = kept.before;
    kept.call.after = kept.after;
    process.kept[thread].push_back(std::move(kept));
    ++process.kept_calls;
}

void Player::play_call(ThreadIndex thread, const RecordedCall& call) {
    ++played_;
    if (see_) see_(call);
    const CallKind& kind = kinds_[call.procedure.index()];
    if (kind.action == Action::None) return;
    matcher_.feed(call);
    threads_[thread].polls.note(execution_.procedures[call.procedure.index()], kind, call);
    const Matcher::Waits& waits = matcher_.waits();
    const std::size_t conditions = waits.operations.size() + waits.waves.size();
    if (conditions > 0 || waits.probe || waits.not_ready) {
        block(thread, call, kind);
    } else if (kind.action == Action::Finalize) {
        block_in_finalize(thread, call);
    } else if (kind.action >= Action::WindowPost) {
        block_at_window(thread, call, kind);
    }
    if (matcher_.has_woken()) wake_others();
}

void Player::block(ThreadIndex index, const RecordedCall& call, const CallKind& kind) {
    const Matcher::Waits& waits = matcher_.waits();
    // A communicator may be given back without waiting for the others (MPI 4.0, 7.4.3).
    if (kind.name == "Comm_free" || (waits.any && waits.satisfied)) return;
    PlayedThread& thread = threads_[index];
    if (waits.probe && matcher_.has_message(call.process, waits)) return;
    if (call.leave_event) {
        const auto passed = passed_.find({call.procedure.value, call.stack.value});
        if (passed != passed_.end() && passed->second >= kPassedOften) return;
    }
    thread.head = event_site_of(call);
    thread.action = kind.action;
    stand(index, waits);
}

void Player::stand(ThreadIndex index, const Matcher::Waits& waits) {
    PlayedThread& thread = threads_[index];
    thread.blocked = true;
    thread.waits = waits;
    thread.window = {};
    thread.pending = static_cast<std::uint32_t>(waits.operations.size() + waits.waves.size());
    if (waits.any || thread.pending == 0) thread.pending = 1;
    for (const OperationIndex operation : waits.operations)
        matcher_.operation(operation).waiter = index;
    for (const WaveIndex wave : waits.waves)
        matcher_.wave(wave).waiters.push_back(index);
    if (waits.probe) probing_.push_back(index);
}

// A process that was killed while it asked for the same things all the time.
void Player::block_pollers(ProcessId id) {
    if (execution_.processes[id.index()].termination.kind != model::Termination::Kind::Killed)
        return;
    const Process& process = processes_[id.index()];
    if (process.threads.size() != 1 || !process.ended) return;
    const ThreadIndex index = process.threads[0];
    PlayedThread& thread = threads_[index];
    if (thread.blocked || !thread.polls.waiting()) return;
    if (thread.polls.window() != model::kNullHandle) return block_at_test(index);
    matcher_.await_any(id, thread.polls.requests());
    Matcher::Waits waits = matcher_.waits();
    const Polls::Probe& probe = thread.polls.probe();
    if (probe.communicator != model::kNullHandle) {
        if (!matcher_.probe(id, probe.communicator, probe.source, probe.tag, waits)) return;
        if (matcher_.has_message(id, waits)) return;
    } else if (waits.satisfied || waits.operations.size() + waits.waves.size() == 0) {
        return;
    }
    thread.head = thread.polls.last();
    thread.head.returned = false;
    thread.action = Action::Complete;
    stand(index, waits);
}

void Player::block_in_finalize(ThreadIndex index, const RecordedCall& call) {
    const auto world =
        static_cast<std::size_t>(std::max(execution_.processes[call.process.index()].world, 0));
    PlayedThread& thread = threads_[index];
    thread.head = event_site_of(call);
    thread.action = Action::Finalize;
    thread.waits.clear();
    thread.window = {};
    thread.pending = 1;
    if (++in_finalize_[world] < world_size_[world]) {
        thread.blocked = true;
        return;
    }
    for (ThreadIndex other = 0; other < threads_.size(); ++other) {
        const PlayedThread& waiting = threads_[other];
        const int its_world = execution_.processes[waiting.process.index()].world;
        if (waiting.blocked && waiting.action == Action::Finalize &&
            its_world == static_cast<int>(world)) {
            wake(other);
        }
    }
}

void Player::wake(ThreadIndex index) {
    PlayedThread& thread = threads_[index];
    if (!thread.blocked || thread.pending == 0) return;
    if (--thread.pending > 0) return;
    thread.blocked = false;
    if (thread.waits.any) leave_waits(index);
    make_ready(thread.process);
}

// Operations of other calls may have the same places by now: those have another waiter.
void Player::leave_waits(ThreadIndex index) {
    for (const OperationIndex operation : threads_[index].waits.operations) {
        if (matcher_.operation(operation).waiter == index) {
            matcher_.operation(operation).waiter = kNoThread;
        }
    }
    for (const WaveIndex wave : threads_[index].waits.waves)
        std::erase(matcher_.wave(wave).waiters, index);
}

bool Player::waits_for(ThreadIndex index, OperationIndex operation) {
    const Operation& awaited = matcher_.operation(operation);
    return awaited.waiter == index && !awaited.matched;
}

bool Player::waits_for_wave(ThreadIndex index, WaveIndex wave) {
    const PlayedThread& thread = threads_[index];
    if (thread.waits.waves.size() == 1 && thread.waits.operations.empty()) return true;
    const std::vector<std::uint32_t>& waiters = matcher_.wave(wave).waiters;
    return std::find(waiters.begin(), waiters.end(), index) != waiters.end();
}

void Player::wake_others() {
    matcher_.take_woken(woken_);
    for (const std::uint32_t waiter : woken_)
        wake(waiter);
    matcher_.take_unexpected(unexpected_);
    if (probing_.empty()) return;
    for (const ProcessId process : unexpected_) {
        for (std::size_t at = 0; at < probing_.size();) {
            const PlayedThread& thread = threads_[probing_[at]];
            const bool seen = thread.process == process &&
                              (!thread.blocked || matcher_.has_message(process, thread.waits));
            if (!seen) {
                ++at;
                continue;
            }
            const ThreadIndex waiter = probing_[at];
            probing_[at] = probing_.back();
            probing_.pop_back();
            wake(waiter);
        }
    }
}

void Player::pass(ThreadIndex index) {
    PlayedThread& thread = threads_[index];
    leave_waits(index);
    std::erase(probing_, index);
    if (std::erase(at_windows_, index) > 0) leave_window(index, true);
    ++passed_[{thread.head.procedure.value, thread.head.stack.value}];
    thread.pending = 1;
    thread.waits.clear();
    wake(index);
}

std::vector<ProcessId> Player::not_in_finalize(ProcessId process) const {
    std::vector<ProcessId> result;
    const int world = execution_.processes[process.index()].world;
    for (const model::RecordedProcess& other : execution_.processes)
        if (other.world == world && !matcher_.finalizing(other.id)) result.push_back(other.id);
    return result;
}

}  // namespace mqinspect::analysis
