#include "report/stack_tree.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/mpi_function.h"
#include "report/call_text.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using model::Frame;
using model::RankSnapshot;
using model::WorldRank;

constexpr std::size_t kRangesShown = 4;
/// Branches are not indented any further than this.
constexpr std::size_t kMaxBranches = 12;
constexpr std::size_t kMaxRankColumns = 24;
/// A stack without any main is shown from its outermost frame on.
constexpr std::string_view kMain[] = {"main", "MAIN__"};

bool is_main(const Frame& frame) {
    return std::ranges::find(kMain, frame.function) != std::end(kMain);
}

/// Outermost first: the part of a stack that counts.
std::span<const Frame> counting(const std::vector<Frame>& stack, Frames frames) {
    std::span<const Frame> all(stack);
    if (frames == Frames::All) return all;
    const auto outermost_main = std::find_if(stack.rbegin(), stack.rend(), is_main);
    if (outermost_main != stack.rend()) {
        all = all.first(static_cast<std::size_t>(stack.rend() - outermost_main));
    }
    const auto outermost_call = std::find_if(all.rbegin(), all.rend(), [](const Frame& frame) {
        return model::find_mpi_function(frame.function).has_value();
    });
    if (outermost_call == all.rend()) return all;
    return all.subspan(static_cast<std::size_t>(all.rend() - outermost_call) - 1);
}

class Merger {
public:
    void add(const RankSnapshot& rank, Frames frames) {
        const std::span<const Frame> stack = counting(rank.stack, frames);
        std::size_t caller = kNone;
        bool inside_mpi = false;
        for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
            caller = callee(caller, *frame, inside_mpi);
            nodes_[caller].node.ranks.push_back(rank.rank);
            inside_mpi = inside_mpi || nodes_[caller].is_mpi;
        }
        ++nodes_[caller].node.ending;
    }

    /// Not recursive: a stack may be as deep as it likes.
    std::vector<StackNode> in_pre_order() && {
        std::vector<StackNode> ordered;
        ordered.reserve(nodes_.size());
        std::vector<std::size_t> ahead(roots_.rbegin(), roots_.rend());
        while (!ahead.empty()) {
            Node& next = nodes_[ahead.back()];
            ahead.pop_back();
            ahead.insert(ahead.end(), next.callees.rbegin(), next.callees.rend());
            ordered.push_back(std::move(next.node));
        }
        return ordered;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    struct Node {
        StackNode node;
        bool is_mpi = false;
        std::vector<std::size_t> callees;  ///< in the order of their first rank
    };
    using Key = std::tuple<std::size_t, std::string_view, std::string_view, std::string_view, int>;

    std::size_t callee(std::size_t caller, const Frame& frame, bool inside_mpi) {
        const std::string_view image = frame.function.empty() ? frame.image : std::string_view{};
        const Key key{caller, frame.function, image, frame.location.file, frame.location.line};
        const auto [place, is_new] = known_.emplace(key, nodes_.size());
        if (!is_new) return place->second;
        Node& fresh = nodes_.emplace_back();
        fresh.node.function = frame.function;
        fresh.node.image = frame.image;
        fresh.node.file = frame.location.file;
        fresh.node.line = frame.location.line;
        fresh.node.depth = caller == kNone ? 0 : nodes_[caller].node.depth + 1;
        fresh.node.inside_mpi = inside_mpi;
        fresh.is_mpi = model::find_mpi_function(frame.function).has_value();
        (caller == kNone ? roots_ : nodes_[caller].callees).push_back(place->second);
        return place->second;
    }

    std::vector<Node> nodes_;
    std::vector<std::size_t> roots_;
    std::map<Key, std::size_t> known_;
};

