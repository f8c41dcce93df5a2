/// What the first comment of a scenario program says, and whether a report agrees.
/// tests/programs/scenario.h documents the language.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace mqinspect::testing {

struct ExpectedCall {
    int rank = -1;
    std::string function;
    std::string file;  ///< without its folder
    int line = 0;
};

struct ExpectedWait {
    ExpectedCall call;
    std::string mode;          ///< all, any, mixed
    std::vector<int> targets;  ///< ascending
};

struct Expectation {
    std::string verdict;                   ///< the contract's word, or "finishes"
    int ranks = 0;                         ///< of all worlds
    int starts = 0;                        ///< of these, how many mpiexec starts
    std::vector<std::vector<int>> worlds;  ///< empty: one
    std::vector<std::vector<int>> cores;
    std::vector<ExpectedWait> waits;
    std::vector<ExpectedCall> calls;
    std::map<int, std::vector<int>> victims;                       ///< chain by rank
    std::optional<std::vector<int>> running = std::vector<int>();  ///< empty: any
    std::vector<int> exited;
    std::map<int, std::string> hints;
    std::vector<std::string> sentence;
    std::vector<std::string> launcher_options;
    std::vector<std::string> launch;
    /// Devices of MPICH, by the start of their name, and in what they are different.
    std::map<std::string, std::string> differs_on;

    /// Waits and calls that a rank has there instead, by the start of the device's name.
    std::multimap<std::string, ExpectedWait> waits_on;

    /// What is said of the device, or empty.
    std::string difference_on(std::string_view device) const;
    /// Takes the waits and calls that ranks have on the device.
    void settle_waits_on(std::string_view device);
};

/// The line that ends in the comment "@MARK", or 0.
int marked_line(const std::filesystem::path& source, const std::string& mark);

/// Reads `source`. A LINE mark that it does not have is looked for in the other
/// sources of its folder that are no scenarios themselves.
Result<Expectation> read_expectation(const std::filesystem::path& source);

/// What a JSON report says otherwise, one line each.
std::vector<std::string> differences(const Expectation& expectation, const nlohmann::json& report);

/// What a JSON report lacks of the schema mqinspect.report/1, one line each.
std::vector<std::string> schema_problems(const nlohmann::json& report);

}  // namespace mqinspect::testing
