/// A unit as a graph of calls, with names resolved.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/analysis/lone_starts.h"
#include "thread_level/analysis/own_numbers.h"
#include "thread_level/analysis/procedures.h"
#include "thread_level/analysis/turns.h"
#include "thread_level/facts/facts.h"
#include "thread_level/facts/library_functions.h"

namespace mqinspect::thread_level {

/// A function of the unit, or, above those, all functions that one kind of indirect or virtual
/// call may mean.
using Node = std::uint32_t;

enum class CallKind : std::uint8_t {
    Call,
    Start,     ///< in a thread of its own
    Dispatch,  ///< from a kind of indirect call to what it may mean; has no step
};

struct CallEdge {
    StepId step = kNone;
    Node to = 0;
    CallKind kind = CallKind::Call;
};

/// Of a step that calls something on this thread, or starts one with it.
inline CallKind kind_of_call(const Step& step) {
    return step.kind == StepKind::StartThread ? CallKind::Start : CallKind::Call;
}

/// Until they are sorted.
struct OpenEdge {
    Node from = 0;
    CallEdge edge;
};

struct CallerEdge {
    Node from = 0;
    StepId step = kNone;
    CallKind kind = CallKind::Call;
};

/// A Guard's condition, as far as the unit tells.
struct ResolvedCondition {
    Condition condition = Condition::None;
    std::int64_t number = 0;  ///< of Region
    bool is_unknown = false;  ///< a function that is not there gave what was compared
    StringId own = 0;         ///< who has `number` in it: a variable of OwnNumbers; 0: none
};

/// What a function gives, and what that is more than the number of the thread, if it is that.
struct GivenNumber {
    Returns returns = Returns::Other;
    std::int64_t added = 0;
    bool is_unknown = false;  ///< the function is not there
};

/// What the result of a wrapper makes of a condition that was taken for one on thread numbers.
Condition condition_of_wrapper(Condition assumed, std::int64_t number, Returns returns);
/// Region::number of the same.
std::int64_t number_of_wrapper(std::int64_t number, Returns returns);

/// What a condition that was taken for one on the number of a thread says where that is what is
/// compared, less `added`.
ResolvedCondition condition_of_sum(Condition assumed, std::int64_t number, std::int64_t added);

/// What a guard on a flag says that itself says which level is provided; see Variable.
ResolvedCondition condition_of_flag(Condition assumed,
                                    std::int64_t number,
                                    std::int8_t if_true,
                                    std::int8_t if_false);

/// What the functions of the unit write to a member, or to a variable that each thread has for
/// itself; see Unit::numbers. What functions write that are handed it is KeptNumber's.
struct WrittenNumber {
    bool is_number = false;   ///< of the thread
    bool is_flag = false;     ///< says whether that is 0
    bool is_partial = false;  ///< or is false there, too
    bool is_other = false;
};

WrittenNumber written_number(const Unit& unit, StringId keeper);

/// What functions are handed that they write to a member.
struct KeptNumber {
    bool is_number = false;   ///< of the thread
    bool is_partial = false;  ///< says whether that is 0, or is false there, too
    bool is_other = false;
    bool is_unknown = false;  ///< who calls them is not there
};

/// Both.
struct AllWritten {
    bool is_number = false;
    bool is_flag = false;
    bool is_partial = false;
    bool is_other = false;
    bool is_unknown = false;
};

AllWritten all_written(const WrittenNumber& written, const KeptNumber& kept);

/// Refers to the unit.
class Program {
public:
    /// `is_whole`: see Settings::whole_program.
    explicit Program(const Unit& unit, bool is_whole = false);

    const Unit& unit() const { return unit_; }
    Node nodes() const { return static_cast<Node>(first_call_.size() - 1); }
    bool is_function(Node node) const { return node < unit_.functions.size(); }

    bool is_main(FunctionId id) const;
    /// Of a function whose regions and steps don't fit together: nothing.
    std::span<const Step> steps(Node node) const;
    std::span<const Region> regions(Node node) const;

    std::span<const CallEdge> calls(Node node) const;  ///< by step
    std::span<const CallerEdge> callers(Node node) const;
    /// Those of one step.
    std::span<const CallEdge> calls_of(Node node, StepId step) const;
    /// Adds what the thread executes that enters the program, or the function of a thread, at
    /// `root`; by node. `with_threads`: and all that it starts.
    void add_executed(Node root, std::vector<bool>& executed, bool with_threads = false) const;
    /// False: nothing leads there from main(), nor from what is executed before or behind that, and
    /// nobody else can call it.
    bool may_be_executed(FunctionId id) const { return executed_.empty() || executed_[id]; }
    /// What functions write that they are handed to what each thread has for itself.
    const OwnNumbers& own_numbers() const { return own_numbers_; }
    /// Nodes that call each other in cycles, callees before callers.
    const std::vector<std::vector<Node>>& components() const { return components_; }

    /// What a thread of a team calls here it calls on its way to end the process: ways_out().
    bool is_way_out(Node node, StepId step) const {
        return node < ways_out_.size() && step < ways_out_[node].size() && ways_out_[node][step];
    }
    /// All ways through the function.
    bool ends_process(Node node) const { return is_way_out(node, 0); }
    /// Whether the step executes a std::packaged_task.
    bool runs_task(const Step& step) const {
        return step.kind == StepKind::Indirect && step.is_virtual &&
               is_task_slot(unit_.strings[step.name]);
    }
    /// Of a step that makes such a task of `callee`: how calls of it are matched. 0: it makes none,
    /// or one that may be called by what is not there.
    StringId run_by(const Step& step, Node callee) const;