std::vector<WorldRank> all_ranks(const model::JobSnapshot& snapshot) {
    std::vector<WorldRank> ranks;
    ranks.reserve(snapshot.ranks.size());
    for (const RankSnapshot& rank : snapshot.ranks)
        ranks.push_back(rank.rank);
    return ranks;
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// A frame as the tree shows it.
std::string node_text(const StackNode& node, bool verbose) {
    std::string name = frame_name(node);
    if (!node.file.empty()) {
        return fmt::format(
            "{} at {}", name, location_text({std::string(node.file), node.line}, verbose));
    }
    if (node.image.empty() || node.function.empty()) return name;
    return fmt::format("{} in {}", name, file_name(node.image));
}

/// Lines of the tree, and the bars at their left that say what belongs together.
class TreePrinter {
public:
    TreePrinter(Page& page,
                const model::JobSnapshot& snapshot,
                const StackTree& tree,
                bool verbose,
                std::size_t indent)
        : page_(page), worlds_(snapshot), tree_(tree), verbose_(verbose), indent_(indent) {}

    void print() {
        std::size_t width = columns(kHeading);
        for (const StackNode& node : tree_.nodes)
            width = std::max(width, columns(ranks_text(node)));
        width_ = std::min(width, kMaxRankColumns);
        line(kHeading, "STACK", Style::Dim);
        find_siblings();
        for (std::size_t at = 0; at < tree_.nodes.size();)
            at = print_path(at);
    }

private:
    static constexpr std::string_view kHeading = "RANKS";

    /// From a branch to the next: a path along which no rank leaves.
    std::size_t print_path(std::size_t at) {
        const StackNode& first = tree_.nodes[at];
        const std::size_t level = open_branch(at);
        std::string ranks = ranks_text(first);
        std::string bars = level == 0 ? "" : bars_before(level) + "+- ";
        const std::string below =
            level == 0 ? "" : bars_before(level) + (open_[level].more ? "|  " : "   ");
        for (;;) {
            const std::size_t times = repeated(at);
            std::string text = node_text(tree_.nodes[at], verbose_);
            if (times > 1) text += fmt::format(", {} times", times);
            node_lines(ranks, bars, below, text);
            ranks.clear();
            bars = below;
            at += times;
            if (!continues(at)) break;
        }
        return at;
    }

    struct Branch {
        std::size_t depth = 0;
        bool more = false;  ///< siblings are still to come
    };

    /// By node, from the back: whether another one of the same caller follows.
    void find_siblings() {
        more_siblings_.assign(tree_.nodes.size(), false);
        std::vector<bool> seen;  // by depth, below the node that was looked at last
        for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
            const std::size_t depth = tree_.nodes[i].depth;
            more_siblings_[i] = depth < seen.size() && seen[depth];
            seen.resize(depth + 1, false);
            seen[depth] = true;
        }
    }

    /// Leaves the branches that have ended; the number of the one that begins here.
    std::size_t open_branch(std::size_t at) {
        const std::size_t depth = tree_.nodes[at].depth;
        while (open_.back().depth > depth)
            open_.pop_back();
        if (open_.back().depth < depth) open_.push_back({depth, false});
        open_.back().more = more_siblings_[at];
        return open_.size() - 1;
    }

    std::string bars_before(std::size_t level) const {
        std::string bars;
        for (std::size_t i = 1; i < std::min(level, kMaxBranches); ++i)
            bars += open_[i].more ? "|  " : "   ";
        return bars;
    }

    /// The node is called by the one before it, of which it has all ranks.
    bool continues(std::size_t at) const {
        return at < tree_.nodes.size() && at > 0 &&
               tree_.nodes[at].depth == tree_.nodes[at - 1].depth + 1 &&
               tree_.nodes[at].ranks.size() == tree_.nodes[at - 1].ranks.size();
    }

    /// How often a function has called itself from here at one line.
    std::size_t repeated(std::size_t at) const {
        const StackNode& node = tree_.nodes[at];
        std::size_t end = at + 1;
        while (continues(end) && !node.function.empty() &&
               tree_.nodes[end].function == node.function && tree_.nodes[end].file == node.file &&
               tree_.nodes[end].line == node.line) {
            ++end;
        }
        return end - at;
    }

    std::string ranks_text(const StackNode& node) const {
        return rank_ranges(worlds_, node.ranks, verbose_ ? node.ranks.size() : kRangesShown);
    }

    void node_lines(std::string_view ranks,
                    std::string_view first_bars,
                    std::string_view bars,
                    std::string_view text) {
        const std::size_t left = indent_ + width_ + kGap + first_bars.size();
        const std::size_t room = page_.width() > left + kMinRoom ? page_.width() - left : kMinRoom;
        const std::vector<std::string> rank_lines = wrap(ranks, width_);
        const std::vector<std::string> lines = wrap(text, room, 2);
        for (std::size_t i = 0; i < std::max(lines.size(), rank_lines.size()); ++i) {
            const bool more = i < lines.size();
            line(i < rank_lines.size() ? rank_lines[i] : std::string_view{},
                 fmt::format("{}{}", i == 0 ? first_bars : bars, more ? lines[i] : ""),
                 Style::Plain);
        }
    }

    void line(std::string_view ranks, std::string_view text, Style style) {
        page_.spaces(indent_);
        page_.piece(style, ranks);
        page_.spaces(width_ + kGap - columns(ranks));
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        page_.spaces(blanks);
        page_.piece(style, text.substr(blanks));
        page_.end_line();
    }

    static constexpr std::size_t kGap = 2;
    static constexpr std::size_t kMinRoom = 24;

    Page& page_;
    model::Worlds worlds_;
    const StackTree& tree_;
    bool verbose_;
    std::size_t indent_;
    std::size_t width_ = 0;
    /// The branches that lead to the node; the first one is that of the outermost frames.
    std::vector<Branch> open_ = {Branch{}};
    std::vector<bool> more_siblings_;
};

