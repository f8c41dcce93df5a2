/// The recorder of this process: its files, its threads, and when it starts and ends.
///
/// It starts with the first MPI call, so that processes without MPI (the shell that starts the
/// program, its helpers) leave no files, and needs a folder, which `mqinspect record` names in
/// the environment.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "include/pending_operations.h"

#include "tracer/log/definitions.h"
#include "tracer/log/log_file.h"
#include "tracer/log/thread_log.h"
#include "tracer/stack/sites.h"

namespace mqinspect::tracer {

/// How often memory is guarded, see control/local_memory.h.
enum class Guards { None, Few, All };

/// From the environment: MQI_RECORD and its kin, which docs/record-log.md lists.
struct Options {
    const char* folder = nullptr;        ///< MQI_RECORD; none: nothing is recorded
    std::size_t limit_bytes = 0;         ///< MQI_RECORD_LIMIT, of the log; 0: none
    std::size_t stack_depth = 16;        ///< MQI_RECORD_STACK
    std::int64_t checksum_bytes = 4096;  ///< MQI_RECORD_CHECKSUM: of a buffer; 0: no checksums
    bool reduced = false;                ///< MQI_RECORD_REDUCED
    Guards guards = Guards::Few;         ///< MQI_RECORD_GUARD=0: None, 1: All
    bool signals = true;                 ///< MQI_RECORD_SIGNALS=0: leave them alone
};

/// What a thread that calls MPI needs; made with its first call.
struct Thread {
    ThreadLog log;
    Sites sites;
    /// Lists of the calls that are open.
    std::uint8_t* scratch = nullptr;
    std::size_t scratch_bytes = 0;
    std::size_t scratch_used = 0;
    std::uint64_t blocks_seen = 0;
    std::uint32_t id = 0;
    pending::Thread pending;   ///< for debuggers
    bool fatal_error = false;  ///< a handler is to act on the open call: end_by_error()

    Thread(LogFile& file, std::uint32_t number) : log(file, number), id(number) {}
};

extern thread_local constinit Thread* this_thread [[gnu::tls_model("initial-exec")]];

/// Of the innermost open call of this thread; null: it is in none that is recorded.
inline const Site* innermost_site() {
    return this_thread == nullptr ? nullptr : this_thread->log.innermost();
}

class Recorder {
public:
    /// The thread's, made if it has none yet; null: nothing is recorded (any more).
    Thread* thread();
    bool recording() const { return state_.load(std::memory_order_relaxed) == State::Recording; }
    /// False in the child of vfork, which has the memory of its parent.
    bool is_own_process() const { return pid_ == getpid(); }
    const Options& options() const { return options_; }
    DefinitionsFile& definitions() { return definitions_; }

    /// Nothing more is written; said once on standard error, if `why` is an errno.
    void stop(int why);
    /// After MPI_Init: who we are in the job.
    void define_world(int required, int provided);
    /// The same where there is a session, and MPI_Init has not been called.
    void define_world_of_session(int rank, int size, int level);
    void define_clock();
    /// A thread has begun a block, or wanted to: time to see whether the files can still grow, and
    /// to note the clock now and then.
    [[gnu::cold]] void block_begun(Thread& thread);
    /// At the end of the process, and in the child of a fork.
    void finish();
    void forget_after_fork();

    /// The id of a text; defined if it is new.
    std::int64_t text_id(std::string_view text);
    std::int64_t world_rank() const { return world_rank_; }
    std::int64_t world_size() const { return world_size_; }
    std::uint64_t world_key() const { return world_key_; }
    bool has_several_threads() const { return several_threads_.load(std::memory_order_relaxed); }
    bool is_initialised() const { return initialised_.load(std::memory_order_acquire); }

private:
    enum class State { Idle, Recording, Stopped };

    bool start();
    int create_files(std::uint64_t start_ns);
    void define_process();
    void take_place(int rank, int size, int required, int provided);
    void define_attribute(const char* name, int keyval);
    Thread* make_thread();

    std::atomic<State> state_{State::Idle};
    std::atomic<bool> initialised_{false};
    SpinLock lock_;
    Arena arena_;
    Options options_;
    DefinitionsFile definitions_;
    LogFile log_;
    std::uint32_t threads_ = 0;
    pid_t pid_ = 0;
    std::int64_t world_rank_ = -1;
    std::int64_t world_size_ = 0;
    std::uint64_t world_key_ = 0;
    std::atomic<bool> several_threads_{false};
    std::atomic<std::uint64_t> clock_ticks_{0};
};

extern Recorder recorder;

/// CLOCK_REALTIME in nanoseconds.
std::uint64_t wall_clock_ns();

/// One line on standard error, with the name of the program in front.
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace mqinspect::tracer
