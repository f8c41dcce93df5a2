/// Who has a token: what threads wait for and post on their ways through the program.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "thread_level/analysis/tokens.h"

namespace mqinspect::thread_level {

/// What a thread may have, as bits. Above them come two for the thread that has made its team, or
/// the task, and so on.
using Possession = std::uint64_t;
inline constexpr Possession kWithout = 1;
inline constexpr Possession kWith = 2;
inline constexpr Possession kEither = kWithout | kWith;

/// Whether the step waits for one of the semaphores, or posts one.
bool is_of(const Step& step, const std::set<StringId>& semaphores);

/// Whether each post of some semaphores is by who has the token: a data-flow over functions, with
/// what they call. Each thread of a team, and each task, begins without.
class Possessions {
public:
    /// `holder`: a region that one thread of a team executes at a time, with the token wherever it
    /// enters it. Without a function: none.
    Possessions(const Program& program,
                const std::set<StringId>& semaphores,
                PartOfTeam holder = {});

    /// What a thread has at the end of `node`, which it enters with `at_first`.
    Possession run(Node node, Possession at_first);
    /// So far.
    bool is_kept() const { return is_kept_; }
    /// Behind run(): whether nobody comes to a post in `node`, or in what it calls, who can't have
    /// the token, and each is of one.
    bool may_be_kept(Node node, Possession at_first);
    /// What threads have where they leave the holder; 0: they do not.
    Possession left() const { return left_; }
    /// Functions that only who has the token enters.
    std::set<FunctionId> holders() const;
    /// Steps that only who has the token comes to.
    TokenPlaces places() const;

private:
    Possession run_function(FunctionId id, Possession at_first);
    Possession after(FunctionId id, StepId step, Possession before);
    Possession after_use(const Step& step, Possession before);
    Possession along(FunctionId id, StepId from, StepId to, Possession possession);

    const Program& program_;
    const std::set<StringId>& semaphores_;
    PartOfTeam holder_;
    std::map<std::pair<Node, Possession>, Possession> known_;
    std::map<FunctionId, std::vector<Possession>> before_;
    std::map<std::pair<Node, Possession>, std::vector<Possession>> before_by_entry_;
    std::set<std::pair<Node, Possession>> looked_at_;  // by may_be_kept()
    Possession left_ = 0;
    bool is_kept_ = true;
};

}  // namespace mqinspect::thread_level
