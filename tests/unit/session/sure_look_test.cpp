#include "inspector/session/sure_look.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::session {
namespace {

using analysis::VerdictKind;

/// Two ranks that wait for each other in their `call`-th call.
model::JobSnapshot stuck(int call) {
    const std::string identity = " identity " + std::to_string(call);
    const auto snapshot = model::parse_snapshot(
        "job stopped_ms 2\n"
        "rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14" +
        identity +
        "\n"
        "rank 1 blocked MPI_Recv source 0 tag 7 comm 0 at ring.c:14" +
        identity +
        "\n"
        "rank 0 posted source 1 tag 7 bytes 4 own\n"
        "rank 1 posted source 0 tag 7 bytes 4 own\n");
    EXPECT_TRUE(snapshot) << snapshot.error().message;
    return *snapshot;
}

model::JobSnapshot going_on() {
    return *model::parse_snapshot(
        "job stopped_ms 2\n"
        "rank 0 running in compute at work.c:33\n"
        "rank 1 blocked MPI_Recv source 0 tag 7 comm 0 at ring.c:14 identity 9\n"
        "rank 1 posted source 0 tag 7 bytes 4 own\n");
}

Findings found(model::JobSnapshot snapshot) {
    analysis::Verdict verdict = analysis::analyze(snapshot);
    return {std::move(snapshot), std::move(verdict)};
}

/// A job that looks like this, one look after another.
class Job {
public:
    explicit Job(std::vector<model::JobSnapshot> sights) : sights_(std::move(sights)) {}

    Findings look(const Findings* last = nullptr) {
        Looks looks;
        looks.observe = [this] {
            what_happened += "look ";
            return sights_.at(next_++);
        };
        if (confirms) looks.let_run = [this] { what_happened += "run "; };
        return look_until_sure(looks, last);
    }

    std::string what_happened;
    bool confirms = true;

private:
    std::vector<model::JobSnapshot> sights_;
    std::size_t next_ = 0;
};

TEST(SureLook, LooksOnceAtWhatIsNoAlarm) {
    Job job({going_on()});

    EXPECT_EQ(job.look().verdict.kind, VerdictKind::None);
    EXPECT_EQ(job.what_happened, "look ");
}

TEST(SureLook, ConfirmsADeadlockByASecondLook) {
    Job job({stuck(1), stuck(1)});

    const Findings findings = job.look();

    EXPECT_EQ(findings.verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(job.what_happened, "look run look ");
    EXPECT_EQ(findings.snapshot.stopped_ms, 4);
}

TEST(SureLook, TakesAnEarlierAlarmForTheFirstLook) {
    const Findings last = found(stuck(1));
    Job job({stuck(1)});

    EXPECT_EQ(job.look(&last).verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(job.what_happened, "run look ");
}

TEST(SureLook, LooksAgainWhereRanksHaveMovedSinceTheEarlierAlarm) {
    const Findings last = found(stuck(1));
    Job job({stuck(2), stuck(2)});

    EXPECT_EQ(job.look(&last).verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(job.what_happened, "run look run look ");
}

TEST(SureLook, AnEarlierLookWithoutAnAlarmProvesNothing) {
    const Findings last = found(going_on());
    Job job({stuck(1), stuck(1)});

    EXPECT_EQ(job.look(&last).verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(job.what_happened, "look run look ");
}

TEST(SureLook, IsOnlySuspectedOfRanksThatMoveEachTime) {
    const Findings last = found(stuck(1));
    Job job({stuck(2), stuck(3), stuck(4)});

    EXPECT_EQ(job.look(&last).verdict.kind, VerdictKind::Suspected);
    EXPECT_EQ(job.what_happened, "run look run look run look ");
}

TEST(SureLook, OneLookIsEnoughWhereNobodyAsksForMore) {
    const Findings last = found(stuck(1));
    Job job({stuck(2)});
    job.confirms = false;

    EXPECT_EQ(job.look(&last).verdict.kind, VerdictKind::Deadlock);
    EXPECT_EQ(job.what_happened, "look ");
}

}  // namespace
}  // namespace mqinspect::session
