#include "inspector/conformance/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "base/unique_fd.h"

namespace mqinspect::conformance {
namespace {

/// What a journal writes.
template <class Function>
std::string written_by(Function function) {
    std::array<int, 2> ends{};
    EXPECT_EQ(0, pipe2(ends.data(), O_CLOEXEC));
    const UniqueFd out(ends[0]);
    {
        const UniqueFd in(ends[1]);
        Journal journal(in.get());
        function(journal);
    }
    std::string text(65536, '\0');
    const ssize_t size = read(out.get(), text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
}

TEST(Journal, BringsEverythingOver) {
    const std::string text = written_by([](Journal& journal) {
        journal.violation(Rule::Group, "mqs_get_comm_group", "tab\tand\nline");
        journal.violation(Rule::Group, "mqs_get_comm_group", "another");
        journal.violation(Rule::Crash, "", "somewhere");
        journal.asked_symbol(1, "MPIR_Process");
        journal.asked_type(0, "struct thing");
        journal.asked_memory(1, 4095, 2);
        journal.unrecorded("the symbol x");
        journal.unrecorded("the symbol x");
        journal.not_applicable("no list");
        journal.figure(Figure::Reads, 17);
        journal.done();
    });

    const Findings findings = read_journal(text, 2, 2);

    ASSERT_EQ(2U, findings.violations.size());
    EXPECT_EQ(Rule::Group, findings.violations[0].rule);
    EXPECT_EQ("mqs_get_comm_group", findings.violations[0].function);
    EXPECT_EQ("tab?and?line", findings.violations[0].text);
    EXPECT_EQ(2, findings.violations[0].times);
    EXPECT_EQ("", findings.violations[1].function);
    EXPECT_TRUE(findings.questions.symbols.contains({1, "MPIR_Process"}));
    EXPECT_TRUE(findings.questions.types.contains({0, "struct thing"}));
    EXPECT_TRUE(findings.questions.pages.contains({1, 0}));
    EXPECT_TRUE(findings.questions.pages.contains({1, 4096}));
    EXPECT_EQ(1U, findings.unrecorded.size());
    EXPECT_EQ("no list", findings.not_applicable);
    EXPECT_EQ(17, findings.figures.at(Figure::Reads));
    EXPECT_TRUE(findings.done);
}

TEST(Journal, LeavesOutWhatADamagedHelperSays) {
    const Findings findings = read_journal(
        "violation\tno-such-rule\tx\ty\nviolation\tcrash\nsymbol\t7\tname\ntype\t-1\tname\n"
        "page\t0\t17\npage\t9\t4096\nfigure\t99\t1\nfigure\t0\tmany\nagain\tcrash\tx\n\t\t\t\n\n"
        "nonsense",
        1,
        1);

    EXPECT_TRUE(findings.violations.empty());
    EXPECT_TRUE(findings.questions.symbols.empty());
    EXPECT_TRUE(findings.questions.types.empty());
    EXPECT_TRUE(findings.questions.pages.empty());
    EXPECT_TRUE(findings.figures.empty());
    EXPECT_FALSE(findings.done);
}

TEST(Rules, HaveNamesOfTheirOwnAndSources) {
    for (int i = 0; i < static_cast<int>(Rule::Count); ++i) {
        const auto rule = static_cast<Rule>(i);
        EXPECT_FALSE(source_of(rule).empty());
        EXPECT_EQ(rule, rule_named(name_of(rule)));
    }
    EXPECT_FALSE(rule_named("no-such-rule"));
}

}  // namespace
}  // namespace mqinspect::conformance
