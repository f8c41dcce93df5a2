#include "inspector/session/snapshot_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/snapshot_text.h"
#include "report/dispatch.h"

namespace mqinspect::session {
namespace {

using analysis::VerdictKind;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::string_view kRing = R"(
    job launcher "mpiexec, pid 1" mpi "MPICH 4.0.2" stopped_ms 1.5
    host "a b"
    rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14 identity 0x10
    rank 1 blocked MPI_Recv source 0 tag 7 comm 0 at ring.c:14 identity 0x20
    rank 2 running in compute at work.c:33
    rank 0 posted source 1 tag 7 bytes 4 own
    rank 1 posted source 0 tag 7 bytes 4 own)";

model::JobSnapshot ring() {
    return *model::parse_snapshot(kRing);
}

Findings once(const model::JobSnapshot& snapshot) {
    return {snapshot, analysis::analyze(snapshot)};
}

std::string error_of(std::string_view text) {
    const auto findings = parse_findings(text);
    EXPECT_FALSE(findings) << text;
    return findings ? "" : findings.error().message;
}

class SnapshotFile : public ::testing::Test {
protected:
    SnapshotFile() {
        folder_ = (std::filesystem::temp_directory_path() / "snapshots-XXXXXX").string();
        EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    }
    ~SnapshotFile() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name) const { return folder_ + "/" + name; }

private:
    std::string folder_;
};

TEST_F(SnapshotFile, GivesBackWhatWasSaved) {
    const Findings saved = once(ring());
    ASSERT_TRUE(save_findings(saved, file("ring")));

    const auto loaded = load_findings(file("ring"));

    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(loaded->snapshot == saved.snapshot);
    EXPECT_EQ(loaded->verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(loaded->verdict.sentence, saved.verdict.sentence);
    EXPECT_FALSE(std::filesystem::exists(file("ring.new")));
}

TEST_F(SnapshotFile, KeepsThatAVerdictWasNotConfirmed) {
    model::JobSnapshot before = ring();
    before.ranks[1].call_identity = 0x99;
    const Findings saved{ring(), analysis::analyze_confirmed(before, ring())};
    ASSERT_EQ(saved.verdict.kind, VerdictKind::Suspected);

    const auto loaded = parse_findings(print_findings(saved));

    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->verdict.kind, VerdictKind::Suspected);
    EXPECT_EQ(loaded->verdict.sentence, saved.verdict.sentence);
    EXPECT_EQ(loaded->verdict.unconfirmed, saved.verdict.unconfirmed);
    EXPECT_EQ(print_findings(*loaded), print_findings(saved));
}

TEST_F(SnapshotFile, KeepsThatAVerdictWasConfirmed) {
    const Findings saved{ring(), analysis::analyze_confirmed(ring(), ring())};
    ASSERT_EQ(saved.verdict.kind, VerdictKind::Deadlock);
    EXPECT_THAT(saved.verdict.unconfirmed, ElementsAre(model::WorldRank(2)));

    const auto loaded = parse_findings(print_findings(saved));

    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->verdict.kind, VerdictKind::Deadlock);
}

TEST_F(SnapshotFile, RefusesForeignNewerAndTornFiles) {
    const std::string text = print_findings(once(ring()));

    EXPECT_THAT(error_of(""), HasSubstr("not a snapshot that mqinspect has saved"));
    EXPECT_THAT(error_of("\x7f"
                         "ELF"),
                HasSubstr("not a snapshot"));
    EXPECT_THAT(error_of("# mqinspect snapshot one\n# end\n"), HasSubstr("not a snapshot"));
    EXPECT_EQ(error_of("# mqinspect snapshot 2\nnews\n# end\n"),
              "saved by a newer mqinspect, in format 2; this one reads format 1");
    for (std::size_t length = text.find('\n'); length < text.size(); ++length)
        EXPECT_THAT(error_of(text.substr(0, length)), EndsWith("its end is missing"));
}

TEST_F(SnapshotFile, SaysWhichLineIsWrong) {
    EXPECT_THAT(error_of("# mqinspect snapshot 1\nrank 0 running\nnonsense\n# end\n"),
                HasSubstr("line 3"));
    EXPECT_THAT(error_of("# mqinspect snapshot 1\n# unconfirmed 7\nrank 0 running\n# end\n"),
                HasSubstr("line 2: no rank 7"));
}

TEST_F(SnapshotFile, NamesAFileThatCannotBeReadOrWritten) {
    EXPECT_THAT(load_findings(file("none")).error().message,
                HasSubstr("none: No such file or directory"));
    EXPECT_THAT(load_findings(file("")).error().message, HasSubstr("Is a directory"));
    EXPECT_THAT(save_findings(once(ring()), file("no/where")).error().message,
                HasSubstr("cannot write"));
    std::ofstream(file("foreign")) << "hello\n";
    EXPECT_THAT(load_findings(file("foreign")).error().message,
                HasSubstr("foreign: not a snapshot"));
}

TEST_F(SnapshotFile, DamageIsRefusedOrShown) {
    const std::string whole = print_findings({ring(), analysis::analyze_confirmed(ring(), ring())});
    std::mt19937 random(11);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    for (int round = 0; round < 2000; ++round) {
        std::string text = whole;
        for (std::size_t hits = 1 + below(3); hits > 0; --hits) {
            const std::size_t at = below(text.size());
            switch (below(3)) {
                case 0:
                    text[at] = static_cast<char>('0' + below(10));
                    break;
                case 1:
                    text.erase(at, 1 + below(8));
                    break;
                default:
                    text.insert(at, whole, below(whole.size()), below(20));
            }
        }
        const auto findings = parse_findings(text);
        if (!findings) continue;
        for (const std::string_view format : report::format_names()) {
            EXPECT_TRUE(report::print_report(format, findings->snapshot, findings->verdict, {}))
                << text;
        }
    }
}

}  // namespace
}  // namespace mqinspect::session
