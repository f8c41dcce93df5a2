/// When and by which threads a process may call MPI at all.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

class Lifecycle {
public:
    Lifecycle(const model::RecordedProcess& process, Reporter& reporter);

    /// Calls come in the order of their entries.
    void check(const CallView& view);

    bool initialized() const { return initialized_; }
    bool finalized() const { return finalized_; }
    /// Where that was: MPI_Finalize, or what has ended the last session.
    const std::optional<CallSite>& end() const { return end_; }
    /// MPI_Session_init of one that is open; empty: there is none, or MPI_Finalize is missing.
    std::optional<CallSite> open_session() const;

private:
    enum class Level { Single, Funneled, Serialized, Multiple, Unknown };
    /// The last call of a thread.
    struct Last {
        int thread = 0;
        CallSite site;
        std::int64_t leave_ns = 0;
        std::int64_t communicator = model::kNullHandle;  ///< of a blocking collective
        std::vector<std::int64_t> requests;              ///< that it completes, or would
        bool finalizes = false;                          ///< the world
        bool exempt = false;                             ///< allowed beside any other
    };

    void check_phase(const CallView& view);
    void report_phase(const CallView& view, const CallSite* other, std::string message);
    void begin_session(const CallView& view);
    void end_session(const CallView& view);
    void initialize(const CallView& view);
    void finalize(const CallView& view);
    void note(const CallView& view, Last& last) const;
    void check_thread(const CallView& view);
    void check_beside(const CallView& view, const Last& now, const Last& other);
    void report_thread(const CallView& view, const Last* other, std::string message);

    const model::RecordedProcess& process_;
    Reporter& reporter_;
    Level level_ = Level::Unknown;
    bool initialized_ = false;
    bool finalized_ = false;
    bool told_ = false;   ///< of a call by another thread than the main one
    int told_pairs_ = 0;  ///< of calls that MPI_THREAD_SERIALIZED rules out
    /// That are open, by the library's handles, the oldest first.
    std::vector<std::pair<std::int64_t, CallSite>> sessions_;
    std::optional<CallSite> world_begin_;  ///< MPI_Init
    std::optional<CallSite> world_end_;    ///< MPI_Finalize
    std::optional<CallSite> end_;  ///< what has ended MPI: this, or the end of the last session
    std::optional<int> main_thread_;
    std::vector<Last> threads_;
};

}  // namespace mqinspect::analysis
