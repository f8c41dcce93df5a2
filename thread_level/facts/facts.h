/// What one translation unit, or a whole program, says about threads and MPI: functions, their
/// OpenMP regions, and the steps that matter on their control-flow graphs.
///
/// The GCC plugin makes facts of GIMPLE, notes in object files carry them, and one and the same
/// analysis reads them in the compiler and in the link step. Nothing here knows GCC, ELF or an
/// MPI library. Compiled without exceptions and run-time type information, as GCC 12's plugins
/// have to be. All values are plain and copyable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "thread_level/facts/dispatch.h"
#include "thread_level/facts/hash.h"
#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level {

using RegionId = std::uint32_t;    ///< index into Function::regions
using StepId = std::uint32_t;      ///< index into Function::steps
using FunctionId = std::uint32_t;  ///< index into Unit::functions

inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// Texts are constants from here on, by a hash of them; no other number is so high.
inline constexpr std::int64_t kFirstText = std::int64_t{1} << 62U;
/// Of an argument: no address at all. So is one that is left out in Fortran.
inline constexpr std::int64_t kNull = kFirstText - 1;
/// Of an argument: a communicator of one process, as MPI_COMM_SELF is.
inline constexpr std::int64_t kOneProcess = kFirstText - 2;

/// What numbers are divided by, to ask what is left.
inline constexpr std::int64_t kMostModulus = std::int64_t{1} << 16U;

/// In a source. `compiler` is GCC's location_t while the unit is being compiled; notes leave it
/// out.
struct Place {
    StringId file = 0;
    std::uint32_t line = 0;    ///< 0: unknown
    std::uint32_t column = 0;  ///< 0: unknown
    std::uint32_t compiler = 0;

    bool operator==(const Place&) const = default;
};

/// Of an element: a loop counts its index.
inline constexpr std::int64_t kCounted = 2;
/// The same, from a number that is not known.
inline constexpr std::int64_t kCountedFromUnknown = 3;
/// The same, in a loop that each thread goes through by itself: this and the first index. The array
/// is one for all threads of the region; with `is_shared` for all of the program.
inline constexpr std::int64_t kCountedByEach = std::int64_t{1} << 20U;
inline constexpr std::int64_t kMostFirst = kCountedByEach / 2;
/// Of such an array: the index is the number of the thread, and what is above this; or it is
/// computed of that, and equal for two whose numbers are what is above that apart.
inline constexpr std::int64_t kByThread = kCountedByEach * 4;
inline constexpr std::int64_t kSharedByThreads = kCountedByEach * 16;

/// Of a number: what is computed from that of the thread, and may be equal for some of them.
inline constexpr std::int64_t kFromThread = 4;

/// Of the number of the thread: not that, but whether it is 0, or whether it is not.
inline constexpr std::int64_t kIsZero = 1;
inline constexpr std::int64_t kIsNotZero = 2;
/// The same: not that, but the index of a worksharing loop, of which each is executed by one
/// thread.
inline constexpr std::int64_t kIndexOfLoop = 3;
/// The same: what is that number plus or minus something, as of threads that count from 1, is this
/// and what is added.
inline constexpr std::int64_t kSumOfNumber = 1024;

/// Of a request that is the first of an array: all of that, or as many as are not known. Other
/// numbers are how many there are.
inline constexpr std::int64_t kWholeArray = -1;

/// Behind the symbol of a function in the name of an element: what that returns a pointer to. A
/// member may follow, as in "lock_of()" and "instance().lock".
inline constexpr std::string_view kResult = "()";

/// Behind the name of a variable with members: writes to all of it, or by its address.
inline constexpr std::string_view kAllMembers = ".*";

/// Of a function whose address is handed over: there is nothing to say about it.
inline constexpr std::int64_t kIdleFunction = 1;

/// Name of what a thread, or std::call_once(), starts with if that can't be told: no note has such
/// a function.
inline constexpr std::string_view kUnknownFunction = "a function object that can't be told";

/// As Counted, from where it is not known.
inline constexpr std::int64_t kUnknownFirst = -1;

/// Of a variable of the function that is an argument.
inline constexpr std::int64_t kSameForAll = 1;

