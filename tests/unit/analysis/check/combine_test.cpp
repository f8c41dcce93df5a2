#include "analysis/combine.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/merge_findings.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InvolvedCall call(int process, std::uint64_t event, int site = 1) {
    InvolvedCall made;
    made.process = model::ProcessId(process);
    made.event = event;
    made.procedure = model::ProcedureId(site);
    made.stack = model::StackId(site);
    return made;
}

InvolvedCall returned(InvolvedCall made) {
    made.returned = true;
    return made;
}

Finding finding(FindingClass finding_class,
                std::vector<InvolvedCall> calls,
                Severity severity = Severity::Error) {
    Finding made;
    made.finding_class = finding_class;
    made.severity = severity;
    made.message = "message of " + std::string(name_of(finding_class));
    for (const InvolvedCall& each : calls) {
        if (std::ranges::find(made.processes, each.process) == made.processes.end())
            made.processes.push_back(each.process);
    }
    std::ranges::sort(made.processes);
    made.calls = std::move(calls);
    return made;
}

std::vector<FindingClass> classes(const Findings& findings) {
    std::vector<FindingClass> list;
    for (const Finding& each : findings.findings)
        list.push_back(each.finding_class);
    return list;
}

Findings attached(std::vector<Finding> list) {
    Findings findings;
    findings.findings = std::move(list);
    attach_consequences(findings);
    return findings;
}

// Whose own part does fit: it has been handed what did not.
TEST(Consequences, OfASizeInACollectiveReachAllItsMembers) {
    const Findings findings =
        attached({finding(FindingClass::MpiError, {call(3, 6)}),
                  finding(FindingClass::MpiError, {call(2, 6, 2)}),
                  finding(FindingClass::IncorrectReceiveSize, {call(0, 4), call(1, 6)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::MpiError, FindingClass::IncorrectReceiveSize));
    EXPECT_THAT(findings.findings[1].consequences, ElementsAre(HasSubstr("message of MPI error")));
}

TEST(Consequences, OfACollectiveThatNotAllHaveCalled) {
    const Findings findings =
        attached({finding(FindingClass::RealHangUp, {call(0, 4)}),
                  finding(FindingClass::IncompleteCollective, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::IncompleteCall, {call(0, 4)}),
                  finding(FindingClass::IncompleteCall, {call(2, 9)})});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::IncompleteCollective));
    EXPECT_THAT(findings.findings[0].consequences,
                ElementsAre(HasSubstr("real hang-up"), HasSubstr("incomplete call")));
}

TEST(Consequences, OfDifferentCollectivesIsNoPotentialDeadlock) {
    const Findings findings =
        attached({finding(FindingClass::DifferentCollectives, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::PotentialDeadlock, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 6)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::DifferentCollectives, FindingClass::PotentialDeadlock));
}

TEST(Consequences, AWrongTypeExplainsTheSizeOfTheSamePair) {
    const Findings findings =
        attached({finding(FindingClass::WrongSendSize, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::WrongDataType, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::WrongSendSize, {call(0, 8), call(1, 10)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::WrongDataType, FindingClass::WrongSendSize));
    EXPECT_THAT(findings.findings[0].consequences,
                ElementsAre("wrong send size: message of wrong send size"));
    EXPECT_THAT(findings.findings[1].consequences, IsEmpty());
}

TEST(Consequences, GoToTheFirstOfAChainOfCauses) {
    // The message does not fit, the library says so, and that ends the process.
    const Findings findings =
        attached({finding(FindingClass::Abend, {call(1, 6)}),
                  finding(FindingClass::MpiError, {call(1, 6)}),
                  finding(FindingClass::WrongSendSize, {call(0, 4), call(1, 6)}),
                  finding(FindingClass::IncompleteCall, {call(0, 9)})});

    ASSERT_THAT(classes(findings), ElementsAre(FindingClass::WrongSendSize));
    EXPECT_THAT(
        findings.findings[0].consequences,
        ElementsAre(HasSubstr("abend"), HasSubstr("MPI error"), HasSubstr("incomplete call")));
}

TEST(Consequences, ADeadlockKeepsOthersInTheirReceives) {
    const Findings findings =
        attached({finding(FindingClass::UnfinishedReceive, {call(2, 7)}),
                  finding(FindingClass::UnfinishedReceive, {returned(call(3, 5)), call(3, 9)}),
                  finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 4)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::UnfinishedReceive, FindingClass::RealDeadlock));
}

TEST(Consequences, FollowAlsoFromTheCallsThatAreCountedInACause) {
    Finding sends = finding(FindingClass::NonpairedSend, {call(2, 4)});
    sends.alike = {call(0, 4), call(1, 4)};
    const Findings findings =
        attached({finding(FindingClass::PotentialDeadlock, {call(0, 4), call(1, 4)}), sends});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::NonpairedSend));
}

