#include "model/snapshot_text.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JobSnapshot parse(std::string_view text) {
    auto snapshot = parse_snapshot(text);
    EXPECT_TRUE(snapshot) << (snapshot ? "" : snapshot.error().message);
    return snapshot ? std::move(*snapshot) : JobSnapshot{};
}

std::string error_of(std::string_view text) {
    const auto snapshot = parse_snapshot(text);
    EXPECT_FALSE(snapshot) << text;
    return snapshot ? "" : snapshot.error().message;
}

TEST(SnapshotText, FillsInWhatATestLeavesOut) {
    const JobSnapshot job = parse(R"(
        rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14   # a comment
        rank 0 posted source 1 tag 7 bytes 4 own
        rank 1 running in compute at work.c:33
        rank 2 exited
        rank 3 unreadable problem "permission denied")");

    ASSERT_EQ(job.ranks.size(), 4U);
    ASSERT_EQ(job.communicators.size(), 1U);
    EXPECT_EQ(job.communicators[0].name, "MPI_COMM_WORLD");
    EXPECT_EQ(job.communicators[0].members.size(), 4U);
    ASSERT_TRUE(job.ranks[0].call);
    const Call& call = *job.ranks[0].call;
    EXPECT_EQ(call.function, "MPI_Recv");
    EXPECT_EQ(call.location, (SourceLocation{"ring.c", 14}));
    EXPECT_EQ(call.source->rank, CommRank(1));
    EXPECT_EQ(call.source->world_rank, WorldRank(1));
    EXPECT_EQ(call.receive_tag, 7);
    EXPECT_FALSE(call.send_tag);
    EXPECT_THAT(call.operations, ElementsAre(0U));
    EXPECT_EQ(job.operations[0].world_peer, WorldRank(1));
    EXPECT_TRUE(job.ranks[0].queues_known);
    EXPECT_EQ(job.ranks[1].stack.at(0).function, "compute");
    EXPECT_EQ(job.ranks[1].memberships.at(0).comm_rank, CommRank(1));
    EXPECT_FALSE(job.ranks[2].queues_known);
    EXPECT_EQ(job.ranks[3].problem, "permission denied");
}

TEST(SnapshotText, NamesSeveralRanksAndTheirNeighbors) {
    const JobSnapshot job = parse(R"(
        communicator 0 "MPI_COMM_WORLD"
        communicator 1 "odd" members 1,3
        rank 0-2,3 blocked MPI_Sendrecv to next source prev send_tag 1 receive_tag 2 comm 0
        rank 1 send comm 1 to next tag 3 waited)");

    EXPECT_EQ(job.ranks[3].call->destination->world_rank, WorldRank(0));
    EXPECT_EQ(job.ranks[0].call->source->rank, CommRank(3));
    EXPECT_EQ(job.operations[0].comm_peer, CommRank(1));
    EXPECT_EQ(job.operations[0].world_peer, WorldRank(3));
    EXPECT_EQ(job.ranks[1].call->requests->at(0).operation, 0U);
    EXPECT_EQ(job.ranks[3].memberships.at(1).comm_rank, CommRank(1));
}

TEST(SnapshotText, FindsPeersInTheOtherGroupOfAnIntercommunicator) {
    const JobSnapshot job = parse(R"(
        communicator 0 "bridge" members 0 1 remote 2 3
        rank 0 blocked MPI_Recv source 1 comm 0
        rank 2 blocked MPI_Ssend to 0 tag 4 comm 0
        rank 1,3 running)");

    EXPECT_TRUE(job.communicators[0].inter);
    EXPECT_EQ(job.ranks[0].call->source->world_rank, WorldRank(3));
    EXPECT_EQ(job.ranks[2].call->destination->world_rank, WorldRank(0));
    EXPECT_EQ(job.ranks[2].call->send_tag, 4);
}

TEST(SnapshotText, ReadsEveryKindOfRequest) {
    const JobSnapshot job = parse(R"(
        rank 0 blocked MPI_Waitall requests null finished op=3+h=0x44 ? at w.c:1
        rank 1 blocked MPI_Waitany requests none)");

    const auto& requests = *job.ranks[0].call->requests;
    ASSERT_EQ(requests.size(), 4U);
    EXPECT_TRUE(requests[0].null);
    EXPECT_TRUE(requests[1].finished);
    EXPECT_EQ(requests[2].operation, 3U);
    EXPECT_EQ(requests[2].handle, 0x44U);
    EXPECT_EQ(requests[3], WaitedRequest{});
    EXPECT_TRUE(job.ranks[1].call->requests->empty());
}

