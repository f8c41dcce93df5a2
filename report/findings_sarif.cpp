#include "report/findings_sarif.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/json_writer.h"
#include "report/recorded_values.h"

namespace mqinspect::report {
namespace {

using Layout = JsonWriter::Layout;
using analysis::Finding;
using analysis::FindingClass;
using analysis::InvolvedCall;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// RFC 3986: what is not unreserved is spelled %XX; '/' separates.
std::string uri_path(std::string_view path) {
    std::string uri;
    for (const char letter : path) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0 ||
            std::string_view("-._~/").find(letter) != std::string::npos) {
            uri += letter;
        } else {
            uri += fmt::format("%{:02X}", byte);
        }
    }
    return uri;
}

class SarifLog {
public:
    SarifLog(const CheckedRun& run, const std::string& source_root)
        : run_(run), source_root_(source_root) {}
    std::string print() &&;

private:
    void tool();
    void invocation();
    void result(const Finding& finding);
    void location(const InvolvedCall& call, std::optional<std::size_t> id = {});
    void physical_location(const model::SourceLocation& place);
    void stack(const InvolvedCall& call);
    void thread_flows(const Finding& finding);
    void message(std::string_view text) {
        json_.key("message");
        json_.begin_object();
        json_.member("text", text);
        json_.end_object();
    }

    const CheckedRun& run_;
    const std::string& source_root_;
    JsonWriter json_;
};

