#include "analysis/local/reporter.h"

#include <algorithm>
#include <cstdio>

namespace mqinspect::analysis {

namespace {

// More processes that did the same tell nothing new.
constexpr std::size_t kMaxCalls = 64;

}  // namespace

std::size_t Reporter::KeyHash::operator()(const Key& key) const {
    std::uint64_t hash = static_cast<std::uint64_t>(key.finding_class) + 1;
    for (const std::int64_t number : key.sites)
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e37'79b9'7f4a'7c15 + (hash >> 29U);
    return hash;
}

Reporter::Reporter(const model::Execution& execution,
                   const CheckOptions& options,
                   Findings& findings)
    : options_(options), findings_(findings), per_process_(execution.processes.size()) {}

bool Reporter::wanted(FindingClass finding_class) const {
    return std::find(options_.without.begin(), options_.without.end(), finding_class) ==
           options_.without.end();
}

void Reporter::add_calls(Finding& finding,
                         model::ProcessId process,
                         std::span<const Involved> calls) {
    for (const Involved& call : calls) {
        const model::ProcessId caller = call.process.value >= 0 ? call.process : process;
        add_process(finding, caller);
        if (finding.calls.size() >= kMaxCalls) continue;
        finding.calls.push_back({caller,
                                 call.site.thread,
                                 call.site.event,
                                 call.site.procedure,
                                 call.site.stack,
                                 call.site.returned,
                                 std::string{call.part},
                                 call.anomalous});
    }
}

/// False: it is among them already.
bool Reporter::add_process(Finding& finding, model::ProcessId process) {
    auto& processes = finding.processes;
    const auto place = std::lower_bound(processes.begin(), processes.end(), process);
    if (place != processes.end() && *place == process) return false;
    processes.insert(place, process);
    return true;
}

Finding* Reporter::report(FindingClass finding_class,
                          Severity severity,
                          model::ProcessId process,
                          std::span<const Involved> calls,
                          std::uint64_t times) {
    if (!wanted(finding_class)) return nullptr;
    Key key{finding_class, {}};
    for (const Involved& call : calls) {
        key.sites.push_back(call.site.procedure.value);
        key.sites.push_back(call.site.stack.value);
    }
    std::size_t& reported = per_process_[process.index()];
    if (const auto found = known_.find(key); found != known_.end()) {
        Finding& finding = findings_.findings[found->second];
        finding.count += times;
        if (!last_) last_ = found->second;
        if (add_process(finding, process)) add_calls(finding, process, calls);
        return nullptr;
    }
    if (reported >= options_.errors_per_process) {
        findings_.complete = false;
        return nullptr;
    }
    ++reported;
    known_.emplace(std::move(key), findings_.findings.size());
    if (!last_) last_ = findings_.findings.size();
    Finding& finding = findings_.findings.emplace_back();
    finding.finding_class = finding_class;
    finding.severity = severity;
    finding.count = times;
    finding.processes = {process};
    add_calls(finding, process, calls);
    return &finding;
}

void Reporter::unchecked(std::string reason) {
    auto& reasons = findings_.unchecked;
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
        reasons.push_back(std::move(reason));
}

std::string rank_number(const model::Execution& execution, model::ProcessId process) {
    return std::to_string(execution.processes[process.index()].rank.value);
}

std::string bytes_text(std::int64_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string address_text(std::int64_t address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

}  // namespace mqinspect::analysis
