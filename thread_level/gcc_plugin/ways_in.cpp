// What all ways into a block say: Skeleton, further part.
#include <algorithm>

#include "thread_level/gcc_plugin/never_returning.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of what is so for as long as the thread is there, whichever way it has come.
bool is_lasting(const Implication& said) {
    switch (said.condition) {
        case Condition::ThreadIsZero:
        case Condition::ThreadIsNotZero:
        case Condition::IsMainThread:
        case Condition::IsNotMainThread:
        case Condition::NotInParallel:
        case Condition::OneThread:
        case Condition::LevelAtLeast:
        case Condition::LevelBelow:
            return true;
        case Condition::ThreadIsOther:
            return said.number != kChangingNumber;
        default:
            return false;
    }
}

/// What one way says of an argument, if the other one is that of who has left it out.
Implication said_or_left_out(const Implication& left_out, const Implication& said) {
    const bool is_left_out =
        left_out.condition == Condition::ArgumentIs && left_out.number == kNull;
    if (!is_left_out || said.condition != Condition::ArgumentIs || said.number >= kNull ||
        said.tested != left_out.tested || said.wrapper != 0)
        return {};
    Implication both = said;
    both.condition = Condition::ArgumentIsOrLeftOut;
    return both;
}

/// Of two ways.
template <class Side>
std::vector<Side> zero_of_each(const std::vector<Side>& first, const std::vector<Side>& second) {
    for (const Side& one : first) {
        for (const Side& other : second) {
            const Implication zero = zero_of_either(one.said, other.said);
            if (zero.condition != Condition::None) return {{one.along, zero}};
        }
    }
    return {};
}

}  // namespace

/// The ways into `block` that do not come from behind it.
std::vector<edge> Skeleton::ways_into(basic_block block) {
    std::vector<edge> ways;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->preds) {
        if (e->src != block && !dominated_by_p(CDI_DOMINATORS, e->src, block)) ways.push_back(e);
    }
    return ways;
}

/// What the branches say that follow each other on the way along `last`, from `first` on.
std::vector<Skeleton::Side> Skeleton::said_on_way(edge last, basic_block first) const {
    constexpr int most_branches = 8;
    std::vector<Side> all;
    for (int i = 0; i < most_branches; ++i) {
        const Implication said = implication_of(last);
        if (is_lasting(said)) all.push_back({last, said});
        if (last->src == first || !single_pred_p(last->src)) break;
        last = single_pred_edge(last->src);
    }
    return all;
}

/// `if (present(thread)) then; if (thread /= 0) return; end if`, of two ways into `block`.
Skeleton::Side Skeleton::said_of_optional(const std::vector<edge>& ways) const {
    if (!is_fortran() || ways.size() != 2) return {};
    for (const std::size_t left_out : {std::size_t{0}, std::size_t{1}}) {
        const edge along = ways[1 - left_out];
        const Implication said =
            said_or_left_out(implication_of(ways[left_out]), implication_of(along));
        if (said.condition != Condition::None) return {along, said};
    }
    return {};
}

/// `if (thread != 0) stop_all();`, of two ways into a block: what is said on the one, if the call
/// on the other one never returns.
Skeleton::Side Skeleton::said_beside_end(const std::vector<edge>& ways) const {
    if (ways.size() != 2) return {};
    for (const std::size_t ended : {std::size_t{0}, std::size_t{1}}) {
        const edge along = ways[1 - ended];
        Implication said = implication_of(along);
        const basic_block last = ways[ended]->src;
        const bool is_settled = said.wrapper == 0 && said.provided_global == 0 &&
                                said.other_global == 0 && said.limit.kind == Value::Kind::Unknown;
        if (!is_lasting(said) || !is_settled || !single_pred_p(last) || along->src == last ||
            single_pred(last) != along->src)
            continue;
        const BlockEnd end = end_of(last, callees_, gathering_);
        if (end.name == 0 && !end.is_sure) continue;
        said.wrapper = end.name;
        return {along, said};
    }
    return {};
}

/// What is said on each of several ways into `block`: `(a && thread == 0) || (b && thread == 0)`.
/// Of the first way it is the branch.
Skeleton::Side Skeleton::said_on_all(const std::vector<edge>& ways, basic_block block) const {
    basic_block first = get_immediate_dominator(CDI_DOMINATORS, block);
    std::vector<Side> common;
    std::vector<Side> zero;  // or the only thread
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::vector<Side> said = said_on_way(ways[i], first);
        zero = i == 0 ? said : zero_of_each(zero, said);
        if (i == 0) common = said;
        std::erase_if(common, [&](const Side& one) {
            return std::ranges::find(said, one.said, &Side::said) == said.end();
        });
        if (common.empty() && zero.empty()) return {};
    }
    if (common.empty() && ways.size() > 1) return zero.front();
    Side strongest;
    for (const Side& one : common)
        if (stronger(strongest.said, one.said) == one.said) strongest = one;
    return strongest;
}

/// Guards around what is behind the way, for what its condition says of arguments that have been
/// written to what it asks.
Skeleton::NodeId Skeleton::add_written_guards(edge guarding, NodeId outer) {
    const Implication by_itself = implication_of(guarding);
    for (const ArgumentFact& fact : written_.on_way(guarding)) {
        Implication said;
        said.condition = fact.is_equal ? Condition::ArgumentIs : Condition::ArgumentIsNot;
        said.number = fact.number;
        said.tested = fact.tested;
        if (said != by_itself) outer = add_guard(guarding, outer, said);
    }
    return outer;
}

}  // namespace mqinspect::thread_level::plugin
