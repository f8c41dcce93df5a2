#include "thread_level/gcc_plugin/made_locks.h"

#include <algorithm>

#include "thread_level/gcc_plugin/only_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostCopies = 8;

/// The call that gives a local pointer its value; null: there is none, or several.
gimple* maker_of(Values& values, tree pointer) {
    for (int i = 0; i < kMostCopies && is_local_name(pointer); ++i) {
        const Located* made = values.only_assignment(pointer);
        if (made == nullptr) return nullptr;
        if (is_gimple_call(made->statement)) return made->statement;
        if (!is_copying(made->statement)) return nullptr;
        pointer = strip(gimple_assign_rhs1(made->statement));
    }
    return nullptr;
}

/// Whether a loop writes to the member, and does not come there again without making another lock.
bool is_made_for_each(const MadeLock& lock) {
    basic_block write = gimple_bb(lock.write);
    basic_block made = gimple_bb(lock.made);
    return write != nullptr && made != nullptr && is_in_cycle(write) && !is_in_cycle(write, made);
}

}  // namespace

void note_made_lock(
    Gathering& gathering, Values& values, StringId name, tree pointer, gimple* write) {
    gimple* made = maker_of(values, pointer);
    if (made != nullptr) gathering.made_locks.push_back({current_function_decl, name, made, write});
}

/// Two members that get one and the same lock are of two objects, as a rule.
void lose_locks_of_each(Gathering& gathering, tree function) {
    const auto is_other_write = [](const MadeLock& a, const MadeLock& b) {
        return a.made == b.made && a.write != b.write;
    };
    const std::vector<MadeLock>& locks = gathering.made_locks;
    for (const MadeLock& lock : locks) {
        if (lock.function != function || !is_made_for_each(lock)) continue;
        const bool is_written_twice = std::ranges::any_of(
            locks, [&](const MadeLock& other) { return is_other_write(lock, other); });
        if (!is_written_twice) gathering.locks_of_each.insert(lock.name);
    }
    std::erase_if(gathering.made_locks,
                  [&](const MadeLock& lock) { return lock.function == function; });
}

}  // namespace mqinspect::thread_level::plugin
