/// Locks that constructors are handed, and put the address of into a member of the object.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// What the unit's calls hand to constructors, at the end of the unit.
class ConstructedLocks {
public:
    explicit ConstructedLocks(Gathering& gathering);

    /// What all calls of `constructor` hand to its parameter `position`: a static lock, one of
    /// main(), which is noted as such, or a member of one or the other object. Unknown: several, or
    /// none that can be told.
    Value handed(StringId constructor, std::int64_t position) {
        return handed(constructor, position, 0);
    }

private:
    struct Call {
        FunctionId caller = 0;
        const Step* step = nullptr;
    };
    Value handed(StringId function, std::int64_t position, int depth);
    Value handed_by(const Call& call, std::int64_t position, int depth);
    Value of_caller(const Call& call, const Value& local);
    bool has_other_callers(FunctionId function) const;
    bool is_unused(FunctionId function) const;

    Gathering& gathering_;
    std::unordered_map<StringId, std::vector<Call>> calls_;  // by symbol, not that of an alias
};

}  // namespace mqinspect::thread_level::plugin
