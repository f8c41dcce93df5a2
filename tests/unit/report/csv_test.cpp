#include "report/csv.h"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using ::testing::ElementsAreArray;
using ::testing::SizeIs;

/// RFC 4180 as its grammar says it; every line must end in CRLF.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::size_t at = 0;
    while (at < text.size()) {
        std::vector<std::string> row(1);
        for (bool quoted = false;; ++at) {
            EXPECT_LT(at, text.size());
            const char c = at < text.size() ? text[at] : '\r';
            if (quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
                row.back() += text[++at];
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == ',') {
                row.emplace_back();
            } else if (!quoted && c == '\r') {
                break;
            } else {
                row.back() += c;
            }
        }
        EXPECT_EQ(text.substr(at, 2), "\r\n");
        at += 2;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The field of the first operation.
std::string field(const model::JobSnapshot& snapshot, const std::string& name) {
    const auto rows = read_csv(print_csv(snapshot));
    const auto place = std::find(rows[0].begin(), rows[0].end(), name);
    EXPECT_NE(place, rows[0].end()) << name;
    return rows[1].at(static_cast<std::size_t>(place - rows[0].begin()));
}

TEST(Csv, HasTheFieldsOfTheJsonReportAndTheNameOfTheCommunicator) {
    const Case given = ring(2);
    const auto json = nlohmann::ordered_json::parse(print_json(given.snapshot, given.verdict));
    std::vector<std::string> names;
    for (const auto& member : json["operations"][0].items()) {
        names.push_back(member.key());
        if (member.key() == "communicator") names.emplace_back("communicator_name");
    }

    const auto rows = read_csv(print_csv(given.snapshot));

    EXPECT_THAT(rows[0], ElementsAreArray(names));
    EXPECT_THAT(rows, SizeIs(3));
    EXPECT_THAT(rows[1], SizeIs(names.size()));
}

TEST(Csv, ShowsAnOperation) {
    model::JobSnapshot snapshot = ring(4).snapshot;
    EXPECT_EQ(field(snapshot, "rank"), "0");
    EXPECT_EQ(field(snapshot, "communicator_name"), "MPI_COMM_WORLD");
    EXPECT_EQ(field(snapshot, "queue"), "posted_receive");
    EXPECT_EQ(field(snapshot, "world_peer"), "3");
    EXPECT_EQ(field(snapshot, "tag"), "7");
    EXPECT_EQ(field(snapshot, "datatype"), "MPI_INT");
    EXPECT_EQ(field(snapshot, "any_source"), "false");
    EXPECT_EQ(field(snapshot, "request"), "");
}

TEST(Csv, LeavesWildcardsAndUnknownsEmpty) {
    model::JobSnapshot snapshot = ring(2).snapshot;
    model::Operation& operation = snapshot.operations[0];
    operation.any_source = true;
    operation.any_tag = true;
    operation.bytes.reset();
    operation.communicator = model::CommunicatorId(-1);
    operation.receives_from = {model::WorldRank(1), model::kUnknownRank};
    EXPECT_EQ(field(snapshot, "world_peer"), "");
    EXPECT_EQ(field(snapshot, "tag"), "");
    EXPECT_EQ(field(snapshot, "bytes"), "");
    EXPECT_EQ(field(snapshot, "communicator_name"), "");
    EXPECT_EQ(field(snapshot, "receives_from"), "1 ?");
}

TEST(Csv, QuotesWhatWouldBreakARow) {
    model::JobSnapshot snapshot = ring(1).snapshot;
    snapshot.communicators[0].name = "a,\"b\"\r\nc\xff";
    EXPECT_EQ(field(snapshot, "communicator_name"), "a,\"b\"\\x0d\\nc\\xff");
    EXPECT_EQ(field(snapshot, "extra_text"), "");
    EXPECT_THAT(read_csv(print_csv(snapshot)), SizeIs(2));
}

TEST(Csv, NoTextIsAFormula) {
    model::JobSnapshot snapshot = ring(1).snapshot;
    for (const std::string start : {"=", "+", "-", "@"}) {
        snapshot.communicators[0].name = start + "cmd|' /C calc'!A0,1";
        EXPECT_EQ(field(snapshot, "communicator_name"), "'" + snapshot.communicators[0].name);
    }
    snapshot.communicators[0].name = "\t=1+1";
    EXPECT_EQ(field(snapshot, "communicator_name"), "\\t=1+1");
}

}  // namespace
}  // namespace mqinspect::report
