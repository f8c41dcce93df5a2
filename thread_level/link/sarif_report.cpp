#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "thread_level/link/json_report.h"
#include "thread_level/link/rules.h"

namespace mqinspect::thread_level::link {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const char* level_of(Severity severity) {
    switch (severity) {
        case Severity::Error:
            return "error";
        case Severity::Warning:
            return "warning";
        case Severity::Note:
            break;
    }
    return "note";
}

// RFC 3986: what is not unreserved is spelled %XX; '/' separates.
std::string uri_path(std::string_view path) {
    std::string uri;
    for (const char letter : path) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0 ||
            std::string_view("-._~/").find(letter) != std::string_view::npos) {
            uri += letter;
        } else {
            uri += fmt::format("%{:02X}", byte);
        }
    }
    return uri;
}

Json text_object(std::string_view text) {
    return {{"text", text}};
}

class SarifLog {
public:
    explicit SarifLog(std::string root) : root_(std::move(root)) {
        if (!root_.empty() && !root_.ends_with('/')) root_ += '/';
    }

    Json log(const Report& report) const;

private:
    Json rule(Rule rule) const;
    Json result(const Finding& finding) const;
    Json code_flow(const Finding& finding) const;
    Json location(const SourcePlace& place, std::string_view message) const;

    std::string root_;
};

Json SarifLog::rule(Rule rule) const {
    const RuleText& text = text_of(rule);
    Json json;
    json["id"] = option_of(rule);
    json["name"] = text.name;
    json["shortDescription"] = text_object(text.summary);
    json["fullDescription"] = text_object(text.summary);
    json["help"] = text_object(text.help);
    json["defaultConfiguration"] = {{"level", level_of(text.severity)}};
    return json;
}

Json SarifLog::location(const SourcePlace& place, std::string_view message) const {
    Json json = Json::object();
    if (place.line != 0) {
        Json artifact;
        if (!root_.empty() && place.file.starts_with(root_)) {
            artifact["uri"] = uri_path(std::string_view(place.file).substr(root_.size()));
            artifact["uriBaseId"] = "%SRCROOT%";
        } else {
            artifact["uri"] = (place.file.starts_with('/') ? "file://" : "") + uri_path(place.file);
        }
        Json region = {{"startLine", place.line}};
        if (place.column != 0) region["startColumn"] = place.column;
        json["physicalLocation"] = {{"artifactLocation", artifact}, {"region", region}};
    }
    if (!message.empty()) json["message"] = text_object(message);
    return json;
}

/// The way to the call, from the outermost caller on; explanations go the other way.
Json SarifLog::code_flow(const Finding& finding) const {
    Json steps = Json::array();
    for (auto each = finding.explanations.rbegin(); each != finding.explanations.rend(); ++each) {
        if (each->is_on_way && each->place.line != 0)
            steps.push_back({{"location", location(each->place, each->message)}});
    }
    const std::string what = finding.calls.empty() ? finding.message : finding.calls.front();
    steps.push_back({{"location", location(finding.place, what)}, {"importance", "essential"}});
    Json flows = Json::array();
    flows.push_back({{"locations", steps}});
    return {{"threadFlows", flows}};
}

Json SarifLog::result(const Finding& finding) const {
    Json json;
    json["ruleId"] = option_of(finding.rule);
    for (std::size_t at = 0; at < std::size(kRules); ++at)
        if (kRules[at] == finding.rule) json["ruleIndex"] = at;
    json["level"] = level_of(finding.severity);
    json["message"] = text_object(finding.message);
    Json place = location(finding.place, "");
    if (!finding.function.empty()) {
        place["logicalLocations"] =
            Json::array({{{"name", finding.function}, {"kind", "function"}}});
    }
    json["locations"] = Json::array({place});
    json["relatedLocations"] = Json::array();
    std::size_t id = 0;
    for (const Explanation& each : finding.explanations) {
        Json related = location(each.place, each.message);
        related["id"] = id++;
        json["relatedLocations"].push_back(related);
    }
    json["codeFlows"] = Json::array({code_flow(finding)});
    json["partialFingerprints"] = {{"threadLevel/v1", finding.fingerprint}};
    json["properties"] = {{"evidence", name_of(finding.evidence)},
                          {"required", name_of(finding.required)}};
    if (!finding.fix.empty()) json["properties"]["fix"] = finding.fix;
    return json;
}

Json SarifLog::log(const Report& report) const {
    Json driver;
    driver["name"] = "mpi-thread-level-link";
    driver["version"] = MQI_VERSION;
    driver["rules"] = Json::array();
    for (const Rule each : kRules)
        driver["rules"].push_back(rule(each));
    Json run;
    run["tool"] = {{"driver", driver}};
    Json invocation = {{"executionSuccessful", true}};
    invocation["toolExecutionNotifications"] = Json::array();
    for (const std::string& problem : report.problems) {
        invocation["toolExecutionNotifications"].push_back(
            {{"level", "warning"}, {"message", text_object(problem)}});
    }
    run["invocations"] = Json::array({invocation});
    if (!root_.empty())
        run["originalUriBaseIds"] = {{"%SRCROOT%", {{"uri", "file://" + uri_path(root_)}}}};
    run["columnKind"] = "utf16CodeUnits";
    run["results"] = Json::array();
    for (const Finding& finding : report.findings)
        run["results"].push_back(result(finding));
    Json log;
    log["$schema"] = kSchema;
    log["version"] = "2.1.0";
    log["runs"] = Json::array({run});
    return log;
}

}  // namespace

std::string print_sarif(const Report& report, const std::string& source_root) {
    return SarifLog(source_root).log(report).dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

}  // namespace mqinspect::thread_level::link
