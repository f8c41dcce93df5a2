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
    /// Such as the function itself has started.
    bool may_be_beside_own(TurnWrite at) const { return starts_before(at.function, at.step); }

private:
    bool starts_before(Node function, StepId step) const;

    const Program& program_;
    std::unordered_set<Node> all_;
};

/// Whether some lock is held there, on all ways that lead to the outermost call.
bool holds_lock(const Program& program, const std::vector<TurnWrite>& way);

/// Whether threads that the program has started, and nobody else, execute the function.
bool is_of_threads(const Program& program, FunctionId function);

/// What `turn`, of Exclusion::Kind::Turn, says holds no longer behind the write.
bool ends(const HastyWrite& write, const Exclusion& turn);
/// By what `turn` says the write does not come here.
bool rules_out(const Exclusion& turn, const HastyWrite& write);

}  // namespace mqinspect::thread_level
