/// The facts of the unit that is being compiled, as they grow function by function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/facts.h"
#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// Of a class without arguments of its template; empty: it has none.
std::string_view name_of_type(tree type);

/// "class::member" of a class's member; empty: one of them has no name.
std::string name_of_field(tree record, tree field);

/// How the unit writes a variable with static storage.
struct GlobalUse {
    tree declaration = NULL_TREE;
    std::uint32_t creations = 0;
    std::uint32_t other_writes = 0;
    std::uint32_t turn_writes = 0;    ///< of other_writes, those that turn_write() knows
    std::uint32_t member_writes = 0;  ///< of other_writes, those to one number in it
    bool has_constant = false;        ///< of the last assignment
    std::int64_t constant = 0;
    bool holds_provided = false;  ///< MPI tells a thread level in it
    bool is_compared = false;
    std::uint32_t tellings = 0;  ///< how often MPI tells the rank or size of a communicator in it
    bool points_to_new = false;  ///< a pointer: an assignment is of a semaphore that a call makes
};

/// How the unit writes a number that is a member of a static variable.
struct MemberWrites {
    std::uint32_t count = 0;
    std::optional<std::int64_t> constant;  ///< that the last one writes
};

/// A guard whose meaning depends on whether MPI tells a thread level in a global variable, or in a
/// member of a class.
struct ProvidedGuard {
    FunctionId function = 0;
    RegionId region = 0;
    unsigned variable = 0;  ///< DECL_UID
    bool is_told = false;   ///< holds if MPI alone writes to the variable, the rank or size
};

/// A parallel region that has several threads only where a variable that hands the turn on is a
/// number, or is not: as the step says.
struct TeamTest {
    FunctionId function = 0;
    RegionId region = 0;
    Step step;
};

/// A guard that has found a variable without a thread.
struct EmptyGuard {
    FunctionId function = 0;
    RegionId region = 0;
    unsigned keeper = 0;            ///< DECL_UID of the variable or member
    unsigned of_class = 0;          ///< TYPE_UID, of a member of an object that is handed over
    std::vector<unsigned> threads;  ///< DECL_UID: members with threads of what the variable is for
};

/// An MPI_Init_thread that stores the level in a global variable.
struct ProvidedLevel {
    FunctionId function = 0;
    StepId step = 0;
    unsigned variable = 0;
};

/// What a unit writes to a member of a class, or to a variable that each thread has for itself.
struct NumberUse {
    bool is_number = false;  ///< of the thread, plus `added`
    std::int64_t added = 0;
    bool is_flag = false;     ///< whether that is 0
    bool is_partial = false;  ///< such, but it may be false there, too
    bool is_yes = false;      ///< a constant other than 0
    bool is_other = false;    ///< but for constants
    StringId copy_of = 0;     ///< what another one has, or gives, plus `copy_added`
    std::int64_t copy_added = 0;
};

/// Such a member or variable gets whether the number is 0 that a function, or another one, gives.
struct KeptFlag {
    unsigned keeper = 0;  ///< DECL_UID
    StringId wrapper = 0;
    Condition when_true = Condition::None;
    bool is_constant = false;  ///< it is set to one where that holds
    bool is_partial = false;   ///< it may be false there, too
};

/// What a function is handed that a variable or member keeps.
struct HandedKeeper {
    StringId keeper = 0;  ///< as guards call it
    Value instead;        ///< what it is handed if that is no number of a thread
};

/// A function writes an argument to a member of a class, or to a variable of each thread.
struct KeptArgument {
    tree function = NULL_TREE;
    unsigned keeper = 0;  ///< DECL_UID
    StringId name = 0;    ///< as guards call it
    Value value;          ///< the parameter; of what each thread has also a field of it
    gimple* write = nullptr;
    bool is_own = false;  ///< each thread has it
};

/// What a constructor is handed, of an object that a thread is started with: a number of its own.
struct ConstructedNumber {
    StringId constructor = 0;
    std::int64_t position = 0;
};

/// A function writes what it is handed to a member that is a communicator.
struct HandedHandle {
    StringId member = 0;  ///< by what `member_handles` has it
    StringId function = 0;
    std::int64_t position = 0;
};

