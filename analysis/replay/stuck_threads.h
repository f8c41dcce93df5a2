/// The wait-for graph of a play that has come to a standstill.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/pairing/report.h"
#include "analysis/replay/player.h"
#include "analysis/wait_for_graph.h"

namespace mqinspect::analysis {

/// Nodes are the processes, as targets, then one more for each blocked thread that is not the
/// only one of its process, or stands in MPI_Finalize: as a target such a process has ended, but
/// it still waits itself. Processes that crashed, or were killed while they computed, are
/// running here: whoever waits for them is not in a deadlock of its own.
class StuckThreads {
public:
    /// Keeps references. `held`: by process, those without a blocked thread that do not go on; may
    /// be empty.
    StuckThreads(Player& player, const InterprocessReport& report, std::vector<bool> held = {});

    /// A set of threads that wait for each other, or one that waits for those who have ended.
    struct Core {
        std::vector<ThreadIndex> threads;
        bool cyclic = false;
        std::vector<ThreadIndex> victims;  ///< who cannot go on because of them
        /// There are no threads, but one of the processes that are held.
        std::optional<model::ProcessId> held;
    };
    std::vector<Core> solve();
    /// Whom a blocked thread waits for, as processes.
    std::vector<model::ProcessId> targets(ThreadIndex thread) const;

private:
    using Node = std::uint32_t;

    void find_nodes();
    void add_process(WaitForGraph& graph, model::ProcessId process);
    void add_thread(WaitForGraph& graph, Node node, ThreadIndex thread);
    std::uint32_t wave_set(WaitForGraph& graph, ThreadIndex thread, WaveIndex wave);
    std::uint32_t member_set(WaitForGraph& graph, model::CommunicatorId communicator);
    std::vector<Node> absent(ThreadIndex thread, const Wave& wave) const;
    std::string_view called_by(ThreadIndex thread, const Wave& wave) const;
    std::vector<Node> members(model::CommunicatorId communicator) const;

    Player& player_;
    const InterprocessReport& report_;
    std::vector<bool> held_;
    std::vector<ThreadIndex> thread_of_node_;        ///< kNone: a process with several
    std::map<ThreadIndex, Node> own_node_;           ///< of threads with a node of their own
    std::vector<std::vector<ThreadIndex>> blocked_;  ///< by process
    /// By wave and, where not all have called the same, the procedure that waits.
    std::map<std::pair<WaveIndex, std::string_view>, std::uint32_t> wave_sets_;
    std::map<model::CommunicatorId, std::uint32_t> member_sets_;
};

}  // namespace mqinspect::analysis
