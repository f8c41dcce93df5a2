/// In which states of the automaton each function is entered, and by which chain of calls.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "thread_level/analysis/asked_arguments.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

class Contexts {
public:
    /// The call by which a node was first found to be entered in a state.
    struct Witness {
        Node from = kNone;  ///< kNone: it is where the program, or what is not there, comes in
        StepId step = kNone;
        std::uint8_t state = 0;  ///< of the caller at its entry
    };

    Contexts(const Program& program, const Settings& settings);

    StateSet entered(Node node) const { return entered_[node]; }
    /// By callers that are not there.
    StateSet from_outside(Node node) const { return outside_[node]; }
    /// Of a body entered in any of `states`.
    StateSet states_in(FunctionId function, RegionId region, StateSet entry) const;
    StateSet states_in(FunctionId function, RegionId region) const {
        return states_in(function, region, entered_[function]);
    }
    /// Of `entry`, the states in which some call may hand the function what guards around `region`
    /// ask for.
    StateSet without_refuted(FunctionId function, RegionId region, StateSet entry) const;
    /// Of guards in what functions call, too. Refers to this.
    AskedArguments asked_arguments() const;
    /// Of the thread that a step starts.
    StateSet state_of_thread(Node from, StepId step) const;
    const Witness& witness(Node node, int state) const { return entries_[node][index(state)].by; }
    /// Guards on the way say that at least this level is provided.
    Level assured(Node node, int state) const { return entries_[node][index(state)].assured; }
    /// What the guards of `region` and around say, within the function. `is_serial`: who enters
    /// that is no team, so that a region may be asked why there is one.
    Level assured_in(FunctionId function, RegionId region, bool is_serial) const;
    /// Whether a call that is not seen may be what enters it: of what is not there, or below such.
    bool may_be_entered_from_outside(Node node) const { return is_below_outside_[node]; }
    /// MPI's main thread is one that the program starts.
    bool starts_main_thread() const { return main_thread_.has_value(); }
    /// The unit defines where the program starts.
    bool has_main() const { return main_ != kNone; }

private:
    struct Entry {
        Witness by;
        Level assured = Level::Multiple;
    };
    struct Pending {
        Node node = 0;
        std::uint8_t state = 0;
    };

    static std::size_t index(int state) { return static_cast<std::size_t>(state); }
    void run(const Settings& settings);
    StateSet states_of_call(const Pending& from, const CallEdge& edge) const;
    StateSet states_by(const CallerEdge& caller, FunctionId function, StateSet entry) const;
    void find_refuted();
    void find_passed();
    void enter_from_outside(const Settings& settings);
    void enter_forgotten(const Settings& settings);
    void find_below_outside();
    void enter(Node node, int state, const Witness& by, Level assured);
    void propagate();
    void follow(const Pending& from);
    const std::vector<Transfer>& transfers(Node node) const;
    Transfer transfer_of_first(std::span<const Region> regions,
                               RegionId guard,
                               const std::vector<Transfer>& all) const;

    const Program& program_;
    FunctionId main_ = kNone;
    std::optional<CallerEdge> main_thread_;  // what starts it, if the program does
    std::vector<StateSet> entered_;
    std::vector<StateSet> outside_;
    std::vector<bool> is_below_outside_;
    std::vector<std::array<Entry, kAllStates>> entries_;
    mutable std::vector<std::vector<Transfer>> transfers_;  // filled when first asked for
    /// Of guards: states of the function in which what they ask for is never handed to it, or does
    /// not hold any more.
    std::map<std::pair<FunctionId, RegionId>, StateSet> refuted_;
    std::deque<Pending> pending_;
};

}  // namespace mqinspect::thread_level
