#include "report/same_places.h"

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::FindingClass;

model::Frame frame(const std::string& function, int line) {
    model::Frame result;
    result.pc = static_cast<std::uint64_t>(line);
    result.function = function;
    result.location = {"a.c", line};
    return result;
}

/// What is left of findings of this class, one at each of these stacks.
std::vector<Finding> all_merged(FindingClass finding_class,
                                const std::vector<ResolvedStack>& stacks) {
    analysis::Findings findings;
    for (std::size_t at = 0; at < stacks.size(); ++at) {
        Finding finding;
        finding.finding_class = finding_class;
        analysis::InvolvedCall call;
        call.procedure = model::ProcedureId{1};
        call.stack = model::StackId{static_cast<int>(at)};
        call.event = at;
        finding.calls = {call};
        findings.findings.push_back(finding);
    }
    merge_same_places(findings, stacks);
    return findings.findings;
}

std::size_t merged(FindingClass finding_class, const std::vector<ResolvedStack>& stacks) {
    return all_merged(finding_class, stacks).size();
}

TEST(SamePlaces, CopiesOfOneCallAreOne) {
    ResolvedStack first{{frame("make", 7), frame("main", 20)}, 0};
    ResolvedStack copy = first;
    copy.frames[0].pc = 4711;

    EXPECT_EQ(merged(FindingClass::InvalidArgument, {first, copy}), 1U);
}

TEST(SamePlaces, WhereTheUsersCodeIsReachedIsWhatCounts) {
    const ResolvedStack first{{frame("memset", 1), frame("main", 20)}, 1};
    const ResolvedStack other{{frame("memset", 2), frame("main", 20)}, 1};

    EXPECT_EQ(merged(FindingClass::RmaConflict, {first, other}), 1U);
}

TEST(SamePlaces, OtherLinesOfTheCallerAreOtherCallers) {
    const ResolvedStack first{{frame("make", 7), frame("main", 20)}, 0};
    const ResolvedStack second{{frame("make", 7), frame("main", 21)}, 0};
    const ResolvedStack elsewhere{{frame("make", 7), frame("other", 30), frame("main", 22)}, 0};

    EXPECT_EQ(merged(FindingClass::InvalidArgument, {first, second}), 1U);
    EXPECT_EQ(merged(FindingClass::LeakedDatatype, {first, second, elsewhere}), 1U);
}

TEST(SamePlaces, ManyCallersOfOnePlaceAreSaidInASentence) {
    std::vector<ResolvedStack> stacks;
    for (int line = 20; line < 30; ++line)
        stacks.push_back({{frame("send", 7), frame("main", line)}, 0});
    stacks.push_back({{frame("send", 8), frame("main", 20)}, 0});

    const std::vector<Finding> findings = all_merged(FindingClass::InvalidArgument, stacks);

    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].count, 10U);
    EXPECT_EQ(findings[0].message,
              " The same happens there through 9 other callers: a.c:21, a.c:22, a.c:23, a.c:24 "
              "and others.");
    EXPECT_EQ(findings[1].count, 1U);
    EXPECT_EQ(findings[1].message, "");
}

TEST(SamePlaces, WithoutLinesTheCodeIsThePlace) {
    ResolvedStack first{{frame("", 0), frame("main", 20)}, 0};
    first.frames[0].image = "/lib/libblacs.so";
    first.frames[0].pc = 0x3df4d;
    ResolvedStack other = first;
    other.frames[1].location.line = 21;
    ResolvedStack elsewhere = first;
    elsewhere.frames[0].pc = 0x3df00;

    EXPECT_EQ(merged(FindingClass::InvalidArgument, {first, other, elsewhere}), 2U);
}

TEST(SamePlaces, WhatHasNoLinesStaysApart) {
    const ResolvedStack unknown{{frame("", 0), frame("main", 20)}, 0};

    EXPECT_EQ(merged(FindingClass::LeakedDatatype, {unknown, unknown}), 2U);
}

}  // namespace
}  // namespace mqinspect::report
