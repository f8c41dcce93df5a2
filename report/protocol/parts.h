/// What the tables of the protocol have in common, and the tables themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/findings.h"
#include "model/execution.h"
#include "report/checked_run.h"

namespace mqinspect::report::protocol {

/// A title of its own, underlined.
std::string heading(const std::string& text);
/// The name of the file and the line; what is known of the place instead.
struct Place {
    std::string file;
    std::string line;  ///< empty: not known

    friend bool operator<(const Place& left, const Place& right) {
        return std::tie(left.file, left.line) < std::tie(right.file, right.line);
    }
};
Place place_of(const CheckedRun& run, model::StackId stack);
/// "demo.f(34)".
std::string place_text(const CheckedRun& run, model::StackId stack);
/// The stack of the user's code, outermost first: "(main.c,10) (solver.c,33)".
std::string stack_text(const CheckedRun& run, model::StackId stack);
/// Frames of the user's code.
std::size_t stack_length(const CheckedRun& run, model::StackId stack);
/// "call MPI_Recv" for one that has not returned, "ret MPI_Recv" for one that has.
std::string current_function(const CheckedRun& run, const model::RecordedCall& call);
/// Runs of processes with even steps: "init=0 last=6 step=2", one each.
std::vector<std::string> triplets(const std::vector<model::ProcessId>& members);

/// "err", "warn", "note".
std::string_view word_of(analysis::Severity severity);
bool is_about_hanging(analysis::FindingClass finding_class);
bool is_real(analysis::FindingClass finding_class);
/// The process that a finding is listed with: of its first call.
model::ProcessId owner_of(const analysis::Finding& finding);
/// Those that are counted among the errors of a process: its own, and those that hang it.
bool counts_for(const analysis::Finding& finding, model::ProcessId process);

std::string task_state(const CheckedRun& run);
std::string current_functions(const CheckedRun& run);
std::string all_errors(const CheckedRun& run);
std::string process_states(const CheckedRun& run);
std::string errors(const CheckedRun& run);
std::string deadlocks(const CheckedRun& run);
std::string calls_of_functions(const CheckedRun& run);
std::string communicators(const CheckedRun& run);
std::string datatypes(const CheckedRun& run);
std::string source_references(const CheckedRun& run);
std::string environment(const CheckedRun& run);
std::string constants(const CheckedRun& run);
std::string user_data(const CheckedRun& run);
std::string stage_times(const CheckedRun& run);

}  // namespace mqinspect::report::protocol
