// The communicators and queues of tests/programs/everything_pending.c, field by
// field, against what the program itself knows of them.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/devices.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr int kRanks = 4;
constexpr const char* kFields[] = {"comm_peer",
                                   "world_peer",
                                   "tag",
                                   "bytes",
                                   "count",
                                   "datatype",
                                   "function",
                                   "mode",
                                   "state",
                                   "request",
                                   "persistent"};

/// What a build of MPICH does not keep.
struct Hidden {
    bool send_list = false;   ///< so that nothing says how old a send is
    bool send_modes = false;  ///< nor the envelopes of sends that the list does not hold
};

Hidden hidden_by(const std::string& device) {
    return {device.ends_with("_plain"), device.starts_with("ch4_")};
}

/// Name, members and remote members; the name is empty where the program gave none.
using CommunicatorKey = std::tuple<std::string, std::vector<int>, std::vector<int>>;

/// One queue of one communicator on one rank.
using QueueKey = std::tuple<int, CommunicatorKey, std::string>;

struct Records {
    std::set<CommunicatorKey> communicators;
    std::map<QueueKey, std::vector<json>> queues;
};

std::string shown(const CommunicatorKey& key) {
    return json(key).dump();
}

std::string shown(const QueueKey& key) {
    return "rank " + std::to_string(std::get<0>(key)) + ", " + shown(std::get<1>(key)) + ", " +
           std::get<2>(key);
}

/// An intercommunicator is one, seen from either side: the group with the smallest
/// world rank comes first.
CommunicatorKey key_of(std::string name, std::vector<int> members, std::vector<int> remote) {
    if (!remote.empty() && std::ranges::min(remote) < std::ranges::min(members))
        std::swap(members, remote);
    return {std::move(name), std::move(members), std::move(remote)};
}

Records read_records(const std::filesystem::path& folder) {
    Records records;
    for (int rank = 0; rank < kRanks; ++rank) {
        std::map<int, CommunicatorKey> by_number;
        std::istringstream lines(read_text(folder / (std::to_string(rank) + ".json")));
        for (std::string line; std::getline(lines, line);) {
            const json record = json::parse(line);
            if (record["record"] == "communicator") {
                const CommunicatorKey key =
                    key_of(record["name"].is_null() ? "" : record["name"].get<std::string>(),
                           record["members"].get<std::vector<int>>(),
                           record["remote_members"].get<std::vector<int>>());
                by_number[record["key"].get<int>()] = key;
                records.communicators.insert(key);
            } else {
                const CommunicatorKey& key = by_number.at(record["communicator"].get<int>());
                records.queues[{rank, key, record["queue"].get<std::string>()}].push_back(record);
            }
        }
    }
    return records;
}

/// The report's communicators by id. A name that the program did not give is
/// replaced by none, so that both sides have the same key.
std::map<int, CommunicatorKey> read_communicators(const json& report, const Records& records) {
    std::set<std::string> known_names;
    for (const CommunicatorKey& key : records.communicators)
        known_names.insert(std::get<0>(key));
    std::map<int, CommunicatorKey> result;
    for (const json& item : report.at("communicators")) {
        if (item.value("internal", false)) continue;
        const auto name = item.at("name").get<std::string>();
        result[item.at("id").get<int>()] =
            key_of(known_names.contains(name) ? name : "",
                   item.at("members").get<std::vector<int>>(),
                   item.at("remote_members").get<std::vector<int>>());
    }
    return result;
}

/// The report's operations; the inner traffic of collective operations is nothing
/// that the program knows of.
std::map<QueueKey, std::vector<json>> read_queues(
    const json& report, const std::map<int, CommunicatorKey>& communicators) {
    std::map<QueueKey, std::vector<json>> queues;
    for (const json& operation : report.at("operations")) {
        const auto queue = operation.at("queue").get<std::string>();
        if (operation.value("collective", false) && queue != "collective") continue;
        const auto communicator = communicators.find(operation.at("communicator").get<int>());
        if (communicator == communicators.end()) continue;
        queues[{operation.at("rank").get<int>(), communicator->second, queue}].push_back(operation);
    }
    return queues;
}

/// Whether MPICH's own list of sends, the only one that knows their age, holds the
/// send of a record.
bool in_send_list(const json& record) {
    if (record.at("persistent") == true) return record.at("mode") == "standard";
    const json& function = record.at("function");
    return function == "MPI_Isend" || function == "MPI_Issend" || function == "MPI_Irsend";
}

bool is_hidden(const json& record, std::string_view field, const Hidden& hidden) {
    // A persistent request has what the user gave.
    if (!hidden.send_modes || record.at("queue") != "pending_send" ||
        record.at("persistent") == true) {
        return false;
    }
    if (field == "mode" || field == "function") return true;
    const bool envelope = field == "comm_peer" || field == "world_peer" || field == "tag";
    return envelope && !in_send_list(record);
}