/// Of a flag of levels: above all of them. And of a team's size; of a communicator's rank or size.
inline constexpr std::int8_t kNeverSo = 4;
inline constexpr std::int8_t kTeamSize = 5;
inline constexpr std::int8_t kTold = 6;

/// What is known of a handle, a number or a lock, as far as one function tells.
struct Value {
    enum class Kind : std::uint8_t {
        Unknown,
        Constant,      ///< `number`; of a text see kFirstText
        Predefined,    ///< communicator `name`: MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL
        Global,        ///< the variable with linkage called `name`; if `is_shared` see kOfFunction
        Local,         ///< a variable of this function, `name`; not a parameter. `number` is
                       ///< kSameForAll if it has, in an argument, what SameForAll is
        Parameter,     ///< of this function, as it was handed in: `number` counts from 0; `name`: a
                       ///< field of what it points to, if any; with `is_shared` the member
                       ///< "class::member" that is the lock, which who knows it hands over. Of
                       ///< what is kept, with `created_once`: whether it is 0, or false
        Element,       ///< of an array or field `name`, with an index or object that varies, or
                       ///< what a call returns a pointer to, see kResult;
                       ///< `number` is 1 if the index is the thread number itself (`is_shared`:
                       ///< of who has made the task around the step), kCounted or so, else 0
        ThreadNumber,  ///< of who executes the step, in its team; `name`: of the function that
                       ///< gives it, as in Region::wrapper, or 0; `number`: kIsZero, kIsNotZero,
                       ///< kIndexOfLoop, a sum as of kSumOfNumber, or 0 for the number itself. With
                       ///< `created_once` what says whether it is 0 may be false where it is, too,
                       ///< and is never true where it is not. Of arguments of calls only
        Counted,       ///< another number each time that the step is executed: a loop counts it up
                       ///< from `number`, or from an unknown one that is kUnknownFirst; with a
                       ///< `name` it is that field of what the argument points to. Of arguments
                       ///< that a thread is started with. With `created_once` it is that and
                       ///< something that is the same for all, and `number` is how many there are,
                       ///< 0 if that is not known. With `is_shared` it is `number` itself,
                       ///< which the one argument of a call points to; behind that. With both
                       ///< it counts objects, each of which has one thread at most
        SameForAll,    ///< one for all threads of the team, whichever it is. Of arguments of calls.
                       ///< With a `name`, behind those that a thread is started with: that field of
                       ///< what one of them points to, of all threads that the step starts
        Function,      ///< the address of the function with the symbol `name`; `number` is 0, or
                       ///< kIdleFunction. Of arguments of calls. With `is_shared` it is in a member
                       ///< of what the one argument of a call points to, behind that: `number` is
                       ///< member_number(), and `name` 0 in place of kIdleFunction
    };
    Kind kind = Kind::Unknown;
    StringId name = 0;  ///< unique within the unit: for fields "type::field", for locals "x@line"
    std::int64_t number = 0;
    /// Local: all that writes it is one call that makes a communicator (or initializes a lock, or
    /// starts a request), so that it is another one than any other such variable's. For that of a
    /// Global see Variable; there it is a copy of the request that the variable has had.
    bool created_once = false;
    /// Local: one for all threads of the innermost parallel region around the step: declared
    /// outside of that, and not private; or their copies are of one handle.
    bool is_shared = false;

    bool operator==(const Value&) const = default;
};

/// What a construct does to the number of threads, or to who executes its body.
enum class RegionKind : std::uint8_t {
    Function,   ///< regions[0] of each function
    Parallel,   ///< P
    Teams,      ///< teams: each has an initial thread of its own; on the host at most one
    Single,     ///< S; `single`, with or without nowait
    Master,     ///< M; master, or masked with filter 0 or none
    Masked,     ///< S; masked with another filter
    Sections,   ///< around Section; carries the barrier
    Section,    ///< S
    Loop,       ///< worksharing loop: iterations are spread over the team
    Ordered,    ///< one iteration of its loop at a time, in order
    Critical,   ///< `name`: of the critical section; empty: the unnamed one
    Task,       ///< any thread of the team, later
    Taskloop,   ///< tasks of its own, several; without nogroup in a Taskgroup that waits for them
    Taskgroup,  ///< waits for the tasks made inside, at its end
    Scope,      ///< every thread; carries a barrier
    Guard,      ///< what a condition reserves for some threads: `condition`
};