TEST(SnapshotText, SaysWhichLineIsWrong) {
    EXPECT_EQ(error_of("rank 0 running\nrank 1 sleeping"),
              "line 2: 'sleeping' is no state, queue, window, frame, signal, member or also");
    EXPECT_EQ(error_of("nonsense"), "line 1: 'nonsense' is no statement");
    EXPECT_EQ(error_of("\n\nrank 0 blocked MPI_Recv source"), "line 3: the peer is missing");
    EXPECT_EQ(error_of("rank 0 blocked MPI_Recv source x"), "line 1: 'x' is no peer");
    EXPECT_EQ(error_of("rank 0 blocked MPI_Recv tag 99999999999"),
              "line 1: '99999999999' is no tag");
    EXPECT_EQ(error_of("rank 0 blocked MPI_Recv at ring.c"), "line 1: 'ring.c' is no FILE:LINE");
    EXPECT_EQ(error_of("rank 0 running problem \"x"), "line 1: a quoted word that does not end");
    EXPECT_EQ(error_of("rank 0 running\nrank 0 exited"), "line 2: a second state of the same rank");
    EXPECT_EQ(error_of("rank 1 running"), "rank 0 has no state");
    EXPECT_EQ(error_of("rank 0-99999999 running"), "line 1: too many ranks");
    EXPECT_EQ(error_of("rank ? running"), "line 1: a rank out of range");
    EXPECT_EQ(error_of("rank 5-2 running"), "line 1: '5-2' is no ranks");
    EXPECT_EQ(error_of("communicator 1 x\nrank 0 running"),
              "line 1: communicators are numbered from 0 in order of appearance");
    EXPECT_EQ(error_of("no_communicators\nrank 0 posted source next"),
              "line 2: next and prev need a communicator");
    EXPECT_EQ(error_of("rank 0 posted mode fast"), "line 1: 'fast' is no mode");
    EXPECT_EQ(error_of("rank 0 blocked MPI_Recv source ?"),
              "line 1: a peer of a call without a rank");
    EXPECT_THAT(error_of("communicator 0 w members 0-4000000\ncommunicator 1 w members 0-4000000"),
                HasSubstr("line 2: too many members"));
}

TEST(SnapshotText, SurvivesAnyText) {
    std::mt19937 random(7);
    const std::string_view alphabet = "rank 0123456789-,?@\"\\x#\nblockedMPI_Recvsourcemembers=+";
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (std::size_t length = random() % 80; length > 0; --length) {
            text += alphabet[random() % alphabet.size()];
        }
        const auto snapshot = parse_snapshot(text);
        if (!snapshot) continue;
        EXPECT_TRUE(parse_snapshot(print_snapshot(*snapshot))) << text;
    }
}

// Random snapshots, every field set now and then.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    JobSnapshot job() {
        JobSnapshot job;
        job.launcher = text();
        job.mpi = text();
        job.dll = text();
        job.stopped_ms = below(2) * 0.1;
        job.total_ms = below(1000) / 7.0;
        for (int i = below(3); i > 0; --i)
            job.hosts.push_back(text());
        for (int i = below(3); i > 0; --i)
            job.problems.push_back(text());
        for (int i = below(3); i > 0; --i)
            job.types.push_back(text());
        for (int i = below(3); i > 0; --i)
            job.world_sizes.push_back(1 + below(3));
        for (int i = below(3); i > 0; --i) {
            SourceExcerpt& source = job.sources.emplace_back();
            source.file = text();
            source.line = any_int();
            source.first_line = any_int();
            source.remark = text();
            for (int k = below(3); k > 0; --k)
                source.lines.push_back(text());
        }
        ranks_ = below(6);
        communicators_ = below(4);
        for (int i = 0; i < communicators_; ++i)
            job.communicators.push_back(communicator(i));
        for (int i = 0; i < ranks_; ++i)
            job.ranks.push_back(rank(i));
        if (ranks_ > 0) {
            for (int i = below(6); i > 0; --i)
                job.operations.push_back(operation());
            for (int i = below(4); i > 0; --i)
                job.windows.push_back(window());
        }
        return job;
    }

