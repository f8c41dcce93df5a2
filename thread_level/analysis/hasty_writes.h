/// Variables that who starts threads writes to without having waited for them.
///
/// What a thread finds such a variable to be may be over as it finds it: in `while (!quit) poll();`
/// it may still be polling when `quit` is set.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {

/// Functions, and kinds of calls, that may leave threads that they have started.
class Starters {
public:
    /// The program must outlive it.
    explicit Starters(const Program& program);

    /// Whether threads that the program has started may be there when `at` is reached.
    bool may_be_beside(TurnWrite at) const;

private:
    bool starts_before(Node function, StepId step) const;

    const Program& program_;
    std::unordered_set<Node> all_;
};

/// Whether some lock is held at `at`, on all ways that lead there.
bool holds_lock(const Program& program, TurnWrite at);

/// The one of two values that the variable may have had where it gets `to`; nothing if it has more.
std::optional<std::int64_t> other_value(const Program& program,
                                        const TurnWrites& writes,
                                        StringId variable,
                                        std::int64_t to);

/// How long a thread that the program has started may rely on what it has found out.
enum class Reliance : std::uint8_t { UntilItWrites, WhileLocked, Never };

/// Of `turn`, of Exclusion::Kind::Turn, that `function` has found.
Reliance reliance_on(const Program& program, FunctionId function, const Exclusion& turn);

}  // namespace mqinspect::thread_level