/// Null in the record: the program does not know, or means a wildcard by it, which
/// the report then shows as null too.
void compare_operation(const std::string& where,
                       const json& record,
                       const json& operation,
                       const Hidden& hidden,
                       std::vector<std::string>& out) {
    for (const char* field : kFields) {
        const json& expected = record.at(field);
        const std::string_view name = field;
        const bool envelope = name == "comm_peer" || name == "world_peer" || name == "tag";
        if (expected.is_null() && (!envelope || record.at("queue") == "collective")) continue;
        const json seen = operation.value(field, json());
        if (seen.is_null() && is_hidden(record, name, hidden)) continue;
        if (seen != expected) {
            out.push_back(where + ", tag " + record.at("tag").dump() + ": " + field + " is " +
                          seen.dump() + ", not " + expected.dump());
        }
    }
}

/// Sends of MPICH's list come first, oldest first; the others have no order, and are
/// put into that of their tags, which are different within a queue, on both sides.
void order_sends(std::vector<json>& records, std::vector<json>& operations, bool has_list) {
    const auto others = has_list
                            ? std::stable_partition(records.begin(), records.end(), in_send_list)
                            : records.begin();
    const auto listed_sends = others - records.begin();
    const auto by_tag = [](const json& left, const json& right) {
        return left.at("tag") < right.at("tag");
    };
    std::sort(others, records.end(), by_tag);
    std::sort(operations.begin() + listed_sends, operations.end(), by_tag);
}

void compare_queue(const std::string& where,
                   std::vector<json> records,
                   std::vector<json> operations,
                   const Hidden& hidden,
                   std::vector<std::string>& out) {
    if (records.size() != operations.size())
        std::erase_if(records, [](const json& record) { return record.at("optional") == true; });
    if (records.size() != operations.size()) {
        std::string tags;
        for (const json& operation : operations)
            tags += " " + operation.at("tag").dump();
        out.push_back(where + ": " + std::to_string(operations.size()) + " operations (tags" +
                      tags + "), not " + std::to_string(records.size()));
        return;
    }
    if (!records.empty() && records.front().at("queue") == "pending_send")
        order_sends(records, operations, !hidden.send_list);
    for (std::size_t i = 0; i < records.size(); ++i)
        compare_operation(where, records[i], operations[i], hidden, out);
}

std::vector<std::string> compare(const Records& records, const json& report, const Hidden& hidden) {
    std::vector<std::string> out;
    const auto communicators = read_communicators(report, records);
    std::set<CommunicatorKey> seen;
    for (const auto& [id, key] : communicators) {
        if (!seen.insert(key).second) out.push_back("communicator twice: " + shown(key));
        if (!records.communicators.contains(key))
            out.push_back("communicator that nobody made: " + shown(key));
    }
    for (const CommunicatorKey& key : records.communicators) {
        if (!seen.contains(key)) out.push_back("communicator is missing: " + shown(key));
    }
    const auto queues = read_queues(report, communicators);
    for (const auto& [key, expected] : records.queues) {
        const auto found = queues.find(key);
        compare_queue(shown(key),
                      expected,
                      found == queues.end() ? std::vector<json>() : found->second,
                      hidden,
                      out);
    }
    for (const auto& [key, operations] : queues) {
        if (!records.queues.contains(key)) compare_queue(shown(key), {}, operations, hidden, out);
    }
    return out;
}

std::string listed(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

bool all_written(const std::filesystem::path& folder) {
    for (int rank = 0; rank < kRanks; ++rank) {
        if (!std::filesystem::exists(folder / (std::to_string(rank) + ".json"))) return false;
    }
    return true;
}

class EverythingPending : public ::testing::TestWithParam<std::string> {};

TEST_P(EverythingPending, QueuesAreWhatTheProgramKnows) {
    const TemporaryDirectory folder;
    MpiJobOptions options;
    options.ranks = kRanks;
    options.mpiexec = mpiexec_of(GetParam());
    options.command = {program_path("everything_pending", GetParam()), folder.path()};
    MpiJob job(options);
    ASSERT_TRUE(poll_until(seconds(60), [&] { return all_written(folder.path()); }))
        << job.errors();
    const Records records = read_records(folder.path());

    // Rank 3 may not have entered its last call when its records are there.
    std::vector<std::string> differ;
    poll_until(seconds(20), [&] {
        const Inspection inspection = inspect({job.launcher_pid()});
        differ = inspection.report.is_object()
                     ? compare(records, inspection.report, hidden_by(GetParam()))
                     : std::vector<std::string>{inspection.errors};
        if (verdict_kind(inspection) != "none") differ.push_back(verdict_kind(inspection));
        return differ.empty();
    });
    EXPECT_EQ(listed(differ), "");

    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "the job hangs";
    EXPECT_EQ(status->code, 0) << job.errors();
    EXPECT_EQ(job.finished_ranks(), kRanks) << job.output();
}

std::vector<std::string> devices() {
    std::vector<std::string> names = further_devices();
    std::erase(names, "ch4_ucx");        // keeps all to itself
    std::erase(names, "ch4_ofi_plain");  // keeps no envelopes of sends
    names.insert(names.begin(), "");
    return names;
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         EverythingPending,
                         ::testing::ValuesIn(devices()),
                         [](const auto& test) {
                             return test.param.empty() ? "default_device" : test.param;
                         });

}  // namespace
}  // namespace mqinspect::testing