/// What a condition on a Guard says when it holds.
enum class Condition : std::uint8_t {
    None,
    ThreadIsZero,     ///< omp_get_thread_num() == 0
    ThreadIsOther,    ///< == k with k != 0 or unknown but the same for all threads: one thread;
                      ///< Region::number is k, 0 if it is unknown, or kChangingNumber
    ThreadIsNotZero,  ///< != 0: any of the others, several
    IsMainThread,     ///< flag of MPI_Is_thread_main is true
    IsNotMainThread,
    NotInParallel,  ///< !omp_in_parallel(), omp_get_level() == 0, omp_get_active_level() == 0
    InParallel,
    OneThread,       ///< omp_get_num_threads() == 1, or omp_get_max_threads() == 1
    SeveralThreads,  ///< omp_get_num_threads() > 1
    LevelAtLeast,    ///< the provided thread level is at least Region::number
    LevelBelow,
    ArgumentIs,  ///< the parameter Region::tested of the function is Region::number; or what all
                 ///< threads of the team have in common and Region::tested names, a Local; with
                 ///< `is_shared` it is what MPI tells the process
    ArgumentIsNot,
    DrewNumber,  ///< what the thread got as it counted an atomic variable up or down is one number:
                 ///< one thread; Region::number is 0, or kChangingNumber if that is the first
                 ///< count, or kOnce
    OuterIsZero,         ///< the team is one that thread 0 of the team around it has made: both are
                         ///< regions of the function
    ArgumentIsShared,    ///< the parameter Region::tested is what all threads of the team have in
                         ///< common, if they have what the parameter Region::limit is; without that
                         ///< they do. Of the parameter itself, or of what is computed from it. If
                         ///< the limit is a Global, or has a field's name, it is that plus
                         ///< Region::number; of another Parameter that is kEitherParameter, or 0
    ArgumentIsPositive,  ///< the parameter Region::tested is above Region::number
    ArgumentIsNotPositive,
    Initialized,  ///< MPI_Initialized, asked by the function, has said so: of a Way, at the place
                  ///< of the other side's guard
    NotInitialized,
    MadeBefore,  ///< a static variable of the function has been made, or there is a thread: as
                 ///< Initialized, beside DrewNumber with kOnce, or NoThread
    ArgumentIsOrLeftOut,  ///< of Fortran: as ArgumentIs, or the argument is left out
    NoThread,             ///< a variable has no thread: of one that is there once in the program
};

/// Of Condition::ArgumentIsShared: Region::number is from -kMostAdded on to that.
constexpr std::int64_t kMostAdded = 8;
/// The same, with two parameters: which of them is the limit, only what they are tells, as in
/// `me + 1 == threads`.
constexpr std::int64_t kEitherParameter = 1;

/// Unknown, and another one each time: one thread after the other may be in the region.
constexpr std::int64_t kChangingNumber = -1;
/// Once in the whole process: what makes a static variable of a function, in C++, or is called by
/// std::call_once.
constexpr std::int64_t kOnce = -2;

/// Of a task: who begins with it executes all of it.
constexpr std::int64_t kTied = 1;
/// Of a worksharing loop: which thread executes an iteration is found out each time.
constexpr std::int64_t kByAnyThread = 1;

/// Whether a parallel region has a team of its own.
enum class Team : std::uint8_t {
    Always,
    Never,    ///< if(0), num_threads(1); task: undeferred. The body is as if without construct
    Perhaps,  ///< if(expression)
};

struct Dependence {
    Value on;
    bool writes = false;  ///< out, inout, mutexinoutset; else in

    bool operator==(const Dependence&) const = default;
};

