/// Why MPI refuses a call, or crashes in it, where the record shows it: no room for a buffered
/// send, a process set that does not exist, no status; or a function of the program's own does.
/// And error codes that are not the program's own to change, which MPI may let pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class Refusals {
public:
    Refusals(const model::RecordedProcess& process,
             const model::Execution& execution,
             Reporter& reporter)
        : process_(process), execution_(execution), reporter_(reporter) {}

    /// The call that attached memory among these bytes, which MPI still has; null: there is none.
    const CallSite* attached_in(std::int64_t address, std::int64_t bytes) const;
    /// A call that reads a status (MPI 4.0, 3.2.6). False: it is none.
    bool check_status(const CallView& view);
    /// Of a call that has failed with this error code, and that MPI itself has no reason to refuse:
    /// the function of the program's own that has made it fail, in words; empty: there is none.
    /// `generalized`: of generalized requests alone.
    std::string_view own_function(const CallView& view,
                                  std::int64_t code,
                                  std::string_view error_class,
                                  bool generalized) const;
    /// Each call; `error_class`: of the error with which MPI has refused it, may be empty.
    void check(const CallView& view, std::string_view error_class);

private:
    struct Attached {
        CallSite site;
        std::int64_t bytes = 0;
        std::int64_t address = 0;
    };

    void note(const CallView& view);
    void check_buffer(const CallView& view);
    void check_added(const CallView& view);
    void check_process_set(const CallView& view);

    const model::RecordedProcess& process_;
    const model::Execution& execution_;
    Reporter& reporter_;
    std::optional<Attached> attached_;    ///< by MPI_Buffer_attach
    std::set<std::string> process_sets_;  ///< that MPI has named
    std::set<std::int64_t> added_;        ///< the program's own error codes and classes
    std::set<std::int64_t> classes_;      ///< of these, the classes
    /// "MPI_Comm_" and its kin, of whose objects some have attributes of the program's own.
    std::set<std::string, std::less<>> attributes_;
};

}  // namespace mqinspect::analysis
