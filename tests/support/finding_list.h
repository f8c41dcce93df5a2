/// Findings as short lines, for comparison in tests.
#pragma once

#include <string>
#include <vector>

#include "analysis/findings.h"
#include "tests/support/execution_builder.h"

namespace mqinspect::test {

/// "error wrong data type: a.c:1 b.c:2" for each finding: the places of its calls, in order.
inline std::vector<std::string> lines_of(const model::Execution& execution,
                                         const analysis::Findings& findings) {
    std::vector<std::string> lines;
    for (const analysis::Finding& finding : findings.findings) {
        const char* severity = finding.severity == analysis::Severity::Error     ? "error "
                               : finding.severity == analysis::Severity::Warning ? "warning "
                                                                                 : "note ";
        std::string line = severity + std::string(name_of(finding.finding_class)) + ":";
        for (const analysis::InvolvedCall& call : finding.calls)
            line += " " + place_of(execution, call.stack);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace mqinspect::test
