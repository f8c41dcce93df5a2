#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/checked_run.h"
#include "report/findings_html.h"
#include "report/findings_json.h"
#include "report/findings_sarif.h"
#include "report/findings_text.h"
#include "report/protocol/parts.h"
#include "report/protocol/protocol.h"
#include "report/protocol/trace.h"
#include "tests/support/execution_builder.h"

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::FindingClass;
using analysis::Severity;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Two ranks: one pair with a wrong type, a send that nobody receives, a crash of rank 1.
class FindingsReport : public ::testing::Test {
protected:
    void SetUp() override {
        recording_ = test::recording_of(2, R"(
            0: MPI_Send(dest=1, count=3, datatype=MPI_FLOAT, tag=999) @a.c:32
            1: MPI_Recv(source=0, count=3, datatype=MPI_INT, tag=999) @a.c:34
            0: MPI_Send(dest=1, tag=5) @a.c:40 = -
            1: signal 11
        )");
        Finding types;
        types.finding_class = FindingClass::WrongDataType;
        types.message = "Rank 0 sends floats, but rank 1 receives integers.\x1b[31m";
        types.processes = {model::ProcessId(0), model::ProcessId(1)};
        types.communicator = model::CommunicatorId(0);
        types.calls = {call(0, 0, true, "the send"), call(1, 0, true, "the receive")};
        types.consequences = {"wrong send size: it does not fit."};
        types.count = 5;
        Finding send;
        send.finding_class = FindingClass::NonpairedSend;
        send.severity = Severity::Warning;
        send.message = "Nobody receives it.";
        send.processes = {model::ProcessId(0)};
        send.calls = {call(0, 2, false, "")};
        findings_.findings = {types, send};
        findings_.unchecked = {"the rest"};
        profile_ = analysis::profile(*recording_, findings_);
        references_ = analysis::find_event_references(*recording_, profile_);
        for (const auto& stack : recording_->execution().stacks) {
            ResolvedStack resolved;
            for (const model::CodePlace& place : stack) {
                model::Frame frame;
                frame.function = "main";
                frame.location = {"/src/dir one/a.c", static_cast<int>(place.offset)};
                resolved.frames.push_back(frame);
            }
            stacks_.push_back(resolved);
        }
    }

    analysis::InvolvedCall call(int process, std::uint64_t event, bool returned, const char* part) {
        analysis::InvolvedCall made;
        const auto stream = recording_->calls(model::ProcessId(process));
        model::RecordedCall recorded;
        while (stream->next(recorded)) {
            if (recorded.event != event) continue;
            made.procedure = recorded.procedure;
            made.stack = recorded.stack;
        }
        made.process = model::ProcessId(process);
        made.event = event;
        made.returned = returned;
        made.part = part;
        return made;
    }

    CheckedRun run() const {
        return {recording_->execution(),
                findings_,
                profile_,
                stacks_,
                {{"reading", 1.5}},
                "rec",
                "1",
                0,
                0,
                &references_};
    }

    std::unique_ptr<model::Recording> recording_;
    analysis::Findings findings_;
    analysis::RunProfile profile_;
    analysis::EventReferences references_;
    std::vector<ResolvedStack> stacks_;
};

