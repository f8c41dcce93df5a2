#include "thread_level/analysis/single_starts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "thread_level/analysis/main_thread.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/sure_bits.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

constexpr std::size_t kMostGuards = 64;

enum WhichThread : std::uint8_t { MainThread, OtherThread };

/// What is sure to be there: threads of guards, by bit.
using There = std::uint64_t;

struct Guard {
    FunctionId function = 0;
    RegionId region = 0;
};

class Search {
public:
    explicit Search(const Program& program) : program_(program) {}

    std::set<std::pair<FunctionId, RegionId>> run() {
        find_guards();
        if (guards_.empty()) return {};
        find_joins();
        left_.assign(program_.nodes(), 0);
        for (const std::vector<Node>& component : program_.components()) {
            for (const Node node : component)
                if (program_.is_function(node)) left_[node] = left_by(node);
        }
        entries_.assign(program_.nodes(), {});
        enter_roots();
        while (!open_.empty()) {
            const auto [node, who] = open_.back();
            open_.pop_back();
            follow(node, who);
        }
        std::set<std::pair<FunctionId, RegionId>> single;
        for (std::size_t i = 0; i < guards_.size(); ++i) {
            if (is_single(i)) single.emplace(guards_[i].function, guards_[i].region);
        }
        return single;
    }

private:
    void find_guards() {
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            const std::span<const Region> regions = program_.regions(id);
            for (RegionId region = 1; region < regions.size(); ++region) {
                if (!finds_no_thread(regions[region]) || guards_.size() == kMostGuards) continue;
                of_function_[id].push_back(guards_.size());
                guards_.push_back({id, region});
            }
        }
    }

    /// Functions that may join a thread which is kept, or call such.
    void find_joins() {
        joins_.assign(program_.nodes(), false);
        std::vector<Node> open;
        const auto add = [&](Node node) {
            if (!joins_[node]) open.push_back(node);
            joins_[node] = true;
        };
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            if (std::ranges::any_of(program_.steps(id), may_join)) add(id);
        }
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            for (const CallerEdge& caller : program_.callers(node))
                if (caller.kind != CallKind::Start) add(caller.from);
        }
    }

    static bool may_join(const Step& step) {
        return step.kind == StepKind::JoinThread && step.value.kind != Value::Kind::Local;
    }

    There after(Node node, StepId id, There before) const {
        const Step& step = program_.steps(node)[id];
        if (may_join(step)) return 0;
        There there = before;
        for (const CallEdge& edge : program_.calls_of(node, id)) {
            if (edge.kind == CallKind::Start) continue;
            if (joins_[edge.to]) there = 0;
            if (program_.is_function(edge.to)) there |= left_[edge.to];
        }
        const auto own = of_function_.find(node);
        if (own == of_function_.end()) return there;
        const std::span<const Region> regions = program_.regions(node);
        for (RegionId region = step.region; region != 0; region = regions[region].parent) {
            for (const std::size_t i : own->second) {
                const bool is_start = is_kept_start(step) && region == guards_[i].region;
                if (is_start || is_past(regions[region], regions[guards_[i].region]))
                    there |= There{1} << i;
            }
        }
        return there;
    }

    /// In front of each step; nothing: nobody comes there.
    std::vector<std::optional<There>> before_steps(Node node, There at_entry) const {
        return sure_before(program_.steps(node), at_entry, [&](StepId id, There there) {
            return after(node, id, there);
        });
    }

    There left_by(Node node) const {
        const std::span<const Step> steps = program_.steps(node);
        const auto before = before_steps(node, 0);
        There there = ~There{0};
        bool is_any = false;
        for (StepId id = 0; id < steps.size(); ++id) {
            if (steps[id].kind != StepKind::Exit || !before[id]) continue;
            there &= *before[id];
            is_any = true;
        }
        return is_any ? there : 0;
    }

    void enter(Node node, WhichThread who, There there) {
        std::optional<There>& known = entries_[node][who];
        const There joined = known.value_or(~There{0}) & there;
        if (known == joined) return;
        known = joined;
        open_.emplace_back(node, who);
    }

    void enter_roots() {
        const FunctionId main = main_of(program_);
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            const Function& function = program_.unit().functions[id];
            const bool is_unknown = main == kNone && !function.is_local;
            const bool is_forgotten = program_.callers(id).empty() && function.address_taken;
            if (id == main || function.runs_at_start || is_unknown || is_forgotten)
                enter(id, MainThread, 0);
        }
    }

    /// Whether who comes by executes it, whichever thread that is.
    bool is_plain(Node node, RegionId region) const {
        const std::span<const Region> regions = program_.regions(node);
        while (region != 0 && regions[region].kind == RegionKind::Guard)
            region = regions[region].parent;
        return region == 0;
    }

    void follow(Node node, WhichThread who) {
        const There at_entry = *entries_[node][who];
        const auto before = program_.is_function(node) ? before_steps(node, at_entry)
                                                       : std::vector<std::optional<There>>();
        for (const CallEdge& edge : program_.calls(node)) {
            if (edge.kind == CallKind::Dispatch) {
                enter(edge.to, who, at_entry);
                continue;
            }
            if (!before[edge.step]) continue;
            const bool is_main = edge.kind == CallKind::Call && who == MainThread &&
                                 is_plain(node, program_.steps(node)[edge.step].region);
            enter(edge.to, is_main ? MainThread : OtherThread, *before[edge.step]);
        }
    }

    bool is_single(std::size_t number) const {
        const Guard& guard = guards_[number];
        if (!is_plain(guard.function, guard.region)) return false;
        const auto& other = entries_[guard.function][OtherThread];
        if (!other) return true;
        for (Node node = 0; node < program_.nodes(); ++node)
            if (joins_[node] && entries_[node][OtherThread]) return false;
        return (*other >> number & 1) != 0;
    }

    const Program& program_;
    std::vector<Guard> guards_;
    std::map<FunctionId, std::vector<std::size_t>> of_function_;
    std::vector<bool> joins_;  // by node
    std::vector<There> left_;  // by node: what is there when it returns
    std::vector<std::array<std::optional<There>, 2>> entries_;  // by node and who comes
    std::vector<std::pair<Node, WhichThread>> open_;
};

}  // namespace

std::set<std::pair<FunctionId, RegionId>> single_guards(const Program& program) {
    return Search(program).run();
}

}  // namespace mqinspect::thread_level
