/// Initializations that can no longer happen: of MPI under `if (!initialized)`, once it is, and in
/// what makes a static variable of a function, once that is made.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

/// Where a thread comes into the program.
struct ComingIn {
    FunctionId function = 0;
    StateSet states = 0;
    bool is_behind_main = false;  ///< whatever main() does has been done
};

using StatesOfCall = std::function<StateSet(Node from, int state, const CallEdge& edge)>;
using StatesByGuard = std::map<std::pair<FunctionId, RegionId>, StateSet>;

/// What is sure to have happened wherever the program comes to.
class Initializations {
public:
    /// The program must outlive it.
    explicit Initializations(const Program& program);

    /// Of guards: the states of the function in which nobody passes them any more.
    StatesByGuard find_passed(const std::vector<ComingIn>& comings, const StatesOfCall& states);

private:
    /// Of things that have happened: MPI is initialized, and what is in some guards is executed.
    using Done = std::uint64_t;
    static constexpr Done kInitialized = 1;
    static constexpr Done kAll = ~Done{0};
    struct Guard {
        FunctionId function = 0;
        RegionId region = 0;
        Done bit = 0;  ///< 0: it asks whether MPI is initialized
        bool initializes = false;
    };
    struct Entry {
        std::optional<Done> done;  ///< nothing: nobody comes in
        bool is_open = false;
    };

    void find_guards();
    void find_relevant();
    bool is_plain(FunctionId function, RegionId region) const;
    Done done_by(FunctionId function, StepId step) const;
    Done known_in(FunctionId function, RegionId region) const;
    std::vector<std::optional<Done>> before_steps(FunctionId function, Done at_entry) const;
    void find_effect(FunctionId function);
    void enter(Node node, int state, Done done);
    void follow(Node node, int state, const StatesOfCall& states);
    bool is_passed(const Guard& guard, int state) const;

    const Program& program_;
    std::vector<Guard> guards_;
    std::map<FunctionId, std::vector<std::size_t>> guards_of_;
    std::vector<bool> relevant_;               // by node: it leads to a guard, or initializes MPI
    std::vector<Done> effects_;                // by node
    std::vector<std::vector<Entry>> entries_;  // by node and state
    std::vector<std::pair<Node, int>> open_;
};

}  // namespace mqinspect::thread_level
