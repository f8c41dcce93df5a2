#include "analysis/matching.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::analysis {
namespace {

model::JobSnapshot parse_snapshot(const std::string& text) {
    auto snapshot = model::parse_snapshot(text);
    EXPECT_TRUE(snapshot) << (snapshot ? "" : snapshot.error().message);
    return snapshot ? std::move(*snapshot) : model::JobSnapshot{};
}

TEST(Matching, KnowsWildcardsAndContexts) {
    const MessageEnvelope message{model::CommunicatorId(0), false, 3, 7};

    EXPECT_TRUE(matches({model::CommunicatorId(0), false, 3, 7}, message));
    EXPECT_TRUE(matches({model::CommunicatorId(0), false, std::nullopt, 7}, message));
    EXPECT_TRUE(matches({model::CommunicatorId(0), false, 3, std::nullopt}, message));
    EXPECT_FALSE(matches({model::CommunicatorId(1), false, 3, 7}, message));
    EXPECT_FALSE(matches({model::CommunicatorId(0), true, 3, 7}, message));
    EXPECT_FALSE(matches({model::CommunicatorId(0), false, 2, 7}, message));
    EXPECT_FALSE(matches({model::CommunicatorId(0), false, 3, 8}, message));
}

TEST(Matching, LeavesMessagesThatHaveArrivedWhereTheyAre) {
    const auto job = parse_snapshot(R"(
        rank 0 unexpected source 1 tag 4 synchronous
        rank 0 posted source 1 tag 5
        rank 0 running
        rank 1 running
        rank 1 send to 0 tag 4
        rank 1 send to 0 tag 5)");
    const JobIndex index(job);

    const Matching matching(index);

    EXPECT_FALSE(matching.send_is_met(job.operations[2]));
    EXPECT_TRUE(matching.send_is_met(job.operations[3]));
    EXPECT_TRUE(matching.receive_is_met(job.operations[1]));
    EXPECT_TRUE(matching.message_available(0, {model::CommunicatorId(0), false, 1, 4}));
    EXPECT_FALSE(matching.message_available(0, {model::CommunicatorId(0), false, 1, 5}));
}

// One receive after the other, one message after the other.
TEST(Matching, AgreesWithLookingAtEveryPair) {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t limit) { return random() % limit; };
        std::string text = "communicator 0 a\ncommunicator 1 b\nrank 0-2 running\n";
        for (std::size_t i = below(8); i > 0; --i) {
            text += "rank 0 posted comm " + std::to_string(below(2));
            text += below(3) == 0 ? " source any" : " source " + std::to_string(below(3));
            text += below(3) == 0 ? " tag any" : " tag " + std::to_string(below(2));
            text += below(4) == 0 ? " internal\n" : "\n";
        }
        for (std::size_t i = below(8); i > 0; --i) {
            text += "rank " + std::to_string(below(3)) + " send to 0 comm " +
                    std::to_string(below(2)) + " tag " + std::to_string(below(2)) +
                    (below(4) == 0 ? " internal\n" : "\n");
        }
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
        const auto job = parse_snapshot(text);
        const JobIndex index(job);

        const Matching matching(index);

        std::vector<bool> met(job.operations.size());
        for (std::size_t send = 0; send < met.size(); ++send) {
            if (job.operations[send].queue != model::Queue::PendingSend) continue;
            const auto message = message_envelope(index, job.operations[send]);
            for (std::size_t receive = 0; receive < met.size() && !met[send]; ++receive) {
                const auto& operation = job.operations[receive];
                if (operation.queue != model::Queue::PostedReceive || met[receive]) continue;
                if (!matches(receive_envelope(index, operation), *message)) continue;
                met[send] = met[receive] = true;
            }
        }
        for (std::size_t i = 0; i < met.size(); ++i) {
            const bool send = job.operations[i].queue == model::Queue::PendingSend;
            ASSERT_EQ(send ? matching.send_is_met(job.operations[i])
                           : matching.receive_is_met(job.operations[i]),
                      met[i])
                << "operation " << i;
        }
    }
}

}  // namespace
}  // namespace mqinspect::analysis
