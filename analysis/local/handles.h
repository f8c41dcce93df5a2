/// Communicators, groups, datatypes, operators, windows and files of one process: who has made
/// them, who has given them back, who uses them afterwards, and what is never given back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/local/id_map.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// Memory is bounded by the number of definitions. Equal datatypes, operators and groups are one
/// in a record: they are counted, and the oldest counts as the first to be freed.
class Handles {
public:
    Handles(model::ProcessId process, const model::Execution& execution, Reporter& reporter);

    /// Reports uses of what has been freed. True: there were some.
    bool check_use(const CallView& view);
    /// Null: all right, or not known. Else the call that made the datatype, which nobody has
    /// committed since.
    const CallSite* uncommitted(std::int64_t datatype) const;
    /// What the call has made, committed and freed.
    void update(const CallView& view);
    /// MPI_Finalize: what is left.
    void finalize();

private:
    struct Live {
        CallSite made;
        bool committed = false;
        bool lent = false;  ///< no leak
    };
    struct State {
        model::ParameterKind kind{};
        std::int64_t id = 0;
        std::vector<Live> live;  ///< oldest first
        std::optional<CallSite> freed;
    };

    static std::int64_t key_of(model::ParameterKind kind, const model::Value& value);
    State* find(model::ParameterKind kind, const model::Value& value);
    void add(const CallView& view, model::ParameterKind kind, const model::Value& value);
    void remove(const CallView& view, model::ParameterKind kind, const model::Value& value);
    bool is_predefined(model::ParameterKind kind, std::int64_t id) const;
    bool is_committed_copy(const CallView& view) const;

    model::ProcessId process_;
    const model::Execution& execution_;
    Reporter& reporter_;
    IdMap places_;
    std::vector<State> states_;
};

}  // namespace mqinspect::analysis