TEST(Consequences, ADeadlockExplainsTheCallsThatDidNotReturn) {
    const Findings findings =
        attached({finding(FindingClass::IncompleteCall, {call(0, 4)}),
                  finding(FindingClass::IncompleteCall, {call(2, 8)}),
                  finding(FindingClass::NonpairedReceive, {call(1, 4)}),
                  finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::NonpairedSend, {call(2, 2)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::RealDeadlock, FindingClass::NonpairedSend));
}

TEST(Consequences, WhoEndsEarlyExplainsTheCallsThatDidNotReturn) {
    const Findings findings = attached({finding(FindingClass::IncompleteCall, {call(0, 4)}),
                                        finding(FindingClass::MissingFinalize, {call(1, 4)})});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::MissingFinalize));
}

TEST(Consequences, CollectivesThatDoNotFitExplainTheDeadlockOfTheirCalls) {
    const Findings findings =
        attached({finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::DifferentCollectives, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::RealDeadlock, {call(2, 9), call(3, 9)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::DifferentCollectives, FindingClass::RealDeadlock));
}

TEST(Consequences, APotentialDeadlockOfOtherCallsIsNoConsequenceOfAMissingCollective) {
    const Findings findings =
        attached({finding(FindingClass::IncompleteCollective, {call(0, 9), call(1, 9)}),
                  finding(FindingClass::PotentialDeadlock, {call(2, 4), call(3, 4)}),
                  finding(FindingClass::PotentialHangUp, {call(0, 9), call(1, 9)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::IncompleteCollective, FindingClass::PotentialDeadlock));
}

TEST(Consequences, ACallThatMpiRefusesTakesPartInNothing) {
    Finding refused = finding(FindingClass::InvalidArgument, {call(0, 4), call(1, 4)});
    for (InvolvedCall& each : refused.calls)
        each.returned = true;
    const Findings findings =
        attached({refused,
                  finding(FindingClass::UnfinishedCollective, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::UnfinishedCollective, {call(0, 2), call(1, 2)})});

    EXPECT_THAT(classes(findings),
                ElementsAre(FindingClass::InvalidArgument, FindingClass::UnfinishedCollective));
}

TEST(Consequences, AProcessThatHasEndedIsMissedByOthers) {
    Finding end = finding(FindingClass::RmaConflict, {call(0, 4)});
    end.ends_process = true;
    const std::vector<Finding> others = {
        finding(FindingClass::IncompleteCall, {call(1, 6)}),
        finding(FindingClass::RealDeadlock, {call(2, 8), call(3, 8)}),
        finding(FindingClass::NonpairedSend, {call(1, 2)})};
    std::vector<Finding> all = {end};
    all.insert(all.end(), others.begin(), others.end());

    EXPECT_THAT(classes(attached(all)),
                ElementsAre(FindingClass::RmaConflict, FindingClass::RealDeadlock));
    all.front().ends_process = false;
    EXPECT_THAT(
        classes(attached(all)),
        ElementsAre(
            FindingClass::RmaConflict, FindingClass::RealDeadlock, FindingClass::NonpairedSend));
}

TEST(Consequences, MpiThatIsOutOfOrderEndsNoCollectives) {
    const auto collective_behind = [](const InvolvedCall& wrong, bool returned) {
        InvolvedCall wait = call(0, 9);
        InvolvedCall test = wrong;
        wait.returned = returned;
        test.returned = true;
        return classes(attached({finding(FindingClass::UseAfterFree, {test}),
                                 finding(FindingClass::UnfinishedCollective, {wait})}));
    };

    EXPECT_THAT(collective_behind(call(0, 4), false), ElementsAre(FindingClass::UseAfterFree));
    EXPECT_THAT(collective_behind(call(0, 4), true),
                ElementsAre(FindingClass::UseAfterFree, FindingClass::UnfinishedCollective));
    EXPECT_THAT(collective_behind(call(0, 12), false),
                ElementsAre(FindingClass::UseAfterFree, FindingClass::UnfinishedCollective));
}

TEST(Consequences, WhoIsRefusedIsMissedInACollective) {
    InvolvedCall refused = call(1, 4, 7);
    refused.returned = true;
    InvolvedCall waits = call(0, 4, 7);
    waits.returned = true;

    EXPECT_THAT(
        classes(attached({finding(FindingClass::InvalidArgument, {refused}),
                          finding(FindingClass::IncompleteCollective, {waits, call(1, 5, 8)})})),
        ElementsAre(FindingClass::InvalidArgument));
    waits.procedure = model::ProcedureId(9);
    EXPECT_THAT(
        classes(attached({finding(FindingClass::InvalidArgument, {refused}),
                          finding(FindingClass::IncompleteCollective, {waits, call(1, 5, 8)})})),
        ElementsAre(FindingClass::InvalidArgument, FindingClass::IncompleteCollective));
}

TEST(Consequences, WhoEndsEarlyExplainsACollectiveThatOthersWereEndedIn) {
    InvolvedCall done = call(2, 9);
    done.returned = true;

    EXPECT_THAT(classes(attached({finding(FindingClass::MissingFinalize, {call(1, 4)}),
                                  finding(FindingClass::UnfinishedCollective, {call(0, 9)})})),
                ElementsAre(FindingClass::MissingFinalize));
    EXPECT_THAT(classes(attached({finding(FindingClass::MissingFinalize, {call(1, 4)}),
                                  finding(FindingClass::UnfinishedCollective, {done})})),
                ElementsAre(FindingClass::MissingFinalize, FindingClass::UnfinishedCollective));
}

TEST(Consequences, MpiMayRefuseWhatDoesNotFitItsPartner) {
    EXPECT_THAT(classes(attached({finding(FindingClass::InvalidArgument, {call(0, 4)}),
                                  finding(FindingClass::WrongDataType, {call(1, 4), call(0, 4)})})),
                ElementsAre(FindingClass::WrongDataType));
}

TEST(Consequences, AnUnfinishedCollectiveIsReportedOnce) {
    const Findings findings =
        attached({finding(FindingClass::UnfinishedCollective, {call(0, 4), call(0, 9)}),
                  finding(FindingClass::UnfinishedCollective, {call(0, 4), call(1, 4)})});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::UnfinishedCollective));
}

TEST(Consequences, OneProblemAloneStays) {
    const Findings findings = attached({finding(FindingClass::IncompleteCall, {call(0, 4)})});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::IncompleteCall));
}

