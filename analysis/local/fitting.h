/// Arguments that must fit what other calls have made of them: error handlers their kind of object
/// (MPI 4.0, 9.3), file types the elementary type of the view (14.1.1, 14.3).
#pragma once

#include <string>

#include "analysis/datatypes/signature.h"
#include "analysis/local/handles.h"
#include "analysis/local/procedures.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// What the call is given that does not fit; empty: nothing. `made` is then the call that has made
/// it, if that says more.
std::string misfit(const CallView& view,
                   const Handles& handles,
                   const TypeSignatures& signatures,
                   const model::Execution& execution,
                   const CallSite*& made);

}  // namespace mqinspect::analysis