/// A construct of the source. Parents come before their children; regions nest.
struct Region {
    RegionKind kind = RegionKind::Function;
    RegionId parent = kNone;  ///< kNone for regions[0] only
    Place place;
    bool barrier_at_end = false;  ///< Parallel never has it set: its end always waits
    Team team = Team::Always;     ///< of Parallel and Task
    StringId name = 0;            ///< of Critical; of Parallel: the member that gives its size
    Condition condition = Condition::None;
    /// Guard: a call of this function of the program gave what was compared, in place of the
    /// runtime's own (a wrapper that returns the thread number); 0: none. The condition holds only
    /// if that function's `returns` is of the kind. Or a member, see Unit::numbers.
    StringId wrapper = 0;
    /// Guard: of its condition. Parallel: the constant of num_threads, 0 if there is none. Task,
    /// Taskloop: kTied, or 0. Loop: kByAnyThread, or 0.
    std::int64_t number = 0;
    /// Guard: a parameter; or a global variable that may have the provided level, if another unit
    /// has MPI store it there; with kOnce the variable, if it is one, that what is executed once
    /// goes by. Parallel: with LevelAtLeast a constant, that level is provided where there are
    /// several threads; with ArgumentIs or ArgumentIsNot a Global that hands the turn on, which is
    /// the constant `limit`, or is not.
    Value tested;
    /// Guard: the global variable whose one constant is meant in place of `number`. On the number
    /// of a thread: ThreadIsOther, or ThreadIsNotZero for what it is not. Or an Element: what is
    /// added to the number, another member as the wrapper. With ArgumentIs a Constant: what is left
    /// of the parameter, divided by that, is `number`.
    Value limit;
    std::vector<Dependence> dependences;  ///< of Task

    bool operator==(const Region&) const = default;
};

enum class StepKind : std::uint8_t {
    Join,     ///< nothing happens; where paths meet or part
    Enter,    ///< of `target` region; the step itself is in the region around it
    Leave,    ///< of `target`; in the region around it. Carries the region's barrier
    Barrier,  ///< `omp barrier`
    Taskwait,
    Acquire,  ///< lock `value`
    Release,
    Mpi,          ///< an MPI procedure: `mpi`
    Call,         ///< of `name`
    Indirect,     ///< through a pointer to functions of type `name`, or a virtual call
    StartThread,  ///< pthread_create, std::thread and kin: `name` runs in a thread of its own
    JoinThread,   ///< waits for one that was started (any, if it can't be told)
    Exit,         ///< of the function; no successors
    Way,          ///< nothing happens: so that a condition rules it out, by its region
    Keep,  ///< the argument `value`, or a field of what that points to, is written to `name`,
           ///< a member or what each thread has; of members at the end of the function
};

/// What a step has to do with a variable, its `value`, by which threads hand on the turn. The first
/// of its arguments is the constant in question.
enum class Turn : std::uint8_t {
    No,
    Is,       ///< Acquire: this way is taken only where the variable is that constant
    IsNot,    ///< Acquire: ... only where it is not
    Written,  ///< Release: that, or something unknown, is written to it; the second argument is
              ///< what it is at first
    Posted,   ///< Release: the same, of a semaphore that is posted
    Begun,    ///< Release: ... and of one that is initialized
    Counted,  ///< Release: one of those has come that a latch waits for; once all have, it is 1
    Passed,   ///< Acquire: a barrier, not OpenMP's, that threads wait at. Release: it is
              ///< initialized, and the first argument is for how many
    InOrder,  ///< Acquire: an iteration of the loop around it waits for the one before. Release:
              ///< the next one may go on. Without a value
};

/// Arguments of an MPI procedure that the analysis looks at; what the procedure has not is Unknown.
struct MpiArguments {
    Value communicator;
    Value peer;  ///< dest, source or root
    Value tag;   ///< or key; collectives without: a text if nobody reads the data, alike for those
    /// The request (or first of the array), window, file, datatype, group or info. Of collective
    /// operations without such: an argument that is another element of an array for each thread
    /// or iteration, or a Parameter by which it may be. An Element without a name is such a number.
    Value object;
    Value level;  ///< `required` of MPI_Init_thread
    /// MPI_Init_thread, MPI_Query_thread: the unit compares what came back.
    bool tests_provided = false;

    bool operator==(const MpiArguments&) const = default;
};

