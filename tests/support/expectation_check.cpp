#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tests/support/expectation.h"

namespace mqinspect::testing {

namespace {

using nlohmann::json;

std::string shown(const std::vector<int>& ranks) {
    return json(ranks).dump();
}

std::vector<int> ranks_in(const json& array) {
    std::vector<int> ranks;
    for (const json& rank : array)
        ranks.push_back(rank.is_number_integer() ? rank.get<int>() : -1);
    return ranks;
}

std::string base_name(const json& path) {
    return path.is_string() ? std::filesystem::path(path.get<std::string>()).filename().string()
                            : std::string();
}

std::string text_of(const json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

void check_call(const ExpectedCall& expected, const json& report, std::vector<std::string>& out) {
    const std::string who = "rank " + std::to_string(expected.rank) + ": ";
    const json& ranks = report.at("ranks");
    if (expected.rank >= static_cast<int>(ranks.size())) {
        out.push_back(who + "is missing");
        return;
    }
    const json& rank = ranks.at(static_cast<std::size_t>(expected.rank));
    if (rank.at("state") != "blocked")
        out.push_back(who + "is " + rank.at("state").dump() + ", not blocked");
    const json& call = rank.at("call");
    if (!call.is_object()) {
        out.push_back(who + "has no call, expected " + expected.function);
        return;
    }
    if (call.at("function") != expected.function)
        out.push_back(who + "is in " + call.at("function").dump() + ", not " + expected.function);
    if (base_name(call.at("file")) != expected.file || call.at("line") != expected.line) {
        out.push_back(who + "calls at " + call.at("file").dump() + ":" + call.at("line").dump() +
                      ", not " + expected.file + ":" + std::to_string(expected.line));
    }
}

/// All waits of one rank, in whatever core.
std::vector<json> waits_of(int rank, const json& verdict) {
    std::vector<json> waits;
    for (const json& core : verdict.at("cores")) {
        for (const json& wait : core.at("waits")) {
            if (wait.at("rank") == rank) waits.push_back(wait);
        }
    }
    return waits;
}

void check_wait(const ExpectedWait& expected, const json& verdict, std::vector<std::string>& out) {
    const std::string who = "wait of rank " + std::to_string(expected.call.rank) + ": ";
    const std::vector<json> waits = waits_of(expected.call.rank, verdict);
    if (waits.empty()) {
        out.push_back(who + "is missing");
        return;
    }
    const std::string place = expected.call.file + ":" + std::to_string(expected.call.line);
    std::set<int> targets;
    for (const json& wait : waits) {
        for (const int target : ranks_in(wait.at("for")))
            targets.insert(target);
        if (expected.mode != "mixed" && wait.at("mode") != expected.mode &&
            wait.at("for").size() != 1)
            out.push_back(who + "mode is " + wait.at("mode").dump() + ", not " + expected.mode);
        if (wait.at("call") != expected.call.function) {
            out.push_back(who + "call is " + wait.at("call").dump() + ", not " +
                          expected.call.function);
        }
        const std::string why = text_of(wait.at("why"));
        if (why.find(place) == std::string::npos) {
            out.push_back(who + "why is without ");
            out.back().append(place).append(": ").append(why);
        }
    }
    if (std::vector<int>(targets.begin(), targets.end()) != expected.targets) {
        out.push_back(who + "is for " + json(targets).dump() + ", not " + shown(expected.targets));
    }
}

void check_cores(const Expectation& expectation,
                 const json& verdict,
                 std::vector<std::string>& out) {
    std::vector<std::vector<int>> cores;
    for (const json& core : verdict.at("cores")) {
        cores.push_back(ranks_in(core.at("ranks")));
        if (core.at("kind") != expectation.verdict)
            out.push_back("core " + shown(cores.back()) + " is a " + core.at("kind").dump());
    }
    std::ranges::sort(cores);
    if (cores != expectation.cores) {
        out.push_back("cores are " + json(cores).dump() + ", not " +
                      json(expectation.cores).dump());
    }
}

void check_victims(const Expectation& expectation,
                   const json& verdict,
                   std::vector<std::string>& out) {
    std::map<int, std::vector<int>> victims;
    for (const json& victim : verdict.at("victims"))
        victims[victim.at("rank").get<int>()] = ranks_in(victim.at("chain"));
    if (victims != expectation.victims) {
        out.push_back("victims are " + verdict.at("victims").dump() + ", expected " +
                      json(expectation.victims).dump());
    }
}

void check_hint(int rank,
                const std::string& hint,
                const json& verdict,
                std::vector<std::string>& out) {
    std::string all;
    for (const json& wait : waits_of(rank, verdict))
        all += wait.value("hints", json::array()).dump();
    if (all.find(hint) == std::string::npos) {
        out.push_back("wait of rank " + std::to_string(rank) + ": hints are " + all +
                      ", none says \"" + hint + "\"");
    }
}

void check_ranks(const Expectation& expectation,
                 const json& report,
                 std::vector<std::string>& out) {
    const json& ranks = report.at("ranks");
    if (static_cast<int>(ranks.size()) != expectation.ranks) {
        out.push_back("the report has " + std::to_string(ranks.size()) + " ranks");
        return;
    }
    for (const json& rank : ranks) {
        if (rank.at("state") == "unreadable") {
            out.push_back("rank " + rank.at("rank").dump() +
                          " is unreadable: " + rank.at("problem").dump());
        }
        const int number = rank.at("rank").get<int>();
        const bool ended =
            std::ranges::find(expectation.exited, number) != expectation.exited.end();
        if (ended != (rank.at("state") == "exited"))
            out.push_back("rank " + std::to_string(number) + " is " + rank.at("state").dump());
    }
}

void check_worlds(const Expectation& expectation,
                  const json& report,
                  std::vector<std::string>& out) {
    std::map<int, std::vector<int>> found;
    for (const json& rank : report.at("ranks")) {
        std::vector<int>& world = found[rank.at("world").get<int>()];
        if (rank.at("rank_in_world") != world.size())
            out.push_back("rank " + rank.at("rank").dump() + " is not next in its world");
        world.push_back(rank.at("rank").get<int>());
    }
    std::vector<std::vector<int>> worlds;
    for (const auto& [number, ranks] : found)
        worlds.push_back(ranks);
    if (worlds.size() != 1 || !expectation.worlds.empty()) {
        if (worlds != expectation.worlds) {
            out.push_back("worlds are " + json(worlds).dump() + ", not " +
                          json(expectation.worlds).dump());
        }
    }
}

struct Keys {
    std::string_view where;
    std::initializer_list<std::string_view> names;
};

void check_keys(const Keys& keys, const json& object, std::vector<std::string>& out) {
    if (!object.is_object()) {
        out.push_back(std::string(keys.where) + " is no object");
        return;
    }
    for (const std::string_view name : keys.names) {
        if (!object.contains(name))
            out.push_back(std::string(keys.where) + " has no " + std::string(name));
    }
}

/// The member `name` of the object, which is to be an array of objects with keys.
void check_items(std::string_view name,
                 const Keys& keys,
                 const json& object,
                 std::vector<std::string>& out) {
    const auto array = object.find(name);
    if (array == object.end() || !array->is_array()) {
        out.push_back(std::string(name) + " is no array");
        return;
    }
    for (const json& item : *array)
        check_keys(keys, item, out);
}

}  // namespace

std::vector<std::string> differences(const Expectation& expectation, const json& report) {
    std::vector<std::string> out;
    const json& verdict = report.at("verdict");
    if (verdict.at("kind") != expectation.verdict) {
        out.push_back("verdict is " + verdict.at("kind").dump() + " (" +
                      verdict.at("sentence").dump() + "), not " + expectation.verdict);
    }
    check_ranks(expectation, report, out);
    check_worlds(expectation, report, out);
    check_cores(expectation, verdict, out);
    for (const ExpectedWait& wait : expectation.waits) {
        check_wait(wait, verdict, out);
        check_call(wait.call, report, out);
    }
    for (const ExpectedCall& call : expectation.calls)
        check_call(call, report, out);
    check_victims(expectation, verdict, out);
    for (const auto& [rank, hint] : expectation.hints)
        check_hint(rank, hint, verdict, out);
    if (expectation.running && ranks_in(verdict.at("running")) != *expectation.running) {
        out.push_back("running are " + verdict.at("running").dump() + ", not " +
                      shown(*expectation.running));
    }
    for (const std::string& text : expectation.sentence) {
        if (text_of(verdict.at("sentence")).find(text) == std::string::npos)
            out.push_back("sentence is " + verdict.at("sentence").dump() + " without " + text);
    }
    return out;
}

std::vector<std::string> schema_problems(const json& report) {
    const Keys call_keys{"call", {"function", "arguments", "file", "line"}};
    const Keys wait_keys{"wait", {"rank", "for", "mode", "call", "why"}};
    std::vector<std::string> out;
    check_keys({"report",
                {"schema",
                 "job",
                 "ranks",
                 "communicators",
                 "operations",
                 "windows",
                 "verdict",
                 "stopped_ms",
                 "total_ms"}},
               report,
               out);
    if (!out.empty()) return out;
    if (report.at("schema") != "mqinspect.report/1") out.emplace_back("schema has another name");
    check_keys({"job", {"launcher", "hosts", "size", "mpi", "dll"}}, report.at("job"), out);
    check_items(
        "ranks",
        {"rank",
         {"rank", "world", "rank_in_world", "pid", "host", "state", "call", "stack", "problem"}},
        report,
        out);
    check_items("communicators",
                {"communicator", {"id", "name", "size", "members", "remote_members"}},
                report,
                out);
    check_items("operations",
                {"operation",
                 {"rank",
                  "communicator",
                  "queue",
                  "state",
                  "comm_peer",
                  "world_peer",
                  "tag",
                  "bytes",
                  "count",
                  "datatype",
                  "function",
                  "request"}},
                report,
                out);
    const json& verdict = report.at("verdict");
    check_keys({"verdict", {"kind", "sentence", "cores", "victims", "running"}}, verdict, out);
    check_items("cores", {"core", {"kind", "ranks", "waits"}}, verdict, out);
    check_items("victims", {"victim", {"rank", "chain"}}, verdict, out);
    if (!out.empty()) return out;
    for (const json& core : verdict.at("cores"))
        check_items("waits", wait_keys, core, out);
    for (const json& rank : report.at("ranks")) {
        if (!rank.at("call").is_null()) check_keys(call_keys, rank.at("call"), out);
    }
    return out;
}

}  // namespace mqinspect::testing
