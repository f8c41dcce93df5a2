/// What thread level a unit or program needs, where, why, and what is wrong with it.
///
/// MPI-4.0, section 11.6; the languages of the levels follow Saillard, Carribault and Barthou,
/// "MPI Thread-Level Checking for MPI+OpenMP Applications" (Euro-Par 2015).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// In the order, and with the numbers, of MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE in all
/// libraries.
enum class Level : std::uint8_t { Single, Funneled, Serialized, Multiple };

/// "MPI_THREAD_SERIALIZED".
const char* name_of(Level level);

/// The automaton of parallelism words (reference: figure 3 of the paper). The set of states in
/// which a function is entered is a mask of 1 << State.
enum class State : std::uint8_t {
    Serial,           ///< 0: the main thread, no team
    Team,             ///< 1: a team of the main thread
    OneThread,        ///< 2: one thread, maybe not the main one
    MainThread,       ///< 3: the main thread in a team
    TeamOfOne,        ///< 4: a team that a thread of state 2 made
    NestedTeam,       ///< 5
    OneOfNestedTeam,  ///< 6: one thread in each of several inner teams
};
inline constexpr int kStates = 7;

enum class Rule : std::uint8_t {
    ThreadLevel,            ///< required above requested
    ConcurrentCollectives,  ///< two collectives at a time on one communicator: wrong at each level
    ConcurrentRequest,      ///< one request, window or file used by two threads at a time
    CollectiveOrder,        ///< exclusive, but in an order that processes may not share
    MessageOrder,           ///< concurrent messages that may overtake: same communicator, peer, tag
    InvalidNesting,         ///< the paper's "invalid state": single in single and its kin
    InitInParallel,         ///< MPI_Init off the main thread or in a team
    Finalize,               ///< MPI_Finalize off the main thread, or beside other calls
    ProvidedUntested,       ///< what MPI_Init_thread provided is never compared
    LevelTooHigh,           ///< requested above required
    ConditionalLock,        ///< the lock that makes a call exclusive is taken under a condition
    StrictSingle,           ///< regions or threads in a process that asked for MPI_THREAD_SINGLE
};
/// As in "-Wmpi-thread-level"; without the "-W".
const char* option_of(Rule rule);

enum class Severity : std::uint8_t { Error, Warning, Note };

/// A place that explains a diagnostic: the region, a call of the chain, the partner, the fix.
struct Remark {
    Place place;
    std::string message;
    bool is_on_way = false;  ///< on the way of a thread to the first call, the last of it first
};

struct Diagnostic {
    Rule rule = Rule::ThreadLevel;
    Severity severity = Severity::Warning;
    Place place;
    StringId function = 0;  ///< for people
    std::string message;
    std::vector<Remark> remarks;
    Level required = Level::Single;
    std::string fix;  ///< "remove 'nowait'"; empty: no advice
    /// Of the calls it speaks of: the first is at `place`.
    std::vector<std::pair<FunctionId, StepId>> steps;
};

/// An MPI call, as the analysis sees it.
struct Site {
    FunctionId function = 0;
    StepId step = 0;
    Level required = Level::Single;
    std::uint8_t states = 0;  ///< mask in which it is reached; 0: never
    /// Whether it is reached so may depend on what this unit does not tell: a run-time check helps.
    bool perhaps = false;
    std::string word;  ///< the parallelism word from its function's start, "P4 S7"
};

/// Where Algorithm 1 and 2 want run-time checks.
struct Checks {
    struct Point {
        FunctionId function = 0;
        StepId step = 0;

        bool operator==(const Point&) const = default;
    };
    std::vector<Point> words;       ///< S_ipw: MPI steps before which the word is looked at
    std::vector<Point> concurrent;  ///< S_cc: MPI steps that may meet another one
};

struct Settings {
    /// In place of what the program's MPI_Init_thread says.
    std::optional<Level> requested;
    bool strict_single = false;
    /// What functions are entered in whose callers are unknown (mask).
    std::uint8_t entry_states = 1U << static_cast<unsigned>(State::Serial);
    /// All units are there: what no one calls from `main` on is not executed. If false, functions
    /// with external linkage may be called from elsewhere, in `entry_states`.
    bool whole_program = false;
};

struct Assessment {
    std::vector<Diagnostic> diagnostics;  ///< by file, line, rule; one for one cause
    std::vector<Site> sites;              ///< every MPI step, in the order of functions and steps
    Level required = Level::Single;       ///< of the whole unit
    bool has_other_threads = false;       ///< whatever they do: MPI_THREAD_FUNNELED is due
    std::vector<Level> requested;         ///< by each reachable MPI_Init*, as far as it is known
    bool has_unknown_request = false;     ///< one of them may request any level
    std::vector<StringId>
        unknown_callees;  ///< called, not in the unit, and not known to be harmless
    Checks checks;
};

Assessment assess(const Unit& unit, const Settings& settings);

}  // namespace mqinspect::thread_level
