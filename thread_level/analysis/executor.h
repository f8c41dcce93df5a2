/// Which threads of a team execute something.
#pragma once

#include <cstdint>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

enum class Who : std::uint8_t {
    All,
    Others,    ///< all but thread 0
    Master,    ///< thread 0
    Main,      ///< the main thread of the process, in whichever team it is
    Numbered,  ///< thread `instance`
    One,       ///< whichever comes first; `instance`: of which construct
    Nobody,
};

/// Numbers of threads from here on stand for indices of worksharing loops, from 0: whichever
/// thread of the team executes that iteration.
inline constexpr std::uint64_t kFirstIndex = std::uint64_t{1} << 41;

struct Executor {
    Who who = Who::All;
    std::uint64_t instance = 0;

    bool operator==(const Executor&) const = default;
};

/// Of the body of a region in a team, as far as the region itself says.
/// `condition`: what its guard says, of `number`.
Executor executor_of(const Region& region, RegionId id, Condition condition, std::int64_t number);

/// Of what is inside an `inner` inside an `outer`, in one team.
Executor narrow(Executor outer, Executor inner);

/// What the number of the thread is, of something that a guard or `master` is around, inside of
/// what is known of it.
Executor narrow_number(Executor known, Executor inner);

/// Of what one call, `step`, reaches: each call has constructs of its own.
Executor called_at(StepId step, Executor callee);

/// The thread is the same one each time, and the same for both.
bool is_same_thread(Executor a, Executor b);
/// The same, and known by its number: whatever it executes comes one after the other.
bool is_same_number(Executor a, Executor b);

}  // namespace mqinspect::thread_level
