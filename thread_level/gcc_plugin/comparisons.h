/// What conditions say of each other: `if (n <= 0)` behind a loop that goes on while n > 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// Into what is kept by block.
inline std::size_t index_of(const basic_block_def* block) {
    return static_cast<std::size_t>(block->index);
}

/// Comparisons of local variables, with numbers or each other, that the branches of a function
/// make, and what is known of them on its ways. After lowering, in the control-flow graph.
class Comparisons {
public:
    static constexpr std::size_t kMost = 12;
    /// What may be: bits. Of each comparison.
    using Order = std::uint8_t;
    static constexpr Order kLess = 1;
    static constexpr Order kEqual = 2;
    static constexpr Order kGreater = 4;
    static constexpr Order kAny = kLess | kEqual | kGreater;
    using Known = std::array<Order, kMost>;

    explicit Comparisons(function* fun);

    /// At the end of `block`; nothing: no way leads there.
    std::optional<Known> at_end(basic_block block) const;
    /// At the end of `block`, if that begins with `known`.
    Known through(basic_block block, Known known) const;
    /// On `e`, with `known` at the end of the block that it leaves; nothing: that is never so.
    std::optional<Known> along(const edge_def* e, Known known) const;
    /// Nothing: no branch compares `variable` with 0, or it is known already; else what is known
    /// where it is 0, or is not.
    std::optional<Known> with_zero(Known known, tree variable, bool is_zero) const;

private:
    struct Comparison {
        tree left = NULL_TREE;
        tree right = NULL_TREE;
    };
    struct Test {
        std::size_t comparison = kMost;
        Order when_true = kAny;
    };

    bool conclude(std::size_t from, Known& known) const;
    void add_test(basic_block block);
    void flow(function* fun);
    void pass(gimple* statement, Known& known) const;
    Order assigned(gimple* statement, const Comparison& comparison, Order before) const;

    std::vector<Comparison> comparisons_;
    std::vector<Test> tests_;                     // at the end of blocks, by their index
    std::vector<std::optional<Known>> at_start_;  // of blocks
};

}  // namespace mqinspect::thread_level::plugin
