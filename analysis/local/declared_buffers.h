/// Buffers against what the program declares of them.
///
/// The datatype that a call names must be that of the variable in the buffer (MPI 4.0, 3.2.2 and
/// 3.3.1), and the variable must be as long as the call says.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/findings.h"
#include "analysis/local/buffers.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

class DeclaredBuffers {
public:
    /// All of them must outlive it. Without CheckOptions::text nothing is found.
    DeclaredBuffers(model::ProcessId process,
                    const model::Execution& execution,
                    const CheckOptions& options,
                    const TypeSignatures& signatures,
                    Reporter& reporter)
        : process_(process),
          execution_(execution),
          options_(options),
          signatures_(signatures),
          reporter_(reporter) {}

    /// What the call touches, see collect_accesses; and memory that it gives to MPI for later.
    void check(const CallView& view, const std::vector<Access>& accesses);

private:
    /// Null: not known.
    const model::DeclaredBuffer* declared(const CallView& view, std::size_t parameter) const;
    void check_given(const CallView& view, const GivenMemory& memory);
    bool check_room(const CallView& view,
                    const Access& access,
                    std::int64_t base,
                    const model::DeclaredBuffer& declared);
    void check_type(const CallView& view,
                    const Access& access,
                    std::int64_t base,
                    const model::DeclaredBuffer& declared);
    std::string use_of(const CallView& view,
                       const Access& access,
                       const model::DeclaredBuffer& declared) const;

    model::ProcessId process_;
    const model::Execution& execution_;
    const CheckOptions& options_;
    const TypeSignatures& signatures_;
    Reporter& reporter_;
};

}  // namespace mqinspect::analysis
