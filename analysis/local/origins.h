/// What communicators, groups, windows and files were made of: a session, or MPI_COMM_WORLD.
/// Objects of different origins must not meet in a call (MPI 4.0, 11.3).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class Origins {
public:
    Origins(model::ProcessId process, const model::Execution& execution, Reporter& reporter)
        : process_(process), execution_(execution), reporter_(reporter) {}

    /// Each call, with the process's rank in its communicator: reports what meets in it, and notes
    /// what it makes.
    void check(const CallView& view, std::int64_t rank);

private:
    /// A session by its number among those of the process; kWorld.
    using Origin = int;
    static constexpr Origin kWorld = -1;
    using Key = std::pair<model::ParameterKind, std::int64_t>;

    struct Given {
        Origin origin = kWorld;
        std::string parameter;
    };

    static std::optional<Key> key_of(const model::Procedure& procedure,
                                     std::size_t at,
                                     std::span<const model::Value> values);
    std::optional<Origin> origin_of(const Key& key) const;
    std::vector<Given> given_to(const CallView& view, std::int64_t rank) const;
    void note_made(const CallView& view, const std::optional<Origin>& origin);
    void report(const CallView& view, const Given& one, const Given& other);

    model::ProcessId process_;
    const model::Execution& execution_;
    Reporter& reporter_;
    std::map<Key, Origin> origins_;   ///< of all that comes from sessions
    std::vector<CallSite> sessions_;  ///< where they began
};

}  // namespace mqinspect::analysis