std::string folded_frame(const StackNode& node) {
    std::string name = printable(frame_name(node));
    std::ranges::replace_if(
        name, [](char c) { return c == ';' || c == ' '; }, '_');
    return name;
}

}  // namespace

StackTree merge_stacks(const model::JobSnapshot& snapshot,
                       std::span<const WorldRank> ranks,
                       Frames frames) {
    std::vector<WorldRank> ordered(ranks.begin(), ranks.end());
    std::ranges::sort(ordered);
    ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
    StackTree tree;
    Merger merger;
    for (const WorldRank number : ordered) {
        if (number.value < 0 || number.index() >= snapshot.ranks.size()) continue;
        const RankSnapshot& rank = snapshot.ranks[number.index()];
        if (!rank.stack.empty()) {
            merger.add(rank, frames);
        } else if (rank.state != model::RankState::Exited) {
            tree.without_stack.push_back(number);
        }
    }
    tree.nodes = std::move(merger).in_pre_order();
    return tree;
}

StackTree merge_stacks(const model::JobSnapshot& snapshot, Frames frames) {
    return merge_stacks(snapshot, all_ranks(snapshot), frames);
}

std::string frame_name(const StackNode& node) {
    if (!node.function.empty()) return std::string(node.function);
    if (node.image.empty()) return "??";
    return fmt::format("?? in {}", file_name(node.image));
}

void print_stack_tree(Page& page,
                      const model::JobSnapshot& snapshot,
                      const StackTree& tree,
                      bool verbose,
                      std::size_t indent) {
    if (!tree.nodes.empty()) TreePrinter(page, snapshot, tree, verbose, indent).print();
    if (tree.without_stack.empty()) return;
    page.paragraph(Style::Warning,
                   "stack not known of " + named_ranks(model::Worlds(snapshot), tree.without_stack),
                   indent);
}

std::string print_stack_tree(const model::JobSnapshot& snapshot,
                             std::span<const WorldRank> ranks,
                             const TextOptions& options) {
    Page page(options.color, options.width);
    const StackTree tree =
        merge_stacks(snapshot, ranks, options.verbose ? Frames::All : Frames::OfUser);
    print_stack_tree(page, snapshot, tree, options.verbose, 0);
    return std::move(page).finish();
}

std::string print_folded(const model::JobSnapshot& snapshot) {
    const StackTree tree = merge_stacks(snapshot, Frames::All);
    std::map<std::string, std::size_t> ranks_of;
    std::string path;
    std::vector<std::size_t> ends;  // of the path, by depth
    for (const StackNode& node : tree.nodes) {
        ends.resize(node.depth);
        path.resize(ends.empty() ? 0 : ends.back());
        if (!path.empty()) path += ';';
        path += folded_frame(node);
        ends.push_back(path.size());
        if (node.ending > 0) ranks_of[path] += node.ending;
    }
    std::string out;
    for (const auto& [stack, count] : ranks_of)
        out += fmt::format("{} {}\n", stack, count);
    return out;
}

}  // namespace mqinspect::report