TEST_F(FindingsReport, TextBeginsWithTheNumbersAndNamesPlaceAndCause) {
    const std::string text = print_findings(run(), {});

    EXPECT_THAT(text, StartsWith("1 error, 1 warning in the run of 2 processes.\n"));
    EXPECT_THAT(text, HasSubstr("\na.c:32: error: wrong data type: Rank 0 sends floats"));
    EXPECT_THAT(text, HasSubstr("rank 1, a.c:34: MPI_Recv("));
    EXPECT_THAT(text,
                HasSubstr("datatype=MPI_FLOAT, dest=1, tag=999, comm=MPI_COMM_WORLD) [the send]"));
    EXPECT_THAT(text, HasSubstr("5 times like this"));
    EXPECT_THAT(text, HasSubstr("From this follows: wrong send size"));
    EXPECT_THAT(text, HasSubstr("a.c:40: warning: nonpaired send"));
    EXPECT_THAT(text, HasSubstr("[not returned]"));
    EXPECT_THAT(text, HasSubstr("Rank 1 crashed with signal 11"));
    EXPECT_THAT(text, HasSubstr("Not checked:\n  the rest"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(FindingsReport, CodeWithoutLinesIsNamedByTheUsersFunctionAndImage) {
    const auto frame = [](const std::string& function, const std::string& image, std::uint64_t pc) {
        model::Frame result;
        result.function = function;
        result.image = image;
        result.pc = pc;
        return result;
    };
    const model::Frame binding = frame("", "/usr/lib/libmpi_mpifh.so.40", 0x10);
    for (ResolvedStack& stack : stacks_)
        stack = {{binding, frame("solve", "/usr/bin/model", 0x1234)}, 1};

    EXPECT_THAT(print_findings(run(), {}),
                HasSubstr("\nsolve (model+0x1234): error: wrong data type"));
    const std::string with_name = fingerprint_of(run(), findings_.findings.front());

    for (ResolvedStack& stack : stacks_)
        stack.frames[1].function.clear();
    EXPECT_THAT(print_findings(run(), {}), HasSubstr("\nmodel+0x1234: error: wrong data type"));
    const std::string at_one_place = fingerprint_of(run(), findings_.findings.front());

    for (ResolvedStack& stack : stacks_)
        stack.frames[1].pc = 0x1300;
    EXPECT_NE(at_one_place, fingerprint_of(run(), findings_.findings.front()));
    EXPECT_NE(with_name, at_one_place);
}

TEST_F(FindingsReport, TextOfACleanRunIsOneLine) {
    findings_ = {};

    const std::string text = print_findings(run(), {});

    EXPECT_THAT(text, StartsWith("No errors found in the run of 2 processes.\n"));
}

TEST_F(FindingsReport, ProtocolHasTheTablesOfTheAnalyzer) {
    const std::string text = print_protocol(run());

    for (const char* heading : {"Task state",
                                "Current functions",
                                "Current source code points (src)",
                                "All errors/warnings",
                                "Source code points of all errors/warnings",
                                "Source code points of data type errors",
                                "State of processes",
                                "Errors and warnings",
                                "Calls of MPI functions",
                                "Calls of MPI functions by process",
                                "Communicators",
                                "Datatypes",
                                "Source references",
                                "Environment",
                                "Values of MPI constants",
                                "Times of the stages"})
        EXPECT_THAT(text, HasSubstr(std::string("\n") + heading + "\n=")) << heading;
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(FindingsReport, ProtocolHasOnlyTheTablesThatAreAskedFor) {
    const std::string text = print_protocol(run(), {"errors", "task"});

    EXPECT_THAT(text, StartsWith("\nTask state\n"));
    EXPECT_THAT(text, HasSubstr("\nAll errors/warnings\n"));
    EXPECT_THAT(text, Not(HasSubstr("Communicators")));
}

TEST_F(FindingsReport, ProtocolCountsEachOccurrence) {
    const std::string text = print_protocol(run(), {"task", "errors", "processes"});

    EXPECT_THAT(text, HasSubstr("Nerr  Nwarn  NPsend  NPrecv\n      2      1      0       0"));
    EXPECT_THAT(text, HasSubstr("5      1       1       0\n"));
    EXPECT_THAT(text, HasSubstr("  1  60 err      wrong data type     5      2     2\n"));
    EXPECT_THAT(text, HasSubstr("  2  46 warn     nonpaired send      1      1     1\n"));
}

TEST_F(FindingsReport, ProtocolErrorsHaveTraceFragmentsOfBothSides) {
    const std::string text = print_protocol(run(), {"findings"});

    EXPECT_THAT(text, HasSubstr("PROC  N  code    Error            dest  tag  size  count  type"));
    EXPECT_THAT(text,
                HasSubstr("0  1  60 err  wrong data type     1  999    12      3  MPI_FLOAT"));
    EXPECT_THAT(text, HasSubstr("send         3  MPI_FLOAT"));
    EXPECT_THAT(text, HasSubstr("receive      3  MPI_INT"));
    EXPECT_THAT(text, HasSubstr("rank 1: MPI_Recv (1) src=a.c(34)  [the receive]"));
    EXPECT_THAT(text,
                HasSubstr("comm = 0 MPI_COMM_WORLD  proc number = 2  tripl number = 1\n"
                          "      init=0 last=1 step=1\n"));
    EXPECT_THAT(text, HasSubstr("Trace fragment of process 0\n"));
    EXPECT_THAT(text, HasSubstr("0! call MPI_Send. src = a.c(32) time=00.00.00.0000"));
    EXPECT_THAT(text, HasSubstr("buf=0x1000 count=3 dtype=MPI_FLOAT size=12\n"));
    EXPECT_THAT(text, HasSubstr("dest=1 wdest=1 tag=999 comm=0"));
    EXPECT_THAT(text,
                HasSubstr("InitEvent=0 StartEvent=0 FinishEvent=1 "
                          "MatchedStartEvent=0 of process 1"));
    EXPECT_THAT(text, HasSubstr("1i ret MPI_Send."));
    EXPECT_THAT(text, HasSubstr("2! call MPI_Send. src = a.c(40)"));
    EXPECT_THAT(text, HasSubstr("FinishEvent=undef MatchedStartEvent=undef"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(FindingsReport, TraceHasTheFragmentsThatAreAskedFor) {
    const auto trace = [this](const char* fragments) {
        std::string text;
        print_trace(
            run(), *recording_, *parse_trace_fragments(fragments), [&](std::string_view piece) {
                text += piece;
                return true;
            });
        return text;
    };

    EXPECT_THAT(trace("all"), AllOf(HasSubstr("call MPI_Recv"), HasSubstr("src = a.c(40)")));
    EXPECT_THAT(trace("0:0-1"), AllOf(HasSubstr("src = a.c(32)"), Not(HasSubstr("src = a.c(40)"))));
    EXPECT_THAT(trace("1"), AllOf(HasSubstr("call MPI_Recv"), Not(HasSubstr("call MPI_Send"))));
    for (const char* wrong : {"", "x", "3-1", "0:", "0:5-2", "0,,1", "-1"})
        EXPECT_FALSE(parse_trace_fragments(wrong)) << wrong;
}

TEST(ErrorCodes, AreThoseOfTheAnalyzerWhereTheyAreKnown) {
    EXPECT_EQ(error_code(FindingClass::Abend), 1);
    EXPECT_EQ(error_code(FindingClass::UnfinishedSend), 44);
    EXPECT_EQ(error_code(FindingClass::PotentialDeadlock), 56);
    EXPECT_EQ(error_code(FindingClass::RealDeadlock), 58);
    EXPECT_EQ(error_code(FindingClass::WrongDataType), 60);
    EXPECT_EQ(error_code(FindingClass::DifferentCollectives), 101);
}

TEST_F(FindingsReport, ProtocolListsDeadlocksByThemselves) {
    findings_.findings[0].finding_class = FindingClass::RealDeadlock;
    findings_.findings[1].finding_class = FindingClass::PotentialHangUp;

    const std::string text = print_protocol(run(), {"deadlocks"});

    EXPECT_THAT(text, HasSubstr("\nReal deadlocks and hang-ups\n"));
    EXPECT_THAT(text, HasSubstr("0:MPI_Send   1:MPI_Recv   deadlock !"));
    EXPECT_THAT(text, HasSubstr("0:call MPI_Send   hang-up !"));
    EXPECT_LT(text.find("Real deadlocks"), text.find("Potential deadlocks"));
}

TEST_F(FindingsReport, JsonFollowsItsSchema) {
    const auto json = nlohmann::json::parse(print_findings_json(run()));

    EXPECT_EQ(json["schema"], "mqinspect.findings/1");
    const auto& first = json["findings"][0];
    EXPECT_EQ(first["class"], "wrong_data_type");
    EXPECT_EQ(first["name"], "wrong data type");
    EXPECT_EQ(first["severity"], "error");
    EXPECT_EQ(first["ranks"], nlohmann::json({0, 1}));
    EXPECT_EQ(first["communicator"], "MPI_COMM_WORLD");
    EXPECT_EQ(first["calls"][1]["function"], "MPI_Recv");
    EXPECT_EQ(first["calls"][1]["file"], "/src/dir one/a.c");
    EXPECT_EQ(first["calls"][1]["line"], 34);
    EXPECT_EQ(first["calls"][1]["rank"], 1);
    EXPECT_EQ(first["calls"][1]["arguments"]["datatype"], "MPI_INT");
    EXPECT_EQ(json["findings"][1]["communicator"], nullptr);
    EXPECT_EQ(json["findings"][1]["calls"][0]["returned"], false);
    EXPECT_EQ(first["code"], 60);
    EXPECT_EQ(first["calls"][1]["multiplicity"], 1);
    EXPECT_EQ(first["calls"][1]["results"]["status"], "[0, 999, 0, 12, 0]");
    EXPECT_EQ(json["findings"][1]["calls"][0]["results"], nullptr);
    EXPECT_EQ(json["functions"][0]["function"], "MPI_Send");
    EXPECT_EQ(json["functions"][0]["calls"], 2);
    EXPECT_EQ(json["communicators"][0]["members"], "0,1");
    EXPECT_EQ(json["task"]["errors"], 1);
    EXPECT_EQ(json["task"]["warnings"], 1);
    EXPECT_EQ(json["task"]["abend"], 1);
    EXPECT_EQ(json["task"]["ranks"][1]["ended"], "abend");
    EXPECT_EQ(json["task"]["ranks"][0]["last_call"]["line"], 40);
}

TEST_F(FindingsReport, SarifNamesFilesRelativeToTheRoot) {
    const auto log = nlohmann::json::parse(print_findings_sarif(run(), "/src"));

    EXPECT_EQ(log["version"], "2.1.0");
    const auto& sarif = log["runs"][0];
    EXPECT_EQ(sarif["tool"]["driver"]["rules"].size(), 2U);
    const auto& result = sarif["results"][0];
    EXPECT_EQ(result["ruleId"], "wrong_data_type");
    EXPECT_EQ(result["level"], "error");
    const auto& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "dir%20one/a.c");
    EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    EXPECT_EQ(place["region"]["startLine"], 32);
    EXPECT_EQ(result["relatedLocations"].size(), 1U);
    EXPECT_EQ(sarif["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///src/");
    EXPECT_EQ(sarif["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
              "the rest");
}

TEST(FindingClasses, EachHasAnIdentifierThatNamesIt) {
    for (int at = 0; at < mqinspect::analysis::kFindingClasses; ++at) {
        const auto finding_class = static_cast<FindingClass>(at);
        EXPECT_EQ(finding_class_of(identifier_of(finding_class)), finding_class) << at;
    }
}

TEST_F(FindingsReport, SarifTellsWhatEachRankDid) {
    const auto log = nlohmann::json::parse(print_findings_sarif(run(), "/src"));

    const auto& result = log["runs"][0]["results"][0];
    const auto& flows = result["codeFlows"][0]["threadFlows"];
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0]["id"], "rank 0");
    EXPECT_EQ(flows[1]["locations"][0]["importance"], "essential");
    EXPECT_EQ(result["stacks"].size(), 2U);
    EXPECT_EQ(result["partialFingerprints"].size(), 1U);
}

TEST_F(FindingsReport, HtmlHasTheFindingsAsItsData) {
    const std::string page = print_findings_html(run());

    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("<h1>1 error, 1 warning in the run of 2 processes</h1>"));
    EXPECT_THAT(page, HasSubstr("data-severity=\"error\"><b>1</b> error</button>"));
    const std::string begin = "id=\"data\">";
    const std::size_t data = page.find(begin) + begin.size();
    const auto json = nlohmann::json::parse(page.substr(data, page.find("</script>", data) - data));
    EXPECT_EQ(json["report"]["findings"].size(), 2U);
    EXPECT_EQ(json["report"]["functions"].size(), 2U);
    EXPECT_EQ(json["report"]["communicators"][0]["members"], "0,1");
    EXPECT_THAT(page, Not(HasSubstr("\x1b")));
    EXPECT_THAT(page, Not(HasSubstr("https:")));
}

TEST_F(FindingsReport, SarifNamesOtherFilesAbsolutely) {
    const auto log = nlohmann::json::parse(print_findings_sarif(run(), "/elsewhere"));

    const auto& place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "file:///src/dir%20one/a.c");
}

}  // namespace
}  // namespace mqinspect::report
