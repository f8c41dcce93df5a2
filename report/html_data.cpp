#include "report/html_data.h"

#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/call_text.h"
#include "report/distinct_lists.h"
#include "report/json_windows.h"
#include "report/json_writer.h"
#include "report/rank_ranges.h"
#include "report/source_excerpts.h"
#include "report/stack_tree.h"
#include "report/text_queues.h"
#include "report/utf8.h"
#include "report/words.h"

namespace mqinspect::report {
namespace {

using Layout = JsonWriter::Layout;
using model::RankSnapshot;
using model::WorldRank;

constexpr std::size_t kRangesShown = 12;

/// Numbers texts from 0 in the order in which they come; 0 is the empty one.
class Strings {
public:
    std::size_t number(std::string_view text) {
        const auto known = numbers_.find(text);
        if (known != numbers_.end()) return known->second;
        const std::size_t fresh = numbers_.size();
        texts_.push_back(printable(text));
        numbers_.emplace(text, fresh);
        return fresh;
    }

    const std::vector<std::string>& texts() const { return texts_; }

private:
    std::map<std::string, std::size_t, std::less<>> numbers_ = {{"", 0}};
    std::vector<std::string> texts_ = {""};
};

class Data {
public:
    Data(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict)
        : snapshot_(snapshot), verdict_(verdict), worlds_(snapshot) {}

    std::string print(const FoldedGraph& graph) && {
        constexpr std::size_t operation_bytes = 48;
        json_.reserve(snapshot_.operations.size() * operation_bytes);
        json_.begin_object(Layout::Lines);
        ranks(graph);
        operations();
        communicators();
        windows_member(json_, snapshot_.windows);
        stacks();
        sources();
        texts("strings", strings_.texts());
        json_.end_object();
        return std::move(json_).finish();
    }

private:
    void text(std::string_view text) { json_.value(strings_.number(text)); }

    void texts(std::string_view name, std::span<const std::string> all) {
        json_.key(name);
        json_.begin_array();
        for (const std::string& one : all)
            json_.value(std::string_view(one));
        json_.end_array();
    }

    const std::string& targets(const analysis::Wait& wait) {
        const std::size_t number = lists_.number(wait.targets);
        if (number == list_texts_.size()) {
            list_texts_.push_back(
                wait.targets.empty() ? "" : rank_ranges(worlds_, wait.targets, kRangesShown));
        }
        return list_texts_[number];
    }

    /// By rank: whom it waits for, why, and what is remarkable.
    struct WaitTexts {
        std::string targets;
        std::string why;
    };
    std::vector<WaitTexts> wait_texts() {
        std::vector<WaitTexts> texts(snapshot_.ranks.size());
        for (const analysis::Wait& wait : verdict_.waits) {
            if (wait.rank.value < 0 || wait.rank.index() >= texts.size()) continue;
            WaitTexts& at = texts[wait.rank.index()];
            if (!at.targets.empty()) at.targets += " and ";
            if (!wait.all && wait.targets.size() > 1) at.targets += "any of ";
            at.targets += targets(wait);
            if (!at.why.empty()) at.why += "; ";
            at.why += wait.why;
            for (const std::string& hint : wait.hints)
                at.why += "; note: " + hint;
        }
        return texts;
    }

    static std::string activity(const RankSnapshot& rank) {
        std::string text = rank.call ? call_text(*rank.call, false) : std::string();
        if (text.empty() && rank.state == model::RankState::Running) {
            text = activity_text(rank, false);
        }
        if (rank.suspended) text += text.empty() ? "stopped" : ", stopped by a signal";
        if (rank.signal) text = rank.signal->name + (text.empty() ? "" : " in " + text);
        return text;
    }

    /// [rank, role, call, place, waits for, why, pid, host, problem, node of the graph]
    void ranks(const FoldedGraph& graph) {
        std::vector<std::size_t> node_of(snapshot_.ranks.size(), 0);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            for (const WorldRank rank : graph.nodes[i].ranks)
                node_of[rank.index()] = i;
        }
        const std::vector<Role> roles = roles_of(snapshot_, verdict_);
        const std::vector<WaitTexts> waits = wait_texts();
        json_.key("ranks");
        json_.begin_array(Layout::Lines);
        for (std::size_t i = 0; i < snapshot_.ranks.size(); ++i) {
            const RankSnapshot& rank = snapshot_.ranks[i];
            const model::SourceLocation* place = user_location(rank);
            json_.begin_array();
            json_.value(rank.rank.value);
            text(name_of(roles[i]));
            text(activity(rank));
            text(place != nullptr ? location_text(*place, false) : "");
            text(waits[i].targets);
            text(waits[i].why);
            json_.value(rank.pid);
            text(rank.host);
            text(rank.problem);
            json_.value(node_of[i]);
            json_.end_array();
        }
        json_.end_array();
    }

