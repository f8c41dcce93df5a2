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

/// How many are left of findings of this class, one at each of these stacks.
std::size_t merged(FindingClass finding_class, const std::vector<ResolvedStack>& stacks) {
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
    return findings.findings.size();
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

TEST(SamePlaces, OtherLinesOfTheCallerMatterButForLeaks) {
    const ResolvedStack first{{frame("make", 7), frame("main", 20)}, 0};
    const ResolvedStack second{{frame("make", 7), frame("main", 21)}, 0};
    const ResolvedStack elsewhere{{frame("make", 7), frame("other", 30), frame("main", 22)}, 0};

    EXPECT_EQ(merged(FindingClass::InvalidArgument, {first, second}), 2U);
    EXPECT_EQ(merged(FindingClass::LeakedDatatype, {first, second, elsewhere}), 2U);
}

TEST(SamePlaces, WhatHasNoLinesStaysApart) {
    const ResolvedStack unknown{{frame("", 0), frame("main", 20)}, 0};

    EXPECT_EQ(merged(FindingClass::LeakedDatatype, {unknown, unknown}), 2U);
}

}  // namespace
}  // namespace mqinspect::report