/// What the unit makes of one class, other than copies.
struct MadeObjects {
    /// What each constructor is handed that a loop counts, behind the object.
    struct Number {
        std::int64_t position = 0;
        std::int64_t first = 0;  ///< as Value::Kind::Counted has it
    };
    tree class_type = NULL_TREE;
    unsigned places = 0;  ///< where that is done
    StringId maker = 0;   ///< the function of the last of them
    std::vector<Number> numbers;
};

/// What a thread is started with: another object of a class each time.
struct NumberedObject {
    unsigned of_class = 0;     ///< TYPE_UID
    bool owns_thread = false;  ///< each has one at most
    Value instead;             ///< of a class whose objects have no numbers
};

/// A function that says whether an argument is 0, or is not: what it returns if that is the number.
struct ArgumentTest {
    std::int64_t position = 0;
    Returns returns = Returns::Other;
    bool is_with_others = false;  ///< what it is compared with are other arguments
};

/// A function that returns what it makes of another one's result: see Conditions::returned.
struct WrappingReturn {
    FunctionId function = 0;
    Returns returns = Returns::Other;
    StringId wrapper = 0;
};

/// What is not a static variable, by which threads may hand on the turn: one of a function, what a
/// lambda has captured, or a part of a static one.
struct TurnLocal {
    StringId owner = 0;         ///< symbol of the function whose variable it is
    StringId local_name = 0;    ///< as Value::Kind::Local has it
    StringId refers_to = 0;     ///< captured: the name of that
    StringId part_of = 0;       ///< symbol of the variable
    bool is_bad = false;        ///< it is used in ways that are not followed
    unsigned of_class = 0;      ///< a member of the only object of that class: its TYPE_UID
    StringId member = 0;        ///< and what is behind the object's name: ".member"
    StringId parameter_of = 0;  ///< what the function of that symbol is handed
    std::size_t position = 0;   ///< as which argument
};

/// A static future, of what std::async() has started.
struct AsyncFuture {
    std::vector<StringId> threads;  ///< their functions; 0: it is not known
    bool is_other = false;          ///< it is set to something else, too
    bool is_handed_on = false;      ///< another one may be of the thread
    /// Whether who waits for its thread does so by this variable.
    bool is_alone() const { return !is_other && !is_handed_on; }
};

/// The only object of a class, as far as the unit tells.
struct OnlyObject {
    StringId name = 0;    ///< as that of a TurnLocal
    StringId owner = 0;   ///< as in TurnLocal; 0: it is static
    StringId symbol = 0;  ///< of a static one
    bool is_bad = false;  ///< there may be several, or units that know of it
};

/// A lock in objects of a class, whichever object that is.
struct LockPart {
    unsigned of_class = 0;  ///< TYPE_UID
    StringId member = 0;    ///< ".member"
    bool is_bad = false;    ///< of several classes
};

/// A lock that a function makes by a call, and writes to a member.
struct MadeLock {
    tree function = NULL_TREE;
    StringId name = 0;
    gimple* made = nullptr;
    gimple* write = nullptr;
};

/// A variable by which threads may hand on the turn is an argument of a function of the unit.
struct HandedTurn {
    StringId name = 0;      ///< as values have it
    unsigned variable = 0;  ///< DECL_UID of a static one
    StringId function = 0;  ///< symbol
    std::size_t position = 0;
};

/// What the unit does to a member of a class that may be a lock: set, to find out whether it was.
struct SpinMember {
    bool is_taken = false;
    bool is_bad = false;  ///< it is written in other ways, too
};

/// A member of a class that MPI stores a thread level in, or that one is copied to; or a function
/// that returns one, which has no name here.
struct ProvidedField {
    StringId name = 0;
    bool is_level = false;
};

/// A level goes from a variable, member or function to a member, or to a function's result.
struct ProvidedCopy {
    unsigned from = 0;  ///< DECL_UID
    unsigned to = 0;
};

