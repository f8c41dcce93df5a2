/// What check_pairing() finds in a run that is written down as statements.
#pragma once

#include <string>
#include <vector>

#include "analysis/pairing/check_pairing.h"
#include "tests/support/finding_list.h"

namespace mqinspect::analysis {

struct Checked {
    explicit Checked(int processes,
                     const std::string& statements,
                     const CheckOptions& options = {}) {
        const auto recording = test::recording_of(processes, statements);
        check_pairing(*recording, options, findings);
        lines = test::lines_of(recording->execution(), findings);
    }

    std::string message() const {
        return findings.findings.empty() ? "" : findings.findings[0].message;
    }

    Findings findings;
    std::vector<std::string> lines;
};

}  // namespace mqinspect::analysis
