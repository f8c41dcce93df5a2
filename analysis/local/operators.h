/// Which predefined operators work on which datatypes.
#pragma once

#include <string>

#include "model/execution.h"

namespace mqinspect::analysis {

enum class Reduction { Allowed, Forbidden, Doubtful, Unknown };

/// MPI 4.0, 6.9.2 and 6.9.4. Doubtful: characters, which the standard forbids and MPI libraries
/// reduce as integers. Unknown: the user's operators, optional datatypes.
Reduction reduction(const model::RecordedOperator& op, const model::RecordedDatatype& type);

}  // namespace mqinspect::analysis