    Procedure procedure(StringId name) const;
    ResolvedCondition condition(const Region& region) const;
    /// The level that a guard says is provided; MPI_THREAD_SINGLE's if it says none.
    std::int64_t assured_by(const Region& region) const;
    /// What level is provided where a parallel region has several threads; 0: any.
    std::int64_t assured_in_team(const Region& region) const;
    /// nullptr: nothing is known of it.
    const Variable* variable(StringId name) const;
    /// A number: threads of a team may write to it.
    bool changes_in_team(const Variable& number) const;
    FunctionId function(StringId symbol) const { return functions_[symbol]; }
    /// What a function gives of the number of the thread, by its result or an argument (see
    /// name_of_answer()).
    GivenNumber number_given(StringId function) const;
    bool is_unknown(StringId symbol) const { return is_unknown_[symbol]; }
    const std::vector<StringId>& unknown_callees() const { return unknown_callees_; }
    const Turns& turns() const { return turns_; }
    /// One such thread at a time is there, of one that comes to the step again: lone_starts().
    bool is_lone_start(Node node, StepId step) const { return lone_starts_.contains({node, step}); }
    /// The same, whichever threads come to the step, if they hold a lock there.
    bool is_lone_start_under_lock(Node node, StepId step) const {
        const auto found = lone_starts_.find({node, step});
        return found != lone_starts_.end() && found->second.is_under_one_hold;
    }
    /// No two threads come to the guard at a time: single_guards().
    bool is_single_guard(FunctionId function, RegionId region) const {
        return single_guards_.contains({function, region});
    }
    bool starts_threads() const { return starts_threads_; }

private:
    bool is_idle(std::string_view symbol) const;
    void find_sound_functions();
    void find_executed(bool is_whole);
    void name_functions();
    void find_edges();
    void add_call(FunctionId function, StepId id, const Step& step);
    void add_external(FunctionId function, StepId id, const Step& step);
    void note_unknown(StringId symbol);
    std::vector<StringId> types_cast_to(StringId type) const;
    const std::vector<FunctionId>& of_type(StringId type);
    void add_dispatch(FunctionId function, StepId id, const Step& step);
    void add_by_type(FunctionId function, StepId id, const Step& step);
    void add_calls_of_handed();
    Node dispatch_to(StringId name, bool is_virtual);
    Node dispatch_by(StringId pointer);
    Node dispatch_among(const std::vector<FunctionId>& candidates, Node& node);
    bool is_pointer_told(const Value& pointer) const;
    void find_pointed();
    void find_setters();
    bool is_one_unit() const;
    void find_callers();
    AllWritten all_written_to(StringId name) const;
    bool never_returns(std::string_view function) const;
    ResolvedCondition condition_on_kept(const Region& region) const;
    void find_changing();
    void find_given_size();
    ResolvedCondition condition_on_sum(const Region& region) const;
    ResolvedCondition common_condition(const Region& region) const;
    bool is_level(const Value& value) const;
    bool is_number(const Value& value, std::int64_t& number) const;
    ResolvedCondition level_condition(const Region& region) const;
    const Variable* level_flag(StringId name) const;  ///< nullptr: it is none
    ResolvedCondition flag_condition(const Region& region, const Variable& flag) const;
    ResolvedCondition limit_condition(const Region& region) const;

    const Unit& unit_;
    std::vector<bool> sound_;
    std::vector<bool> executed_;         ///< empty: all may be
    std::vector<FunctionId> functions_;  // by symbol
    std::vector<std::uint32_t> variables_;
    std::vector<Procedure> procedures_;
    std::vector<Node> dispatch_by_type_;
    std::vector<Node> dispatch_by_slot_;
    std::unordered_map<std::string, std::vector<FunctionId>> by_shape_;
    std::unordered_multimap<StringId, StringId> casts_;  // Unit::casts: what was cast, by to what
    std::unordered_map<StringId, std::vector<FunctionId>> of_type_;
    std::vector<std::vector<FunctionId>> by_slot_;
    struct Pointed {
        std::vector<FunctionId> functions;
        std::vector<StringId> sources;  // other pointers: what they point to, too
        bool is_other = false;          // or something that is not known
        Node dispatch = kNone;

        bool add(const Pointed& source);
    };
    std::unordered_map<StringId, Pointed> pointed_;  // by pointer
    std::vector<bool> is_unknown_;                   // by symbol
    std::vector<StringId> unknown_callees_;
    Node dispatches_ = 0;
    std::vector<OpenEdge> edges_;
    std::vector<std::pair<FunctionId, StepId>> by_parameter_;  // calls of what is handed in
    std::vector<CallEdge> calls_;
    std::vector<std::uint32_t> first_call_;
    std::vector<CallerEdge> callers_;
    std::vector<std::uint32_t> first_caller_;
    std::vector<std::vector<Node>> components_;
    std::vector<std::vector<bool>> ways_out_;  // by function, step
    bool starts_threads_ = false;
    Turns turns_;
    std::map<std::pair<FunctionId, StepId>, LoneStart> lone_starts_;
    std::set<std::pair<FunctionId, RegionId>> single_guards_;
    std::unordered_map<const Region*, ResolvedCondition> handed_conditions_;
    std::unordered_map<StringId, KeptNumber> numbers_kept_;  // by member
    OwnNumbers own_numbers_;
    StringId given_size_ = Strings::kNoString;    ///< what gives teams their size, see Region::name
    std::unordered_set<std::uint32_t> changing_;  // idle_hash() of numbers that teams may write to
};

}  // namespace mqinspect::thread_level
