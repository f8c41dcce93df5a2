/// Plays a recorded run under strict rules: a send returns once its receive is posted, a
/// collective call once all members have come.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/pairing/matcher.h"
#include "analysis/replay/polls.h"
#include "analysis/replay/windows.h"

namespace mqinspect::analysis {

using ThreadIndex = std::uint32_t;

/// A thread of a process, at its place in the play.
struct PlayedThread {
    model::ProcessId process;
    int number = 0;
    bool blocked = false;
    // Of the call in which it is blocked:
    EventSite head;
    Action action = Action::None;
    Matcher::Waits waits;
    WindowWait window;
    std::uint32_t pending = 0;  ///< how many of these must still come
    Polls polls;
};

/// With fixed matches the result does not depend on the order in which processes are played
/// (they are monotone), so that one pass decides whether this matching can get stuck. Calls that
/// are never reached are never read: memory grows with what is open.
class Player {
public:
    /// Keeps references. `visitor` may be null.
    Player(const model::Recording& recording,
           const std::vector<CallKind>& kinds,
           Members& members,
           MatchVisitor* visitor = nullptr);

    Matcher& matcher() { return matcher_; }
    /// `see` is told each call before it is played. Calls that do not concern other processes may
    /// be told too early where a process has several threads.
    void watch(std::function<void(const model::RecordedCall&)> see) { see_ = std::move(see); }
    /// Plays until nobody can go on.
    void run();
    /// The calls that have been played.
    std::uint64_t played() const { return played_; }
    /// No more than so many: run() returns early after them.
    void limit(std::uint64_t calls) { limit_ = calls; }
    bool out_of_limit() const { return played_ >= limit_; }

    const std::vector<PlayedThread>& threads() const { return threads_; }
    std::span<const ThreadIndex> threads_of(model::ProcessId process) const {
        return processes_[process.index()].threads;
    }
    /// All of its calls have been played.
    bool ended(model::ProcessId process) const { return processes_[process.index()].ended; }
    /// Of a process with several threads: no call of a thread that could go on is unread.
    bool all_seen(model::ProcessId process) const {
        const Process& played = processes_[process.index()];
        return played.read || !played.threaded;
    }
    bool finalizing(model::ProcessId process) const { return matcher_.finalizing(process); }
    /// Whom a call in MPI_Finalize waits for.
    std::vector<model::ProcessId> not_in_finalize(model::ProcessId process) const;
    /// Whom a blocked thread waits for at a window.
    std::vector<model::ProcessId> window_targets(const PlayedThread& thread) const {
        return windows_.missing(thread.process, thread.window);
    }
    /// Of a thread that waits for MPI_Win_post, or for MPI_Win_complete: groups that do not fit.
    std::optional<Windows::Mismatch> wrong_groups(const PlayedThread& thread) const;
    /// After Matcher::match_unresolved: lets those go on who waited for what it matched.
    void wake_others();
    /// Of those in PlayedThread::waits: it has not come yet. Precondition: the thread is blocked.
    bool waits_for(ThreadIndex thread, OperationIndex operation);
    bool waits_for_wave(ThreadIndex thread, WaveIndex wave);
    /// The thread goes on as it did in the run. Precondition: it is blocked, and its call
    /// returned.
    void pass(ThreadIndex thread);

private:
    /// Threads call collective operations of one communicator, window or file in the order that
    /// the program gives them (MPI 4.0, 11.6.2): that of the run.
    struct Turn {
        std::uint64_t place = ~std::uint64_t{0};  ///< where it is collective; all ones: it is not
        std::uint64_t number = 0;                 ///< of the process's calls there
    };
    /// A call that was read while its thread could not go on.
    struct KeptCall {
        model::RecordedCall call;
        Turn turn;
        std::vector<model::Value> before;
        std::vector<model::Value> after;
        std::vector<std::vector<std::int64_t>> lists;
    };
    struct Process {
        std::unique_ptr<model::CallStream> stream;
        std::vector<ThreadIndex> threads;
        std::map<ThreadIndex, std::deque<KeptCall>> kept;
        std::size_t kept_calls = 0;
        struct Turns {
            std::uint64_t read = 0;
            std::uint64_t played = 0;
        };
        std::map<std::uint64_t, Turns> turns;  ///< by place
        bool threaded = false;                 ///< several threads may call MPI
        bool read = false;                     ///< the stream is at its end
        bool ended = false;                    ///< and nothing is kept
        bool ready = false;                    ///< in ready_
    };

    void make_ready(model::ProcessId process);
    void play(model::ProcessId process);
    bool play_kept(model::ProcessId process);
    ThreadIndex thread_of(model::ProcessId process, int number);
    /// Calls of its are kept.
    static bool is_behind(const Process& process, ThreadIndex thread);
    Turn draw_turn(Process& process, const model::RecordedCall& call) const;
    bool has_turn(const Process& process,
                  ThreadIndex thread,
                  const model::RecordedCall& call,
                  const Turn& turn) const;
    void play_turn(Process& process,
                   ThreadIndex thread,
                   const model::RecordedCall& call,
                   const Turn& turn);
    static void keep(Process& process,
                     ThreadIndex thread,
                     const model::RecordedCall& call,
                     const Turn& turn);
    void play_call(ThreadIndex thread, const model::RecordedCall& call);
    void block(ThreadIndex thread, const model::RecordedCall& call, const CallKind& kind);
    void stand(ThreadIndex thread, const Matcher::Waits& waits);
    void block_pollers(model::ProcessId process);
    /// One that asks with MPI_Win_test.
    void block_at_test(ThreadIndex thread);
    void stand_at_window(ThreadIndex thread, WindowWait wait);
    void block_in_finalize(ThreadIndex thread, const model::RecordedCall& call);
    void block_at_window(ThreadIndex thread, const model::RecordedCall& call, const CallKind& kind);
    std::vector<model::ProcessId> lock_targets(const model::RecordedCall& call,
                                               std::int64_t window) const;
    WindowWait lock_or_unlock(const model::RecordedCall& call,
                              const CallKind& kind,
                              std::int64_t window);
    void unlock(model::ProcessId process,
                std::int64_t window,
                const std::vector<model::ProcessId>& targets);
    void leave_window(ThreadIndex thread, bool passed);
    void wake(ThreadIndex thread);
    void leave_waits(ThreadIndex thread);
    void wake_windows();
    bool begins_no_epoch(model::ProcessId process) const;

    const model::Recording& recording_;
    const model::Execution& execution_;
    const std::vector<CallKind>& kinds_;
    Matcher matcher_;
    Windows windows_;
    std::vector<PlayedThread> threads_;
    std::vector<Process> processes_;
    std::deque<model::ProcessId> ready_;
    std::vector<int> in_finalize_;  ///< by world
    std::vector<int> world_size_;   ///< by world
    std::vector<ThreadIndex> probing_;
    std::vector<std::uint32_t> woken_;          ///< for wake_others
    std::vector<model::ProcessId> unexpected_;  ///< the same
    std::vector<ThreadIndex> at_windows_;
    std::map<std::pair<int, int>, std::uint32_t> passed_;  ///< by procedure and stack
    bool locks_known_ = false;
    std::int64_t shared_lock_ = 0;
    std::function<void(const model::RecordedCall&)> see_;
    std::uint64_t played_ = 0;
    std::uint64_t limit_ = ~std::uint64_t{0};
};

}  // namespace mqinspect::analysis
