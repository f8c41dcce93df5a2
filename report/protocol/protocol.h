/// The protocol of a recorded run: the tables of the correctness analyzer's protocol (K.N. Efimkin
/// and others, Keldysh Institute, 2006), with its words for their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.h"
#include "report/checked_run.h"

namespace mqinspect::report {

/// The names of the tables in their order: "task", "functions", ..., for who wants only some.
std::vector<std::string> protocol_tables();

/// The tables of these names; of all, if there is none.
std::string print_protocol(const CheckedRun& run, const std::vector<std::string>& tables = {});

/// The number that the protocol has for a class: the analyzer's own where it is known, numbers
/// between those for its other classes, and numbers from 101 on for further ones.
int error_code(analysis::FindingClass finding_class);

}  // namespace mqinspect::report