private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
    bool flip() { return below(2) == 0; }
    int any_int() {
        const int values[] = {0, 1, -1, 7, 32767, 2147483647, -2147483647 - 1};
        return values[below(7)];
    }
    std::uint64_t any_address() {
        return flip() ? 0 : random_() * std::uint64_t{0x100000001} + random_();
    }
    std::string text() {
        const char* const texts[] = {"",
                                     "a",
                                     "two words",
                                     "say \"no\"",
                                     "back\\slash",
                                     "new\nline",
                                     "tab\there",
                                     "#hash",
                                     "none",
                                     "?",
                                     "MPI_Recv",
                                     "0",
                                     "rank",
                                     "\x01\x7f",
                                     "größe",
                                     "file.c"};
        return texts[below(16)];
    }
    template <class Make>
    auto maybe(Make make) {
        return flip() ? std::optional(make()) : std::nullopt;
    }
    SourceLocation location() {
        if (flip()) return {};
        return {text(), any_int()};
    }
    Peer peer() {
        Peer peer;
        peer.kind = static_cast<Peer::Kind>(below(4));
        if (peer.kind == Peer::Kind::Rank) peer.rank = CommRank(any_int());
        peer.world_rank = maybe([&] { return WorldRank(any_int()); });
        return peer;
    }
    std::vector<WorldRank> group() {
        std::vector<WorldRank> members;
        for (int i = below(5); i > 0; --i) {
            members.emplace_back(below(8) - 1);
        }
        return members;
    }
    Communicator communicator(int id) {
        Communicator communicator;
        communicator.id = CommunicatorId(id);
        communicator.name = text();
        communicator.internal = flip();
        communicator.inter = flip();
        communicator.members = group();
        if (communicator.inter) communicator.remote_members = group();
        return communicator;
    }
    RankSnapshot rank(int number) {
        RankSnapshot rank;
        rank.rank = WorldRank(number);
        rank.pid = flip() ? 0 : any_int();
        rank.host = text();
        rank.state = static_cast<RankState>(below(4));
        rank.call = maybe([&] { return call(); });
        for (int i = below(3); i > 0; --i)
            rank.more_calls.push_back(call());
        for (int i = below(3); i > 0; --i) {
            rank.stack.push_back({any_address(), text(), text(), location()});
        }
        rank.signal = maybe([&] {
            return Signal{any_int(), text(), maybe([&] { return any_address(); }), maybe([&] {
                              return any_int();
                          })};
        });
        for (int i = below(3); i > 0; --i) {
            rank.memberships.push_back({CommunicatorId(any_int()),
                                        CommRank(any_int()),
                                        any_address(),
                                        any_address(),
                                        maybe([&] { return std::int64_t{any_int()}; })});
        }
        rank.queues_known = flip();
        rank.progress_count = maybe([&] { return any_address(); });
        rank.incoming_count = maybe([&] { return any_address(); });
        rank.suspended = flip();
        rank.receives_known = flip();
        rank.sends_known = flip();
        rank.call_identity = any_address();
        rank.problem = text();
        return rank;
    }
    Call call() {
        Call call;
        call.function = text();
        for (int i = below(3); i > 0; --i)
            call.arguments.push_back({text(), text()});
        call.location = location();
        call.communicator = maybe([&] { return CommunicatorId(any_int()); });
        call.destination = maybe([&] { return peer(); });
        call.source = maybe([&] { return peer(); });
        call.root = maybe([&] { return peer(); });
        call.moved_bytes = maybe([&] { return std::int64_t{any_int()}; });
        call.send_tag = maybe([&] { return any_int(); });
        call.receive_tag = maybe([&] { return any_int(); });
        call.any_tag = flip();
        call.requests = maybe([&] {
            std::vector<WaitedRequest> requests;
            for (int i = below(4); i > 0; --i) {
                requests.push_back({any_address(), flip(), maybe([&] { return index(); }), flip()});
            }
            return requests;
        });
        for (int i = below(3); i > 0; --i)
            call.operations.push_back(index());
        return call;
    }
    std::size_t index() { return static_cast<std::size_t>(below(1000)); }
    Operation operation() {
        Operation operation;
        operation.rank = WorldRank(below(ranks_));
        operation.communicator = CommunicatorId(any_int());
        operation.queue = static_cast<Queue>(below(4));
        operation.state = static_cast<OperationState>(below(3));
        operation.comm_peer = maybe([&] { return CommRank(any_int()); });
        // A peer's world rank follows from the communicator unless it is written.
        operation.world_peer = maybe([&] { return WorldRank(any_int()); });
        operation.any_source = flip();
        operation.tag = maybe([&] { return any_int(); });
        operation.any_tag = flip();
        operation.bytes = maybe([&] { return any_address(); });
        operation.count = maybe([&] { return any_address(); });
        operation.datatype = text();
        operation.function = text();
        operation.mode = static_cast<SendMode>(below(5));
        operation.protocol = static_cast<Protocol>(below(4));
        operation.persistent = flip();
        operation.collective = flip();
        operation.synchronous = flip();
        operation.sequence = maybe([&] { return std::int64_t{any_int()}; });
        operation.receives_from = world_ranks();
        operation.sends_to = world_ranks();
        operation.request = maybe([&] { return any_address(); });
        operation.address = any_address();
        operation.active_address = any_address();
        operation.buffer = any_address();
        for (int i = below(3); i > 0; --i)
            operation.extra_text.push_back(text());
        return operation;
    }

    std::vector<WorldRank> world_ranks() {
        std::vector<WorldRank> ranks;
        for (int i = below(4); i > 0; --i)
            ranks.emplace_back(below(5) - 1);
        return ranks;
    }

    Window window() {
        Window window;
        window.rank = WorldRank(below(ranks_));
        window.communicator = CommunicatorId(below(5));
        window.name = text();
        window.handle = any_address();
        window.bytes = maybe([&] { return any_address(); });
        window.flavor = static_cast<WindowFlavor>(below(5));
        window.shared_memory = flip();
        window.access = static_cast<AccessEpoch>(below(6));
        window.access_granted = flip();
        window.exposure = static_cast<ExposureEpoch>(below(3));
        window.started = world_ranks();
        window.posted = world_ranks();
        window.answers_awaited = flip();
        window.posts_received = maybe([&] { return any_address(); });
        window.locks_missing = maybe([&] { return any_address(); });
        window.completions_missing = maybe([&] { return any_address(); });
        window.lock = static_cast<LockType>(below(3));
        window.holders = any_address();
        for (int i = below(3); i > 0; --i) {
            window.waiters.push_back({WorldRank(below(5) - 1), static_cast<LockType>(below(3))});
        }
        for (int i = below(3); i > 0; --i) {
            window.targets.push_back({WorldRank(below(5) - 1),
                                      static_cast<WindowTarget::Lock>(below(4)),
                                      static_cast<LockType>(below(3)),
                                      maybe([&] { return any_address(); })});
        }
        return window;
    }

    std::mt19937 random_;
    int ranks_ = 0;
    int communicators_ = 0;
};