/// What a variable, a member or the result of a function gets that may say which thread level is
/// provided, see level_flags.h.
struct LevelFlagWrite {
    StringId keeper = 0;      ///< as guards name it
    std::int8_t if_true = 0;  ///< as in Variable
    std::int8_t if_false = 0;
    bool is_constant = false;  ///< in the source
    unsigned level = 0;        ///< DECL_UID: holds if MPI tells a thread level in it; 0: it does
    StringId copy_of = 0;      ///< another such keeper, of which it gets what that has
    const gimple* statement = nullptr;  ///< while GCC is at the function
    const_tree function = NULL_TREE;
};

/// All of them: as in Variable.
struct LevelFlag {
    std::int8_t if_true = 0;
    std::int8_t if_false = 0;
    std::uint32_t writes = 0;
};

/// How often the unit writes the identity of a thread to a variable or member, see main_identity.h.
struct IdentityWrites {
    std::uint32_t of_main = 0;    ///< the main thread its own
    std::uint32_t of_others = 0;  ///< anything else
};

/// A function says whether the caller is the thread whose identity a variable or member has.
struct IdentityReturn {
    StringId function = 0;  ///< symbol
    unsigned keeper = 0;    ///< DECL_UID
};

/// A pointer that a call returned, see returned_objects.h.
struct ReturnedObject {
    StringId function = 0;         ///< symbol
    std::vector<Value> arguments;  ///< that are objects
    std::string member;            ///< if any: of that object
    Value otherwise;               ///< what it is if the function returns another one each time
    bool is_lock = false;          ///< else an object that may have locks
    bool is_handed = false;        ///< what the constructor of that has been handed
};

/// A static variable that says which thread's turn it is, see own_turns.cpp.
struct OwnTurn {
    std::unordered_set<const gimple*> known;  ///< writes that have been counted
    std::uint32_t writes = 0;                 ///< as GlobalUse::other_writes counts
};

/// See team_writes.h.
struct TeamWrites {
    std::unordered_set<unsigned> in_teams;                    ///< DECL_UID, also of members
    std::unordered_set<tree> reached;                         ///< functions that teams come to
    std::unordered_map<tree, std::vector<unsigned>> writers;  ///< outside of regions
    std::unordered_map<tree, std::vector<tree>> calls;        ///< likewise
    std::vector<tree> called_in_teams;
};

/// A std::packaged_task: its function, and what calls of such are matched by.
struct Task {
    StringId function = 0;
    StringId type = 0;
};

/// What a variable or member points to, or an argument of a function; see pointed_functions.h.
struct PointedFunctions {
    tree variable = NULL_TREE;   ///< null: none
    tree handed_to = NULL_TREE;  ///< the function whose argument it is; null: none
    std::unordered_set<tree> functions;
    std::unordered_set<StringId> sources;  ///< arguments: whatever those point to
    bool is_other = false;                 ///< or something that can't be told
    bool is_shared = false;                ///< others may write to it, too
};

/// Members that are pointers to functions, see member_functions.h. Variables and fields are known
/// by their DECL_UID.
struct FunctionMembers {
    struct Write {
        unsigned variable = 0;
        unsigned field = 0;
        tree function = NULL_TREE;  ///< that writes to it
    };
    struct Handed {
        std::int64_t member = 0;  ///< member_number()
        unsigned field = 0;
        unsigned variable = 0;      ///< 0: one of the function's own
        tree function = NULL_TREE;  ///< that hands it over
    };
    std::unordered_set<unsigned> written;  ///< fields, by a pointer to whatever object
    std::unordered_set<unsigned> changed;  ///< static variables, as a whole
    std::vector<Write> writes;             ///< of static variables
    std::vector<Handed> handed;
};

