// Jobs that are recorded, and what is then in the recording.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/execution.h"
#include "tests/support/child_process.h"
#include "tests/support/inspection.h"

#include "trace_io/recording.h"

namespace mqinspect::testing {

using Words = std::vector<std::string>;

inline Words job(int ranks, const Words& command) {
    Words words = {MQI_MPIEXEC, "-n", std::to_string(ranks), MQI_PROGRAMS "/" + command.front()};
    words.insert(words.end(), command.begin() + 1, command.end());
    return words;
}

/// Two processes of Open MPI.
inline Words open_mpi_words(const std::string& mpirun, const Words& command) {
    Words words = {mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2"};
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

/// A call with copies of its values.
struct Kept {
    std::string name;
    int thread = 0;
    bool returned = false;
    std::int64_t error_code = 0;
    std::map<std::string, std::int64_t> before;
    std::map<std::string, std::int64_t> after;
    std::map<std::string, std::vector<std::int64_t>> lists;  ///< at the return
    std::map<std::string, std::vector<std::int64_t>> given;
};

class Record : public ::testing::Test {
protected:
    Completed record(const Words& options, const Words& command) {
        Words words = {MQI_INSPECT, "record", "-o", folder()};
        words.insert(words.end(), options.begin(), options.end());
        words.emplace_back("--");
        words.insert(words.end(), command.begin(), command.end());
        Completed completed = run_to_end({words, {}, {}}, std::chrono::seconds(90));
        if (auto opened = trace_io::open_recording(folder())) recording_ = std::move(*opened);
        return completed;
    }
    Completed run_bare(const Words& command) const {
        return run_to_end({command, {}, {}}, std::chrono::seconds(90));
    }
    const model::Execution& execution() const { return recording_->execution(); }

    std::vector<Kept> calls(int process) const {
        std::vector<Kept> result;
        const auto stream = recording_->calls(model::ProcessId(process));
        for (model::RecordedCall call; stream->next(call);)
            result.push_back(keep(call));
        return result;
    }
    std::vector<Kept> calls_of(int process, const std::string& name) const {
        std::vector<Kept> result;
        for (Kept& call : calls(process))
            if (call.name == name) result.push_back(std::move(call));
        return result;
    }
    const model::Termination& end_of(int process) const {
        return execution().processes[static_cast<std::size_t>(process)].termination;
    }
    /// The source lines where the program itself has used memory that it should not.
    std::string touched_places() const {
        const Completed checked =
            run_to_end({{MQI_INSPECT, "check", "--format", "json", folder()}, {}, {}},
                       std::chrono::seconds(60));
        const auto report = nlohmann::json::parse(checked.output, nullptr, false);
        if (!report.is_object()) return checked.output + checked.errors;
        std::string touched;
        for (const auto& finding : report.at("findings"))
            touched += finding.at("calls").at(1).at("source").get<std::string>() + "\n";
        return touched;
    }
    std::string folder() const { return (directory_.path() / "record").string(); }

    TemporaryDirectory directory_;
    std::unique_ptr<model::Recording> recording_;

private:
    Kept keep(const model::RecordedCall& call) const {
        const model::Procedure& procedure = execution().procedures[call.procedure.index()];
        Kept kept{procedure.name,
                  call.thread,
                  call.leave_event.has_value(),
                  call.error_code,
                  {},
                  {},
                  {},
                  {}};
        for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
            const std::string& name = procedure.parameters[i].name;
            if (i < call.before.size()) {
                kept.before[name] = call.before[i].number;
                kept.given[name].assign(call.before[i].list.begin(), call.before[i].list.end());
            }
            if (i >= call.after.size()) continue;
            kept.after[name] = call.after[i].number;
            kept.lists[name].assign(call.after[i].list.begin(), call.after[i].list.end());
        }
        return kept;
    }
};

inline int code_of(const Completed& completed) {
    return completed.status ? completed.status->code : -1;
}

}  // namespace mqinspect::testing
