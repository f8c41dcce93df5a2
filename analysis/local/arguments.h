/// Arguments that make no sense, whether or not the MPI library has complained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/local/buffers.h"
#include "analysis/local/handles.h"
#include "analysis/local/procedures.h"

namespace mqinspect::analysis {

/// What is wrong with one call.
struct InvalidArgument {
    std::string message;  ///< a sentence; empty: nothing
    /// Or UseAfterFree; of one-sided operations also WrongDataType, WrongSendSize and
    /// IncorrectSendSize.
    FindingClass finding_class = FindingClass::InvalidArgument;
    Severity severity = Severity::Error;
    const CallSite* made = nullptr;      ///< the call that made what is wrong, if one did
    std::string_view part = "makes it";  ///< what that call does
    std::optional<Memory> reaches;       ///< Finding::reaches
};

/// No program has data in the first page.
inline bool is_in_first_page(const Access& access) {
    return access.hull.low >= 0 && access.hull.low < 4096;
}

/// MPI_TAG_UB is at least 32767 (MPI 4.0, 9.1.2).
inline bool is_always_a_tag(std::int64_t number) {
    return number >= 0 && number <= 32767;
}

/// The first argument of a call that is invalid. `accesses`: of collect_accesses. The check
/// leaves out what the call ignores, such as the receive buffer of a process that is not the
/// root.
InvalidArgument check_arguments(const CallView& view,
                                const CommunicatorShape& shape,
                                const model::Execution& execution,
                                const Footprints& footprints,
                                const TypeSignatures& signatures,
                                const Handles& handles,
                                const std::vector<Access>& accesses);

}  // namespace mqinspect::analysis
