/// Findings of the link step, free of the facts that they come from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "thread_level/analysis/assessment.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::link {

inline constexpr Rule kRules[] = {
    Rule::ThreadLevel,
    Rule::ConcurrentCollectives,
    Rule::ConcurrentRequest,
    Rule::CollectiveOrder,
    Rule::MessageOrder,
    Rule::InvalidNesting,
    Rule::InitInParallel,
    Rule::Finalize,
    Rule::ProvidedUntested,
    Rule::LevelTooHigh,
    Rule::ConditionalLock,
    Rule::StrictSingle,
};

struct SourcePlace {
    std::string file;
    std::uint32_t line = 0;  ///< 0: unknown
    std::uint32_t column = 0;

    bool operator==(const SourcePlace&) const = default;
    bool operator<(const SourcePlace& other) const {
        return std::tie(file, line, column) < std::tie(other.file, other.line, other.column);
    }
};

/// How far a run has shown what is found.
enum class Evidence : std::uint8_t {
    Static,               ///< no run was looked at
    NotExecuted,          ///< none of the runs came there
    ExecutedAndOrdered,   ///< they did, as the level allows: by that thread, one after another
    ConfirmedContext,     ///< a thread made the call that must not
    ConfirmedUnordered,   ///< nothing orders the calls, though they did not meet
    ConfirmedOverlapped,  ///< they were under way at the same time
};
/// "confirmed-overlapped".
const char* name_of(Evidence evidence);

struct Explanation {
    SourcePlace place;
    std::string message;
    bool is_on_way = false;  ///< as of Remark
};

struct Finding {
    Rule rule = Rule::ThreadLevel;
    Severity severity = Severity::Warning;
    SourcePlace place;
    std::string function;
    std::vector<std::string> calls;  ///< MPI procedures that it speaks of; the first is at `place`
    std::vector<SourcePlace> call_places;
    std::string message;
    std::vector<Explanation> explanations;
    Level required = Level::Single;
    std::string fix;
    Evidence evidence = Evidence::Static;
    bool is_checked = false;   ///< its calls have run-time checks
    bool is_promoted = false;  ///< an error by -Werror
    /// Stays what it is when lines move.
    std::string fingerprint;
};

/// A whole program, as far as its notes tell.
struct Report {
    std::vector<std::string> files;
    std::vector<Finding> findings;
    Level required = Level::Single;
    bool has_other_threads = false;
    std::vector<Level> requested;
    bool has_unknown_request = false;    ///< some MPI_Init_thread may request any level
    bool is_level_given = false;         ///< `requested` comes from the user
    std::optional<Level> provided;       ///< in a run that was recorded
    std::array<std::size_t, 4> sites{};  ///< MPI calls by the level that each needs
    std::size_t units = 0;
    bool has_main = false;
    std::vector<std::string> unknown_callees;
    std::vector<std::string> without_notes;
    std::vector<std::string> problems;
    std::size_t suppressed = 0;
    std::size_t known = 0;  ///< findings of the baseline
};

/// Functions that notes name by their symbols get names for people.
void name_functions(Unit& unit);

Report make_report(const Unit& program, const Assessment& assessment);

}  // namespace mqinspect::thread_level::link