struct Step {
    StepKind kind = StepKind::Join;
    RegionId region = 0;  ///< innermost that contains it, guards included
    Place place;
    std::vector<StepId> next;
    RegionId target = kNone;  ///< of Enter and Leave
    StringId name = 0;        ///< Mpi: as in C, "MPI_Send". Call: symbol of the function.
                              ///< Indirect: canonical type, or "class::slot" if is_virtual.
                              ///< StartThread: symbol, or canonical type if is_by_type; 0:
                              ///< of a function that does nothing. If is_virtual: a
                              ///< std::packaged_task is made of it, which others execute.
                              ///< Of a turn: the function whose variable it is; 0: a static one
    bool is_virtual = false;
    bool is_by_type = false;  ///< Acquire: of a try; without it the function may end all the same
    Turn turn = Turn::No;
    /// Acquire, Release, Call: happens only where a condition holds that this function tests right
    /// before (`if (use_lock) omp_set_lock(&l)`): the step lies on one branch of it. `name`: of
    /// the variable that is tested; of a Call it is `value`. StartThread: the thread is put into
    /// the variable that a guard around it has found without one.
    bool is_conditional = false;
    /// Call: it makes the object that is put into the variable which a guard around it has found
    /// empty, and whose threads don't outlive it.
    bool fills_variable = false;
    bool is_library = false;  ///< Mpi: whatever the program defines, the library has it (PMPI_)
    bool is_checked = false;  ///< Mpi: the program looks at each such call while it runs
    /// Call: it ends no thread of the object `moved`, as it moves what is in that to somewhere
    /// else; without a number it ends none at all, as it destroys what has been moved from.
    bool spares_moved = false;
    /// Call: which object of the function it makes or uses, of those that are moved to somewhere
    /// else, from 1 on; 0: none.
    std::uint32_t moved = 0;
    /// On the way of an exception that leaves the function, which destroys what there is: executed
    /// only if a caller catches it, as else the process ends where it is thrown.
    bool is_unwinding = false;
    bool is_caught = false;  ///< Call, Indirect, StartThread: exceptions of what is called may be
    Value value;             ///< the lock
    /// Indirect, StartThread: the Parameter of the function that is called, or that the thread
    /// starts with, or a member of what the first one points to. Indirect: the variable, a Global,
    /// or "class::member", an Element, that the pointer is read from, see Unit::pointed.
    /// StartThread: a Function by the "class::slot" of a virtual one, of whatever class the object
    /// is that comes first.
    Value callee;
    /// Call, StartThread: the class that the object which comes first is of, or one derived from
    /// it, if that says more than the function's own class.
    StringId object_class = 0;
    MpiArguments mpi;
    /// Call and Indirect: by position, as far as they are handles, locks or thread numbers.
    std::vector<Value> arguments;
    /// Call: with what it is called, if it has the look of a lock's, of a function that the unit
    /// has not; notes leave it out.
    StringId lock_look = 0;
    /// Call: functions whose address is handed over, which the callee may call back.
    std::vector<StringId> callbacks;

    bool operator==(const Step&) const = default;
};

/// Whether the step finds out whether a variable that hands the turn on is a number.
inline bool tests_turn(const Step& step) {
    return step.kind == StepKind::Acquire && (step.turn == Turn::Is || step.turn == Turn::IsNot);
}

/// What a function's result is, on all its paths.
enum class Returns : std::uint8_t {
    Other,
    ThreadNumber,
    TeamSize,
    InParallel,
    IsMainThread,
    IsThreadZero,  ///< whether the number of the thread is 0
    IsNotThreadZero,
    IsInitialized,  ///< whether MPI is, as MPI_Initialized has just said
    DrewNumber,     ///< whether the caller is the one of Condition::DrewNumber
    DrewFirst,      ///< the same, with kChangingNumber
    Never,          ///< it does not
};