    /// A peer is -2 for any, -1 if unknown.
    template <class Rank>
    void peer(const std::optional<Rank>& rank, bool any) {
        json_.value(any ? -2 : rank ? rank->value : -1);
    }

    /// [rank, communicator, queue, peer in the world, peer in the communicator, tag ("any",
    /// null if unknown), bytes, count, datatype, function, details]
    void operations() {
        json_.key("operations");
        json_.begin_array(Layout::Lines);
        for (const model::Operation& operation : snapshot_.operations) {
            json_.begin_array();
            json_.value(operation.rank.value);
            json_.value(operation.communicator.value);
            text(name_of(operation.queue));
            peer(operation.world_peer, operation.any_source);
            peer(operation.comm_peer, operation.any_source);
            operation.any_tag ? json_.value("any") : json_.value(operation.tag);
            json_.value(operation.bytes);
            json_.value(operation.count);
            text(operation.datatype);
            text(operation.function);
            text(operation_details(operation, true));
            json_.end_array();
        }
        json_.end_array();
    }

    /// [number, name, size, kind, members, remote members]
    void communicators() {
        json_.key("communicators");
        json_.begin_array(Layout::Lines);
        for (const model::Communicator& communicator : snapshot_.communicators) {
            json_.begin_array();
            json_.value(communicator.id.value);
            text(model::communicator_name(worlds_, communicator));
            json_.value(communicator.members.size() + communicator.remote_members.size());
            text(communicator.internal
                     ? "of the MPI library"
                     : (communicator.inter ? "intercommunicator" : "intracommunicator"));
            text(rank_ranges(worlds_, communicator.members, kRangesShown));
            text(communicator.inter
                     ? rank_ranges(worlds_, communicator.remote_members, kRangesShown)
                     : "");
            json_.end_array();
        }
        json_.end_array();
    }

    /// In pre-order: [depth, frame, place or file, ranks, how many, 1 if inside of MPI]
    void stacks() {
        const StackTree tree = merge_stacks(snapshot_, Frames::All);
        json_.key("stacks");
        json_.begin_array(Layout::Lines);
        for (const StackNode& node : tree.nodes) {
            json_.begin_array();
            json_.value(node.depth);
            text(frame_name(node));
            const std::string_view file = node.file.empty() ? node.image : node.file;
            text(location_text({std::string(file), node.file.empty() ? 0 : node.line}, false));
            text(rank_ranges(worlds_, node.ranks, kRangesShown));
            json_.value(node.ranks.size());
            json_.value(node.inside_mpi ? 1 : 0);
            json_.end_array();
        }
        json_.end_array();
        json_.key("without_stack");
        text(tree.without_stack.empty() ? "" : named_ranks(worlds_, tree.without_stack));
    }

    void sources() {
        json_.key("sources");
        json_.begin_array(Layout::Lines);
        for (const auto& [excerpt, ranks] : source_excerpts(snapshot_)) {
            json_.begin_object();
            json_.member("file", std::string_view(printable(excerpt.file)));
            json_.member("line", excerpt.line);
            json_.member("ranks", std::string_view(named_ranks(worlds_, ranks)));
            json_.member("first", excerpt.first_line);
            std::vector<std::string> lines;
            for (const std::string& line : excerpt.lines)
                lines.push_back(source_line(line));
            texts("lines", lines);
            json_.member("remark", std::string_view(printable(excerpt.remark)));
            json_.end_object();
        }
        json_.end_array();
    }

    /// Tabs are not escaped: they are layout.
    static std::string source_line(std::string_view line) {
        std::string text;
        for (const char c : line) {
            if (c == '\t') {
                text.append(8 - text.size() % 8, ' ');
            } else if (c != '\r') {
                text += c;
            }
        }
        return printable(text);
    }

    const model::JobSnapshot& snapshot_;
    const analysis::Verdict& verdict_;
    model::Worlds worlds_;
    JsonWriter json_;
    Strings strings_;
    DistinctLists lists_;
    std::vector<std::string> list_texts_;
};

}  // namespace

std::string html_data(const model::JobSnapshot& snapshot,
                      const analysis::Verdict& verdict,
                      const FoldedGraph& graph) {
    return Data(snapshot, verdict).print(graph);
}

}  // namespace mqinspect::report
