#include "analysis/local/sound_calls.h"

#include <algorithm>

#include "analysis/local/arguments.h"

namespace mqinspect::analysis {

namespace {

using model::ParameterKind;
using model::Role;

// Addresses of programs are below; sums of two of them need no checks.
constexpr std::int64_t kHighestAddress = std::int64_t{1} << 62U;

/// Nothing can be wrong with them, or other checks find it.
bool is_ignored(ParameterKind kind) {
    return kind == ParameterKind::Request || kind == ParameterKind::RequestList ||
           kind == ParameterKind::Checksum || kind == ParameterKind::ChecksumList;
}

/// Whether MPI_REQUEST_NULL is in order.
bool needs_request(RequestAction action) {
    using enum RequestAction;
    return action == Start || action == Startall || action == Free || action == Cancel ||
           action == Partition;
}

/// Of requests it depends, see needs_request().
bool needs_object(ParameterKind kind) {
    return model::is_handle(kind) && kind != ParameterKind::Request;
}

bool is_ordinary(const Access& access) {
    return access.address > 0 && access.address < kHighestAddress && access.hull.low > 0 &&
           access.hull.high < kHighestAddress;
}

}  // namespace

SoundCalls::SoundCalls(const std::vector<LocalProcedure>& procedures) {
    comparisons_.reserve(procedures.size());
    for (const LocalProcedure& local : procedures)
        comparisons_.push_back(comparison_of(local));
}

SoundCalls::Comparison SoundCalls::comparison_of(const LocalProcedure& local) {
    Comparison comparison;
    if (local.definition != DefinitionRule::None || needs_request(local.requests))
        return comparison;
    const auto& parameters = local.procedure->parameters;
    if (parameters.size() > UINT8_MAX) return comparison;
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const ParameterKind kind = parameters[at].kind;
        if (parameters[at].direction == model::Direction::Out || is_ignored(kind)) continue;
        if (model::is_list(kind)) return comparison;
        auto& compared = kind == ParameterKind::Buffer ? comparison.buffers
                         : kind == ParameterKind::Tag  ? comparison.tags
                                                       : comparison.values;
        compared.push_back(static_cast<std::uint8_t>(at));
    }
    comparison.possible = true;
    return comparison;
}

bool SoundCalls::knows(const CallView& view, std::uint64_t generation) const {
    const std::size_t stack = view.call.stack.index();
    if (stack >= by_stack_.size()) return false;
    const Known& known = by_stack_[stack];
    if (known.procedure != view.call.procedure || known.generation != generation) return false;
    const Comparison& comparison = comparisons_[view.call.procedure.index()];
    const std::int64_t* expected = known.values.data();
    for (const std::uint8_t at : comparison.values)
        if (view.call.before[at].number != *expected++) return false;
    for (const std::uint8_t at : comparison.buffers)
        if (view.call.before[at].number == model::kInPlace) return false;
    for (const std::uint8_t at : comparison.tags) {
        const std::int64_t tag = view.call.before[at].number;
        if (!is_always_a_tag(tag) && tag != *expected) return false;
        ++expected;
    }
    return true;
}

void SoundCalls::keep(const CallView& view,
                      std::uint64_t generation,
                      const std::vector<Access>& accesses) {
    const Comparison& comparison = comparisons_[view.call.procedure.index()];
    const auto& parameters = view.local.procedure->parameters;
    const auto& before = view.call.before;
    if (!comparison.possible || view.call.stack.value < 0 || before.size() < parameters.size())
        return;
    // Null handles are in order under conditions that another call may not meet.
    const auto is_null = [&](std::uint8_t at) {
        return needs_object(parameters[at].kind) && before[at].number < 0;
    };
    const auto is_in_place = [&](std::uint8_t at) { return before[at].number == model::kInPlace; };
    if (std::ranges::any_of(comparison.values, is_null) ||
        std::ranges::any_of(comparison.buffers, is_in_place))
        return;
    const std::size_t stack = view.call.stack.index();
    if (stack >= by_stack_.size()) by_stack_.resize(stack + 1);
    Known& known = by_stack_[stack];
    known.procedure = view.call.procedure;
    known.generation = generation;
    known.values.clear();
    for (const std::uint8_t at : comparison.values)
        known.values.push_back(before[at].number);
    for (const std::uint8_t at : comparison.tags)
        known.values.push_back(before[at].number);
    const BufferRule rule = view.local.buffers;
    known.one_access = (rule == BufferRule::Send || rule == BufferRule::Receive) &&
                       accesses.size() == 1 && is_ordinary(accesses.front());
    if (known.one_access) known.access = accesses.front();
}

bool SoundCalls::collect_accesses(const CallView& view, std::vector<Access>& accesses) const {
    const Known& known = by_stack_[view.call.stack.index()];
    const std::int64_t address = view.number(Role::Buffer);
    if (!known.one_access || address <= 0 || address >= kHighestAddress) return false;
    const std::int64_t way = address - known.access.address;
    Access& access = accesses.emplace_back(known.access);
    access.address = address;
    access.hull.low += way;
    access.hull.high += way;
    return true;
}

}  // namespace mqinspect::analysis
