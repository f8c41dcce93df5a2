/// Calls of the library thread_level/checks, around the MPI calls that may be wrong (CC_ipw and
/// CC_cc of Saillard, Carribault and Barthou, Euro-Par 2015, section 4).
#pragma once

#include <string>
#include <vector>

#include "thread_level/analysis/assessment.h"
#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

class RunTimeChecks {
public:
    /// Around all MPI calls of a function, right after its control-flow graph was made, and at both
    /// ends of its tasks. `statements`: of each step, as of Skeleton.
    void insert(const Strings& strings,
                const Function& facts,
                const std::vector<gimple*>& statements,
                Callees& callees);

    /// In front of `write`, which may hand something on to another thread: see Preparation.
    void insert_turn(gimple* write);

    /// Once the whole unit is known: takes out the calls at which nothing can be wrong, and marks
    /// the steps of the others in `unit`.
    void keep_needed(Unit& unit, const Assessment& assessment);

    /// Lets GCC's garbage collector know what is still used.
    void mark_used() const;

private:
    void declare();
    /// `head`: version and flags of the site's text.
    void insert_around(gcall* call,
                       const MpiProcedure& procedure,
                       const std::string& head,
                       const std::string& name);

    tree call_ = NULL_TREE;
    tree return_ = NULL_TREE;
    tree task_begin_ = NULL_TREE;
    tree task_end_ = NULL_TREE;
    tree turn_ = NULL_TREE;
};

}  // namespace mqinspect::thread_level::plugin
