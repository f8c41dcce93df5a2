#include "thread_level/link/json_report.h"

#include <nlohmann/json.hpp>

#include "thread_level/link/text_report.h"

namespace mqinspect::thread_level::link {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of_severity(Severity severity) {
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

Json json_of(const SourcePlace& place) {
    Json json = Json::object();
    json["file"] = place.file;
    json["line"] = place.line;
    json["column"] = place.column;
    return json;
}

Json json_of(const Finding& finding) {
    Json json = json_of(finding.place);
    json["rule"] = option_of(finding.rule);
    json["severity"] = word_of_severity(finding.severity);
    json["function"] = finding.function;
    json["message"] = finding.message;
    json["required"] = name_of(finding.required);
    json["evidence"] = name_of(finding.evidence);
    json["fix"] = finding.fix;
    json["calls"] = Json::array();
    for (std::size_t at = 0; at < finding.calls.size(); ++at) {
        Json call = json_of(finding.call_places[at]);
        call["procedure"] = finding.calls[at];
        json["calls"].push_back(call);
    }
    json["explanations"] = Json::array();
    for (const Explanation& each : finding.explanations) {
        Json explanation = json_of(each.place);
        explanation["message"] = each.message;
        json["explanations"].push_back(explanation);
    }
    json["fingerprint"] = finding.fingerprint;
    return json;
}

}  // namespace

std::string print_json(const Report& report) {
    Json json;
    json["version"] = 1;
    json["files"] = report.files;
    json["verdict"] = verdict_of(report);
    json["required"] = name_of(report.required);
    json["requested"] = Json::array();
    for (const Level level : report.requested)
        json["requested"].push_back(name_of(level));
    json["provided"] = report.provided ? Json(name_of(*report.provided)) : Json(nullptr);
    json["units"] = report.units;
    json["hasMain"] = report.has_main;
    json["calls"] = Json::object();
    for (const Level level : {Level::Single, Level::Funneled, Level::Serialized, Level::Multiple})
        json["calls"][name_of(level)] = report.sites[static_cast<std::size_t>(level)];
    json["findings"] = Json::array();
    for (const Finding& finding : report.findings)
        json["findings"].push_back(json_of(finding));
    json["suppressed"] = report.suppressed;
    json["known"] = report.known;
    json["unknownCallees"] = report.unknown_callees;
    json["withoutNotes"] = report.without_notes;
    json["problems"] = report.problems;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mqinspect::thread_level::link