TEST(SnapshotText, SaysWhatIsWrongWithSources) {
    EXPECT_THAT(error_of("source_line \"int main\""), HasSubstr("a line of no source"));
    EXPECT_THAT(error_of("source a.c"), HasSubstr("line is missing"));
    EXPECT_THAT(error_of("source a.c 3 last 4"), HasSubstr("'last' is no property of a source"));
}

TEST(SnapshotText, SaysWhichWordOfAWindowIsWrong) {
    EXPECT_THAT(error_of("rank 0 running\nrank 0 window 0 access often"),
                HasSubstr("'often' is no access epoch"));
    EXPECT_THAT(error_of("rank 0 running\nrank 0 window 0 target 1 granted"),
                HasSubstr("type of lock is missing"));
    EXPECT_THAT(error_of("rank 0 running\nrank 0 window 0 open"),
                HasSubstr("'open' is no word of a window"));
}

TEST(SnapshotText, ReadsBackWhatItPrints) {
    for (unsigned seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed) {
        const JobSnapshot job = Generator(seed).job();

        const std::string text = print_snapshot(job);
        const auto again = parse_snapshot(text);

        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_TRUE(*again == job);
        EXPECT_EQ(print_snapshot(*again), text);
    }
}

}  // namespace
}  // namespace mqinspect::model
