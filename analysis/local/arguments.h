/// Arguments that make no sense, whether or not the MPI library has complained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/local/buffers.h"
#include "analysis/local/handles.h"
#include "analysis/local/procedures.h"

namespace mqinspect::analysis {

/// What is wrong with one call.
struct InvalidArgument {
    std::string message;  ///< a sentence; empty: nothing
    /// Or UseAfterFree; of one-sided operations also WrongDataType and WrongSendSize.
    FindingClass finding_class = FindingClass::InvalidArgument;
    Severity severity = Severity::Error;
    const CallSite* made = nullptr;  ///< the call that made what is wrong, if one did
};

enum class Arguments : std::uint8_t {
    All,
    Changing,  ///< of a call that SoundCalls knows: requests, tags, buffers
};

/// The first argument of a call that is invalid. `accesses`: of collect_accesses. The check
/// leaves out what the call ignores, such as the receive buffer of a process that is not the
/// root.
InvalidArgument check_arguments(Arguments which,
                                const CallView& view,
                                const CommunicatorShape& shape,
                                const model::Execution& execution,
                                const Footprints& footprints,
                                const TypeSignatures& signatures,
                                const Handles& handles,
                                const std::vector<Access>& accesses);

}  // namespace mqinspect::analysis
