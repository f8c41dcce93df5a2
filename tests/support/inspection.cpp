#include "tests/support/inspection.h"

#include <algorithm>

namespace mqinspect::testing {

namespace {

Inspection run(const Command& command, milliseconds limit) {
    Completed completed = run_to_end(command, limit);
    Inspection result;
    if (completed.status) result.exit_code = completed.status->code;
    result.report = nlohmann::json::parse(completed.output, nullptr, false);
    result.output = std::move(completed.output);
    result.errors = std::move(completed.errors);
    return result;
}

Inspection attach(const std::vector<std::string>& options,
                  const std::vector<pid_t>& pids,
                  milliseconds limit) {
    Command command;
    command.arguments = {MQI_INSPECT, "attach", "--format", "json", "--batch"};
    std::ranges::copy(options, std::back_inserter(command.arguments));
    for (const pid_t pid : pids)
        command.arguments.push_back(std::to_string(pid));
    return run(command, limit);
}

}  // namespace

Inspection inspect(const std::vector<pid_t>& pids, milliseconds limit) {
    return attach({}, pids, limit);
}

Inspection inspect_with(const std::vector<std::string>& options, const std::vector<pid_t>& pids) {
    return attach(options, pids, std::chrono::seconds(30));
}

Inspection inspect_cores(const std::string& executable, const std::vector<std::string>& cores) {
    Command command;
    command.arguments = {MQI_INSPECT, "core", "--format", "json", executable};
    std::ranges::copy(cores, std::back_inserter(command.arguments));
    return run(command, std::chrono::seconds(60));
}

std::string verdict_kind(const Inspection& inspection) {
    if (!inspection.report.is_object()) return {};
    const auto verdict = inspection.report.find("verdict");
    if (verdict == inspection.report.end() || !verdict->is_object()) return {};
    return verdict->value("kind", std::string());
}

bool is_one_line(const std::string& text) {
    return text.size() > 1 && text.back() == '\n' && std::ranges::count(text, '\n') == 1;
}

}  // namespace mqinspect::testing
