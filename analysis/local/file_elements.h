/// Accesses to files against the elementary type of the view: what they move must consist of whole
/// ones, of the same elements (MPI 4.0, 14.4.1 and 14.6.6). MPI_BYTE as an elementary type, which
/// a file has until a view is set, goes with all datatypes.
#pragma once

#include <cstdint>
#include <map>

#include "analysis/datatypes/signature.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The calls of one process. The arguments of the constructor must outlive it.
class FileElements {
public:
    FileElements(model::ProcessId process,
                 const model::Execution& execution,
                 const TypeSignatures& signatures,
                 Reporter& reporter)
        : process_(process), execution_(execution), signatures_(signatures), reporter_(reporter) {}

    /// Each call on a file whose arguments are right by themselves.
    void check(const CallView& view);

private:
    struct View {
        model::DatatypeId element;
        CallSite set;
    };

    void set_view(const CallView& view, std::int64_t file);
    void check_access(const CallView& view, const View& seen);

    model::ProcessId process_;
    const model::Execution& execution_;
    const TypeSignatures& signatures_;
    Reporter& reporter_;
    std::map<std::int64_t, View> views_;  ///< by file; none: of bytes
};

}  // namespace mqinspect::analysis