void SarifLog::tool() {
    std::set<FindingClass> classes;
    for (const Finding& finding : run_.findings.findings)
        classes.insert(finding.finding_class);
    json_.key("tool");
    json_.begin_object(Layout::Lines);
    json_.key("driver");
    json_.begin_object(Layout::Lines);
    json_.member("name", "mqinspect");
    json_.member("version", run_.version);
    json_.key("rules");
    json_.begin_array(Layout::Lines);
    for (const FindingClass each : classes) {
        json_.begin_object();
        json_.member("id", identifier_of(each));
        json_.member("name", identifier_of(each));
        json_.key("shortDescription");
        json_.begin_object();
        json_.member("text", analysis::name_of(each));
        json_.end_object();
        json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    json_.end_object();
}

// What could not be read is a notification of the tool, not a result.
void SarifLog::invocation() {
    json_.key("invocations");
    json_.begin_array(Layout::Lines);
    json_.begin_object(Layout::Lines);
    json_.member("executionSuccessful", true);
    json_.key("toolExecutionNotifications");
    json_.begin_array(Layout::Lines);
    for (const auto* texts : {&run_.execution.problems, &run_.findings.unchecked}) {
        for (const std::string& text : *texts) {
            json_.begin_object();
            json_.member("level", "warning");
            message(text);
            json_.end_object();
        }
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
}

void SarifLog::physical_location(const model::SourceLocation& place) {
    if (place.line <= 0) return;
    std::string root = source_root_;
    if (!root.empty() && !root.ends_with('/')) root += '/';
    json_.key("physicalLocation");
    json_.begin_object();
    json_.key("artifactLocation");
    json_.begin_object();
    if (!root.empty() && place.file.starts_with(root)) {
        json_.member("uri", uri_path(std::string_view(place.file).substr(root.size())));
        json_.member("uriBaseId", "%SRCROOT%");
    } else {
        const bool absolute = place.file.starts_with('/');
        json_.member("uri", (absolute ? "file://" : "") + uri_path(place.file));
    }
    json_.end_object();
    json_.key("region");
    json_.begin_object();
    json_.member("startLine", place.line);
    json_.end_object();
    json_.end_object();
}

// An id where no two may be alike.
void SarifLog::location(const InvolvedCall& call, std::optional<std::size_t> id) {
    const analysis::KeptCall* kept = run_.call(call);
    json_.begin_object();
    if (id) json_.member("id", *id);
    physical_location(run_.location(call.stack));
    std::string text = rank_text(run_.execution, call.process) + ": ";
    const std::string name = procedure_name(run_, call);
    text += kept != nullptr ? call_text(run_.execution, *kept) : name;
    if (!call.part.empty()) text += (name.empty() ? "" : ", ") + call.part;
    if (!name.empty() && !call.returned) text += ", not returned";
    message(text);
    json_.end_object();
}

void SarifLog::stack(const InvolvedCall& call) {
    if (call.stack.value < 0 || call.stack.index() >= run_.stacks.size()) return;
    const ResolvedStack& resolved = run_.stacks[call.stack.index()];
    json_.begin_object();
    message(rank_text(run_.execution, call.process));
    json_.key("frames");
    json_.begin_array(Layout::Inline);
    for (std::size_t at = resolved.user_frame; at < resolved.frames.size(); ++at) {
        const model::Frame& frame = resolved.frames[at];
        json_.begin_object();
        json_.key("location");
        json_.begin_object();
        physical_location(frame.location);
        message(frame.function.empty() ? code_text(frame) : frame.function);
        json_.end_object();
        json_.end_object();
    }
    json_.end_array();
    json_.end_object();
}

// What each rank did, in its order; "executionOrder" goes by the time of the entry.
void SarifLog::thread_flows(const Finding& finding) {
    std::map<std::pair<model::ProcessId, int>, std::vector<const InvolvedCall*>> flows;
    std::map<std::int64_t, int> order;  ///< by time
    for (const InvolvedCall& call : finding.calls) {
        flows[{call.process, call.thread}].push_back(&call);
        if (const analysis::KeptCall* kept = run_.call(call)) order[kept->call.enter_ns] = 0;
    }
    int next = 0;
    for (auto& [time, number] : order)
        number = ++next;
    json_.key("codeFlows");
    json_.begin_array(Layout::Lines);
    json_.begin_object(Layout::Lines);
    json_.key("threadFlows");
    json_.begin_array(Layout::Lines);
    for (auto& [thread, calls] : flows) {
        std::ranges::stable_sort(calls, {}, &InvolvedCall::event);
        json_.begin_object(Layout::Lines);
        json_.member("id",
                     rank_text(run_.execution, thread.first) +
                         (thread.second == 0 ? "" : fmt::format(", thread {}", thread.second)));
        json_.key("locations");
        json_.begin_array(Layout::Lines);
        for (const InvolvedCall* call : calls) {
            json_.begin_object();
            json_.key("location");
            location(*call);
            json_.member("importance", call->anomalous ? "essential" : "important");
            if (const analysis::KeptCall* kept = run_.call(*call))
                json_.member("executionOrder", order[kept->call.enter_ns]);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
}

void SarifLog::result(const Finding& finding) {
    json_.begin_object(Layout::Lines);
    json_.member("ruleId", identifier_of(finding.finding_class));
    json_.member("level", name_of(finding.severity));
    std::string text = finding.message;
    for (const std::string& consequence : finding.consequences)
        text += "\nFrom this follows: " + consequence;
    message(text);
    json_.member("occurrenceCount", std::max<std::uint64_t>(1, finding.count));
    json_.key("locations");
    json_.begin_array(Layout::Lines);
    if (!finding.calls.empty()) location(finding.calls.front());
    json_.end_array();
    json_.key("relatedLocations");
    json_.begin_array(Layout::Lines);
    for (std::size_t at = 1; at < finding.calls.size(); ++at)
        location(finding.calls[at], at);
    json_.end_array();
    json_.key("stacks");
    json_.begin_array(Layout::Lines);
    std::set<std::pair<model::ProcessId, model::StackId>> seen;
    for (const InvolvedCall& call : finding.calls)
        if (seen.insert({call.process, call.stack}).second) stack(call);
    json_.end_array();
    if (!finding.calls.empty()) thread_flows(finding);
    json_.key("partialFingerprints");
    json_.begin_object();
    json_.member("callSites/v1", fingerprint_of(run_, finding));
    json_.end_object();
    json_.end_object();
}

std::string SarifLog::print() && {
    json_.begin_object(Layout::Lines);
    json_.member("$schema", kSchema);
    json_.member("version", "2.1.0");
    json_.key("runs");
    json_.begin_array(Layout::Lines);
    json_.begin_object(Layout::Lines);
    tool();
    if (!source_root_.empty()) {
        json_.key("originalUriBaseIds");
        json_.begin_object();
        json_.key("%SRCROOT%");
        json_.begin_object();
        json_.member("uri",
                     "file://" + uri_path(source_root_) + (source_root_.ends_with('/') ? "" : "/"));
        json_.end_object();
        json_.end_object();
    }
    invocation();
    json_.key("results");
    json_.begin_array(Layout::Lines);
    for (const Finding& finding : run_.findings.findings)
        result(finding);
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    return std::move(json_).finish() + "\n";
}

}  // namespace

std::string print_findings_sarif(const CheckedRun& run, const std::string& source_root) {
    return SarifLog(run, source_root).print();
}

}  // namespace mqinspect::report
