/// What the first comment of a program of tests/checked says, and whether findings agree.
/// tests/checked/checked.h documents the language.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace mqinspect::testing {

struct ExpectedFinding {
    std::string severity;
    std::string name;
    std::vector<int> ranks;
    std::string function;  ///< of one of its calls; empty: any
    int line = 0;          ///< of the same call; 0: any
};

struct CheckedExpectation {
    int ranks = 0;
    std::string option;  ///< of `mqinspect record`, if any
    bool stuck = false;
    bool watchpoints = false;  ///< are needed, which not every machine has
    bool may_miss = false;     ///< what is to be found: this machine lacks what is needed
    std::vector<ExpectedFinding> findings;
    std::set<std::string> allowed;  ///< names of what may be found besides
};

Result<CheckedExpectation> read_checked_expectation(const std::filesystem::path& source);

/// What a report of schema mqinspect.findings/1 says otherwise, one line each. Its notes do not
/// count.
std::vector<std::string> differences(const CheckedExpectation& expectation,
                                     const nlohmann::json& report);

}  // namespace mqinspect::testing