class Gathering {
public:
    Unit unit;
    /// By what arguments of steps call them until the unit is complete.
    std::unordered_map<StringId, ConstructedNumber> constructed_numbers;
    std::unordered_map<StringId, NumberedObject> numbered_objects;
    std::unordered_map<unsigned, MadeObjects> made_objects;  ///< by TYPE_UID
    FunctionMembers function_members;
    TeamWrites team_writes;
    std::unordered_map<unsigned, NumberUse> number_uses;    ///< by DECL_UID
    std::unordered_map<StringId, unsigned> number_keepers;  ///< by what guards call them
    std::unordered_map<StringId, unsigned> own_places;      ///< the same, in Fortran's COMMON
    std::vector<KeptFlag> kept_flags;
    std::unordered_map<StringId, unsigned> given_sizes;  ///< members, see given_sizes.h: DECL_UID
    std::vector<KeptArgument> kept_arguments;
    /// What functions may write the number to that they are handed: by DECL_UID, names.
    std::unordered_map<unsigned, StringId> handed_keepers;
    /// What functions are handed of what variables and members keep, by names that arguments call
    /// it until the unit is complete.
    std::unordered_map<StringId, HandedKeeper> handed_of_keepers;
    /// Names of members of classes that other units may have, too: by DECL_UID.
    std::unordered_map<unsigned, StringId> shared_members;
    /// What members that point to a lock are, by their names: a parameter of the constructor, or a
    /// global variable; Unknown: one or the other.
    std::unordered_map<StringId, Value> lock_members;
    /// Of those, guards, and what is handed to the constructors of such.
    std::unordered_set<StringId> guard_members;
    std::unordered_map<unsigned, bool> lock_keepers;  ///< classes, by TYPE_UID, of guard_members.h
    /// Constructors that put what they are handed into such members, by the members' names.
    std::unordered_map<StringId, std::unordered_set<StringId>> lock_constructors;
    /// Of values that are such a member of a variable, by their names: the member's name.
    std::unordered_map<StringId, StringId> lock_member_of;
    std::unordered_map<unsigned, std::uint32_t> lock_pointers;  ///< DECL_UID; how often written
    /// Variables of functions that such members point to, by their names: whose they are.
    std::unordered_map<StringId, tree> local_locks;
    std::vector<MadeLock> made_locks;            ///< of functions that have no graph yet
    std::unordered_set<StringId> locks_of_each;  ///< another one for each object
    /// Members of closures that are one variable of main(), by their names; 0: or another one.
    std::unordered_map<StringId, StringId> captured_handles;
    /// The same, of copies of a request or communicator that main() makes at one place.
    std::unordered_map<StringId, StringId> copied_requests;
    /// Where main() makes communicators that closures have, by its variables.
    std::unordered_map<StringId, Place> creations;
    std::unordered_map<StringId, ReturnedObject> returned_objects;  ///< by what values call them
    std::unordered_map<StringId, Value> results;               ///< by symbol: what functions return
    std::unordered_map<unsigned, GlobalUse> globals;           ///< by DECL_UID
    std::unordered_map<StringId, MemberWrites> member_writes;  ///< by what values call members
    /// What functions return that always return one number, by symbol.
    std::unordered_map<StringId, std::int64_t> constant_results;
    std::unordered_map<StringId, PointedFunctions> pointed_functions;  ///< by Unit::pointed's names
    std::vector<tree> declarations;  ///< of unit.functions, in their order
    std::vector<tree> idle;          ///< functions of the unit that there is nothing to say about
    std::vector<ProvidedGuard> provided_guards;
    std::vector<LevelFlagWrite> level_flag_writes;
    std::unordered_map<StringId, LevelFlag> level_flags;  ///< by keeper, when the unit is complete
    /// Of those, copies of what this unit does not write to: of what, by keeper.
    std::unordered_map<StringId, StringId> copied_flags;
    std::vector<TeamTest> team_tests;
    /// Of classes that steps name: which functions their virtual calls mean, by slot.
    std::unordered_map<StringId, std::vector<StringId>> virtual_tables;
    std::vector<EmptyGuard> empty_guards;
    std::unordered_set<unsigned> lost_threads;  ///< keepers whose threads may go on without them
    bool detaches_threads = false;
    std::vector<ProvidedLevel> provided_levels;
    std::unordered_map<unsigned, ProvidedField> provided_fields;  ///< by DECL_UID
    std::vector<ProvidedCopy> provided_copies;
    std::vector<WrappingReturn> wrapping_returns;
    std::unordered_map<unsigned, IdentityWrites> identity_writes;  ///< by DECL_UID
    std::vector<IdentityReturn> identity_returns;
    std::unordered_map<StringId, std::vector<ArgumentTest>> argument_tests;  ///< by symbol
    /// Functions that return what a member keeps, or what they make of it, by symbol, where only
    /// the whole program tells what that is.
    std::unordered_map<StringId, WrappingReturn> returned_keepers;
    /// Functions that return the number of the thread and something, by symbol: what is added.
    std::unordered_map<StringId, std::int64_t> returned_sums;
    std::unordered_map<StringId, TurnLocal> turn_locals;    ///< by the name that values have of it
    std::unordered_map<unsigned, OnlyObject> only_objects;  ///< by TYPE_UID
    std::unordered_map<StringId, LockPart> lock_parts;      ///< by how values call them
    std::vector<HandedTurn> handed_turns;
    std::unordered_map<unsigned, OwnTurn> own_turns;  ///< by DECL_UID
    /// As values call them: variables of turns, static or not, that somebody gives away without
    /// having had it.
    std::unordered_set<StringId> bad_turns;
    /// What constructors make of members, by the name that values have of those.
    std::unordered_map<StringId, std::int64_t> made_values;
    /// What is known where functions return true, by their symbols.
    std::unordered_map<StringId, Step> predicates;
    /// Communicators in members, by what values call those, as note_member_handles() has them.
    std::unordered_map<StringId, Variable> member_handles;
    std::vector<HandedHandle> handed_handles;
    /// Communicators of threads' own, by their names: all that is written to them; Unknown, if that
    /// is not one.
    std::unordered_map<StringId, Value> own_handles;
    std::unordered_map<StringId, AsyncFuture> async_futures;  ///< by symbol
    bool has_futures_of_promises = false;                     ///< or of packaged tasks
    std::vector<Task> tasks;                                  ///< packaged ones that are made
    std::unordered_set<StringId> started_tasks;  ///< types of such that threads start with
    std::unordered_set<StringId> escaped;        ///< static variables whose parts others may know
    /// What functions take where their result says so, see own_try_locks.h: by name.
    std::unordered_map<StringId, Step> tries;
    std::unordered_set<StringId> asked_tries;  ///< that a branch on a result may mean
    std::unordered_set<StringId> spin_locks;   ///< names of variables used as such
    /// Of members that are used as locks: by what values call them, DECL_UID.
    std::unordered_map<StringId, unsigned> spin_members;
    std::unordered_map<unsigned, SpinMember> spin_member_uses;  ///< by DECL_UID
    /// Variables that are counted up or down: good for nothing else than for JobCounts.
    std::unordered_set<StringId> counted;
    /// What is computed is written to them, in front of parallel regions.
    std::unordered_set<StringId> computed_turns;
    /// Written without the order of memory that hands something on: what was written.
    std::unordered_multimap<StringId, std::optional<std::int64_t>> relaxed_writes;

    Place place(location_t location);
    /// The assembler name.
    StringId symbol(tree declaration);
    StringId intern(std::string_view text) { return unit.strings.intern(text); }
    GlobalUse& global(tree variable);
    /// How many there are, and the number of the next one.
    FunctionId functions() const { return static_cast<FunctionId>(unit.functions.size()); }

private:
    const char* last_file_ = nullptr;
    StringId last_file_id_ = 0;
};

/// Whether the program begins in the unit, as far as its functions have been met.
bool has_main(const Gathering& gathering);

/// Whether the front end is gfortran's.
bool is_fortran();
/// Whether it is g++'s.
bool is_cxx();

/// Whether it is declared in the source file itself, so that no other source has it.
bool is_of_this_source(tree declaration);

/// What indirect calls and functions are matched by: the same for all types that a call may
/// take for each other.
std::string type_key(tree function_type);
/// Of a call through a pointer to functions without prototype: by its arguments.
std::string type_key(const gcall* call);
/// "class::slot" of the virtual function `method`, where its class introduces or overrides it.
std::string slot_key(tree class_type, unsigned slot);

}  // namespace mqinspect::thread_level::plugin
