#include "analysis/replay/stuck_threads.h"

#include <algorithm>
#include <utility>

namespace mqinspect::analysis {

using model::ProcessId;
using Mode = WaitForGraph::Mode;
using State = WaitForGraph::NodeState;

namespace {

constexpr ThreadIndex kNone = ~ThreadIndex{0};

/// A partitioned send of which partitions are not ready: only its own process can help.
bool not_under_way(const PlayedThread& thread, const Operation& awaited) {
    return thread.waits.not_ready && awaited.partitioned && awaited.is_send;
}

}  // namespace

StuckThreads::StuckThreads(Player& player, const InterprocessReport& report, std::vector<bool> held)
    : player_(player), report_(report), held_(std::move(held)) {
    find_nodes();
}

void StuckThreads::find_nodes() {
    const std::size_t processes = report_.execution().processes.size();
    blocked_.resize(processes);
    thread_of_node_.assign(processes, kNone);
    for (std::size_t index = 0; index < processes; ++index) {
        const ProcessId process{static_cast<int>(index)};
        for (const ThreadIndex thread : player_.threads_of(process))
            if (player_.threads()[thread].blocked) blocked_[index].push_back(thread);
        const std::vector<ThreadIndex>& blocked = blocked_[index];
        const bool finalizing =
            blocked.size() == 1 && player_.threads()[blocked[0]].action == Action::Finalize;
        if (blocked.size() == 1 && !finalizing) {
            thread_of_node_[index] = blocked[0];
            continue;
        }
        for (const ThreadIndex thread : blocked) {
            own_node_[thread] = static_cast<Node>(thread_of_node_.size());
            thread_of_node_.push_back(thread);
        }
    }
}

std::vector<StuckThreads::Core> StuckThreads::solve() {
    WaitForGraph graph(thread_of_node_.size());
    for (std::size_t index = 0; index < blocked_.size(); ++index)
        add_process(graph, ProcessId{static_cast<int>(index)});
    const WaitForGraph::Solution solution = graph.solve();

    std::vector<Core> cores;
    std::vector<std::size_t> core_of(thread_of_node_.size(), solution.cores.size());
    for (const WaitForGraph::Solution::Core& found : solution.cores) {
        Core core;
        core.cyclic = found.cyclic;
        for (const Node node : found.nodes) {
            core_of[node] = cores.size();
            if (thread_of_node_[node] != kNone) core.threads.push_back(thread_of_node_[node]);
            if (node < held_.size() && held_[node]) core.held = ProcessId{static_cast<int>(node)};
        }
        cores.push_back(std::move(core));
    }
    for (Node node = 0; node < thread_of_node_.size(); ++node) {
        if (!solution.stuck[node] || core_of[node] < cores.size()) continue;
        if (thread_of_node_[node] == kNone) continue;
        Node at = node;
        for (std::size_t steps = 0; steps < core_of.size() && core_of[at] == cores.size();
             ++steps) {
            at = solution.next_to_core[at];
            if (at >= core_of.size()) break;
        }
        if (at < core_of.size() && core_of[at] < cores.size()) {
            cores[core_of[at]].victims.push_back(thread_of_node_[node]);
        }
    }
    return cores;
}

void StuckThreads::add_process(WaitForGraph& graph, ProcessId process) {
    const auto node = static_cast<Node>(process.value);
    if (report_.crashed(process)) return;  // running, as far as the others are concerned
    const std::vector<ThreadIndex>& blocked = blocked_[process.index()];
    if (node < held_.size() && held_[node]) {
        graph.set_state(node, State::Blocked);
        graph.set_mode(node, Mode::All);
        graph.add_clause(node, Mode::All, {&node, 1});
        return;
    }
    if (blocked.empty()) {
        const bool ended = player_.ended(process) && report_.over(process);
        graph.set_state(node, ended ? State::Ended : State::Running);
        return;
    }
    for (const ThreadIndex thread : blocked)
        if (player_.threads()[thread].waits.polling) return;  // it would just go on
    if (!player_.all_seen(process)) return;                   // another thread may help
    if (thread_of_node_[node] != kNone) return add_thread(graph, node, blocked[0]);
    for (const ThreadIndex thread : blocked)
        add_thread(graph, own_node_.at(thread), thread);
    if (blocked.size() == 1) {
        graph.set_state(node, State::Ended);
        return;
    }
    graph.set_state(node, State::Blocked);
    graph.set_mode(node, Mode::Any);
    for (const ThreadIndex thread : blocked) {
        const Node own = own_node_.at(thread);
        graph.add_clause(node, Mode::All, {&own, 1});
    }
}

void StuckThreads::add_thread(WaitForGraph& graph, Node node, ThreadIndex index) {
    const PlayedThread& thread = player_.threads()[index];
    const auto one = [&](ProcessId process) {
        const auto target = static_cast<Node>(process.value);
        graph.add_clause(node, Mode::All, {&target, 1});
    };
    graph.set_state(node, State::Blocked);
    graph.set_mode(node, thread.waits.any ? Mode::Any : Mode::All);
    for (const OperationIndex operation : thread.waits.operations) {
        if (!player_.waits_for(index, operation)) continue;
        const Operation& awaited = player_.matcher().operation(operation);
        if (not_under_way(thread, awaited)) continue;
        if (awaited.peer.value >= 0) {
            one(awaited.peer);
        } else {
            graph.add_shared_clause(node, Mode::Any, member_set(graph, awaited.communicator));
        }
    }
    for (const WaveIndex wave : thread.waits.waves) {
        if (player_.waits_for_wave(index, wave)) {
            graph.add_shared_clause(node, Mode::All, wave_set(graph, index, wave));
        }
    }
    if (thread.waits.probe && thread.waits.probed.value >= 0) one(thread.waits.probed);
    if (thread.waits.probe && thread.waits.probed.value < 0) {
        graph.add_shared_clause(node, Mode::Any, member_set(graph, thread.waits.communicator));
    }
    if (thread.waits.not_ready) one(thread.process);
    if (thread.window.window >= 0) {
        for (const ProcessId process : player_.window_targets(thread))
            one(process);
    }
    if (thread.action == Action::Finalize) {
        for (const ProcessId process : player_.not_in_finalize(thread.process))
            one(process);
    }
}

// What a thread has called as its part of an operation; empty: all have called the same.
std::string_view StuckThreads::called_by(ThreadIndex index, const Wave& wave) const {
    if (!wave.disagreeing) return {};
    const ProcessId process = player_.threads()[index].process;
    for (const Contribution& one : wave.contributions)
        if (one.site.process == process) return player_.matcher().name_of(one);
    return {};
}

// Who has not come, or has come with another procedure.
std::vector<StuckThreads::Node> StuckThreads::absent(ThreadIndex index, const Wave& wave) const {
    std::vector<Node> nodes;
    const std::string_view called = called_by(index, wave);
    const std::span<const ProcessId> all = player_.matcher().wave_members(wave);
    for (std::size_t member = 0; member < all.size(); ++member) {
        const Contribution& one = wave.contributions[member];
        const bool here =
            one.arrived && (!wave.disagreeing || player_.matcher().name_of(one) == called);
        if (here || all[member].value < 0) continue;
        if (all[member].index() < blocked_.size())
            nodes.push_back(static_cast<Node>(all[member].value));
    }
    return nodes;
}

std::vector<StuckThreads::Node> StuckThreads::members(model::CommunicatorId communicator) const {
    std::vector<Node> nodes;
    for (std::uint32_t member = 0; member < report_.members().size(communicator); ++member) {
        const ProcessId process = report_.members().process(communicator, member);
        if (process.value >= 0) nodes.push_back(static_cast<Node>(process.value));
    }
    return nodes;
}

std::uint32_t StuckThreads::wave_set(WaitForGraph& graph, ThreadIndex thread, WaveIndex index) {
    const Wave& wave = player_.matcher().wave(index);
    const auto [entry, added] = wave_sets_.emplace(std::pair(index, called_by(thread, wave)), 0);
    if (added) entry->second = graph.add_shared_set(absent(thread, wave));
    return entry->second;
}

std::uint32_t StuckThreads::member_set(WaitForGraph& graph, model::CommunicatorId communicator) {
    const auto [entry, added] = member_sets_.emplace(communicator, 0);
    if (added) entry->second = graph.add_shared_set(members(communicator));
    return entry->second;
}

std::vector<ProcessId> StuckThreads::targets(ThreadIndex index) const {
    const PlayedThread& thread = player_.threads()[index];
    std::vector<ProcessId> result;
    const auto add = [&](const std::vector<Node>& nodes) {
        for (const Node node : nodes) {
            if (ProcessId{static_cast<int>(node)} != thread.process) {
                insert_process(result, ProcessId{static_cast<int>(node)});
            }
        }
    };
    for (const OperationIndex operation : thread.waits.operations) {
        if (!player_.waits_for(index, operation)) continue;
        const Operation& awaited = player_.matcher().operation(operation);
        if (not_under_way(thread, awaited)) {
            insert_process(result, thread.process);
        } else if (awaited.peer.value >= 0) {
            insert_process(result, awaited.peer);
        } else {
            add(members(awaited.communicator));
        }
    }
    for (const WaveIndex wave : thread.waits.waves)
        if (player_.waits_for_wave(index, wave)) add(absent(index, player_.matcher().wave(wave)));
    if (thread.waits.probe && thread.waits.probed.value >= 0) {
        insert_process(result, thread.waits.probed);
    } else if (thread.waits.probe) {
        add(members(thread.waits.communicator));
    }
    if (thread.window.window >= 0) {
        for (const ProcessId process : player_.window_targets(thread))
            insert_process(result, process);
    }
    if (thread.action == Action::Finalize) {
        for (const ProcessId process : player_.not_in_finalize(thread.process))
            insert_process(result, process);
    }
    return result;
}

}  // namespace mqinspect::analysis