/// A function with a body. Only those are kept that have MPI, OpenMP, locks or threads in them or
/// may reach such by their calls.
struct Function {
    StringId symbol = 0;  ///< assembler name
    StringId name = 0;    ///< for people
    Place place;
    bool is_local = false;            ///< internal linkage: other units can't name it
    bool is_mergeable = false;        ///< COMDAT or weak: units may repeat it
    bool address_taken = false;       ///< other than by a call of it
    bool runs_at_start = false;       ///< before main(), or behind it: what makes global objects
    StringId type = 0;                ///< canonical type, for Indirect; 0: can't be called so, as
                                      ///< nobody can have the address
    std::vector<StringId> overrides;  ///< "class::slot" of each virtual call that may mean it
    Returns returns = Returns::Other;
    /// Global: the result points to that, a lock or an object, whoever asks. Else Unknown. Of what
    /// other units may call, and have not.
    Value result;
    std::vector<Region> regions;  ///< never empty
    std::vector<Step> steps;      ///< steps[0] is where it starts

    bool operator==(const Function&) const = default;
};

/// A variable with a name beyond one function, that a Value or a level speaks of. Writes are
/// counted over the unit (join() adds them up). Or a member "class::member" of all objects that is
/// a communicator: its constant stands for the one that all writes put there, and is at least
/// kFirstText if that is what a variable has.
struct Variable {
    StringId name = 0;  ///< assembler name
    bool is_local = false;
    std::uint32_t creations = 0;     ///< places where a call makes a communicator or lock in it
    std::uint32_t other_writes = 0;  ///< and all other places, its address escaping included
    /// The only value that it ever has in this unit: its initializer, or one assignment.
    bool has_constant = false;
    std::int64_t constant = 0;
    bool holds_provided = false;   ///< MPI_Init_thread or MPI_Query_thread store a level in it
    bool changes_in_team = false;  ///< a number: threads of a team may write to it
    /// Of a flag, also a member's: what is provided where it is true, by what the unit writes to
    /// it. n: at least that level; -n: a lower one; 0: that is not known; kNeverSo; both kTeamSize,
    /// or kTold.
    std::int8_t level_if_true = 0;
    std::int8_t level_if_false = 0;

    bool operator==(const Variable&) const = default;
};

/// A function for all to call, other than main(), that writes to a number for all to use, outside
/// of parallel regions: idle_hash() of both. Whether teams call it, only the program tells.
struct NumberWriter {
    std::uint32_t function = 0;  ///< 0: a team of this unit writes to the number
    std::uint32_t variable = 0;

    bool operator==(const NumberWriter&) const = default;
    bool operator<(const NumberWriter& other) const {
        return function != other.function ? function < other.function : variable < other.variable;
    }
};

/// One translation unit, or several joined: see facts/join.h.
struct Unit {
    Strings strings;
    std::vector<Function> functions;
    std::vector<Variable> variables;
    StringId source = 0;  ///< main input of the compilation; 0 for a join
    bool openmp = false;  ///< compiled with -fopenmp
    /// idle_hash() of the functions with bodies, for all to call, that `functions` leaves out as
    /// there is nothing to say about them. Sorted.
    std::vector<std::uint32_t> idle;
    /// Symbols of functions of other units whose address this one takes. join() leaves those that
    /// no unit has.
    std::vector<StringId> taken;
    /// Members of classes that units share, "type::member", to which this one writes the number of
    /// the thread that has the object, or, by name_of_flag(), whether that is 0, and by
    /// name_of_partial_flag() that it may be 0 for other reasons, too; and, sorted,
    /// idle_hash() of those to which it writes other things, constants aside, and of the
    /// name_of_flag() of those to which it writes constants other than 0.
    std::vector<StringId> numbers;
    std::vector<std::uint32_t> other_numbers;
    std::vector<NumberWriter> writers;     ///< sorted
    std::vector<VirtualTable> tables;      ///< one of each class
    std::vector<SignatureCast> casts;      ///< sorted
    std::vector<PointedFunction> pointed;  ///< sorted; also of pointers that others may write to
    /// Functions of other units that the program has under the name of one of the C library. Notes
    /// leave them out.
    std::vector<StringId> own_names;
};

/// Of an assembler name.
constexpr std::uint32_t idle_hash(std::string_view symbol) {
    const std::uint64_t hash = hash_of(symbol);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace mqinspect::thread_level