TEST(Merging, OfEqualSitesCountsAndNamesAllProcesses) {
    Findings findings;
    for (int process = 3; process >= 0; --process)
        findings.findings.push_back(
            finding(FindingClass::LeakedCommunicator, {call(process, 10, 7)}, Severity::Warning));
    findings.findings.push_back(
        finding(FindingClass::LeakedCommunicator, {call(0, 20, 8)}, Severity::Warning));

    merge_equal(findings);

    ASSERT_EQ(findings.findings.size(), 2U);
    EXPECT_EQ(findings.findings[0].count, 4U);
    EXPECT_EQ(findings.findings[0].processes.size(), 4U);
    EXPECT_EQ(findings.findings[0].calls.size(), 4U);
    EXPECT_EQ(findings.findings[1].count, 1U);
}

TEST(Merging, KeepsFindingsWithoutCallsApart) {
    Findings findings;
    findings.findings = {finding(FindingClass::Abend, {}), finding(FindingClass::Abend, {})};

    merge_equal(findings);

    EXPECT_EQ(findings.findings.size(), 2U);
}

TEST(Merging, ChangesThatAreCaughtAndThatAreFoundLaterAreOne) {
    const auto changed = [](std::uint64_t event, int start, int second, std::string_view part) {
        Finding result = finding(FindingClass::PendingBufferAccess,
                                 {call(0, event, start), call(0, event + 1, second)});
        result.calls[1].part = part;
        return result;
    };
    Findings findings;
    findings.findings = {changed(10, 7, 30, kBehindChange),
                         changed(20, 7, 40, "touches it"),
                         changed(30, 8, 30, kBehindChange)};

    merge_equal(findings);

    ASSERT_EQ(findings.findings.size(), 2U);
    EXPECT_EQ(findings.findings[0].calls[1].part, "touches it");
    EXPECT_EQ(findings.findings[0].count, 2U);
    EXPECT_EQ(findings.findings[1].calls[1].part, kBehindChange);
}

TEST(Merging, OfTwoCallsAtTheSameTimeEitherMayComeFirst) {
    Findings findings;
    findings.findings = {finding(FindingClass::ThreadLevel, {call(0, 1, 7), call(0, 2, 8)}),
                         finding(FindingClass::ThreadLevel, {call(0, 5, 8), call(0, 6, 7)})};
    for (Finding& one : findings.findings)
        one.calls[1].part = "at the same time";

    merge_equal(findings);

    EXPECT_EQ(findings.findings.size(), 1U);
}

TEST(Consequences, WhoAsksInADeadlockMayBeBetweenTwoCalls) {
    const Findings findings =
        attached({finding(FindingClass::RealDeadlock, {call(0, 4), call(1, 4)}),
                  finding(FindingClass::Abort, {call(1, 5)}, Severity::Note),
                  finding(FindingClass::Abort, {call(2, 5)}, Severity::Note)});

    EXPECT_THAT(classes(findings), ElementsAre(FindingClass::RealDeadlock, FindingClass::Abort));
}

TEST(Sorting, PutsErrorsFirstAndThenWhatHappenedFirst) {
    Findings findings;
    findings.findings = {finding(FindingClass::LeakedFile, {call(0, 1)}, Severity::Warning),
                         finding(FindingClass::WrongDataType, {call(1, 9)}),
                         finding(FindingClass::NonpairedSend, {call(0, 3)})};

    sort_by_severity(findings);

    EXPECT_THAT(
        classes(findings),
        ElementsAre(
            FindingClass::NonpairedSend, FindingClass::WrongDataType, FindingClass::LeakedFile));
}

}  // namespace
}  // namespace mqinspect::analysis
