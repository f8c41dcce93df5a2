#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/snapshot_statements.h"
#include "model/snapshot_text.h"
#include "model/snapshot_words.h"
#include "model/window_text.h"

namespace mqinspect::model {

namespace {

// For the whole text: a range stands for many more ranks than it has letters.
constexpr std::size_t kMostNumbers = std::size_t{1} << 22U;
constexpr int kMostRanks = 1 << 20;

Error invalid(std::string message) {
    return {ErrorCode::InvalidArgument, std::move(message)};
}

struct Line {
    std::size_t number = 0;
    Words words;
};

// World rank to rank in the communicator.
struct Positions {
    std::unordered_map<int, int> local;
    std::unordered_map<int, int> remote;
};

class Parser {
public:
    Result<JobSnapshot> parse(std::string_view text) {
        std::vector<Line> rank_lines;
        TRY(first_pass(text, rank_lines));
        TRY(complete_communicators());
        for (Line& line : rank_lines) {
            if (auto done = rank_line(line.words); !done) return at_line(line, done.error());
        }
        for (std::size_t i = 0; i < has_state_.size(); ++i) {
            if (!has_state_[i]) return invalid("rank " + std::to_string(i) + " has no state");
        }
        attach_operations();
        default_memberships();
        return std::move(snapshot_);
    }

private:
    static Error at_line(const Line& line, const Error& error) {
        return error.in("line " + std::to_string(line.number));
    }

    Result<std::vector<int>> list(Words& words, std::string_view what) {
        auto numbers = TRY(words.list(what, kMostNumbers - numbers_));
        numbers_ += numbers.size();
        return numbers;
    }

    Result<Done> first_pass(std::string_view text, std::vector<Line>& rank_lines);
    Result<Done> count_ranks(Words words);
    Result<Done> job_line(Words& words);
    Result<Done> job_properties(Words& words);
    Result<Done> source_line(Words& words);
    Result<Done> communicator_line(Words& words);
    Result<std::vector<WorldRank>> members(Words& words);
    Result<Done> complete_communicators();
    Result<Done> rank_line(Words& words);
    Result<Done> detail_line(const std::vector<int>& subjects, std::string_view verb, Words& words);
    Result<Done> library_line(const std::vector<int>& subjects,
                              std::string_view verb,
                              Words& words);
    /// Precondition: count_ranks has seen it.
    RankSnapshot& rank_at(int rank) { return snapshot_.ranks[static_cast<std::size_t>(rank)]; }
    Result<Done> add_state(const StateStatement& statement, RankSnapshot& rank);
    Result<Call> resolved(const CallStatement& statement, WorldRank rank) const;
    Result<Done> add_operation(const OperationStatement& statement, RankSnapshot& rank);
    Result<Done> set_peer(const WrittenPeer& written,
                          WorldRank rank,
                          const std::optional<CommunicatorId>& communicator,
                          std::optional<Peer>& peer) const;
    bool known(CommunicatorId id) const {
        return id.value >= 0 && id.index() < snapshot_.communicators.size();
    }
    void attach_operations();
    void default_memberships();

    JobSnapshot snapshot_;
    std::vector<Positions> positions_;  // by communicator
    std::vector<bool> all_ranks_;       // by communicator: its members are not listed
    std::vector<bool> has_state_;       // by rank, as the next
    std::vector<bool> own_memberships_;
    std::vector<std::size_t> own_, waited_;  // operations marked so
    std::size_t numbers_ = 0;
    bool no_communicators_ = false;
};

// Job and communicators at once, ranks later: they refer to communicators.
Result<Done> Parser::first_pass(std::string_view text, std::vector<Line>& rank_lines) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto words = Words::split(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        Line line{number, {}};
        if (!words) return at_line(line, words.error());
        line.words = std::move(*words);
        if (line.words.at_end()) continue;
        if (!line.words.skip_if("rank")) {
            if (auto done = job_line(line.words); !done) return at_line(line, done.error());
            continue;
        }
        if (auto done = count_ranks(line.words); !done) return at_line(line, done.error());
        rank_lines.push_back(std::move(line));
    }
    return Done{};
}

Result<Done> Parser::count_ranks(Words words) {
    for (const int rank : TRY(words.list("ranks", kMostRanks))) {
        if (rank < 0 || rank >= kMostRanks) return invalid("a rank out of range");
        has_state_.resize(std::max(has_state_.size(), static_cast<std::size_t>(rank) + 1));
    }
    return Done{};
}

Result<Done> Parser::job_line(Words& words) {
    if (words.skip_if("communicator")) return communicator_line(words);
    if (words.skip_if("job")) return job_properties(words);
    if (words.skip_if("source")) return source_line(words);
    if (words.skip_if("no_communicators")) {
        no_communicators_ = true;
    } else if (words.skip_if("host")) {
        snapshot_.hosts.push_back(TRY(words.text("host")));
    } else if (words.skip_if("problem")) {
        snapshot_.problems.push_back(TRY(words.text("problem")));
    } else if (words.skip_if("source_line")) {
        if (snapshot_.sources.empty()) return invalid("a line of no source");
        snapshot_.sources.back().lines.push_back(TRY(words.text("line")));
    } else if (words.skip_if("world")) {
        snapshot_.world_sizes.push_back(TRY(words.number<int>("size")));
    }
    if (!words.at_end()) return Words::wrong("statement", words.peek().text);
    return Done{};
}

Result<Done> Parser::job_properties(Words& words) {
    while (!words.at_end()) {
        if (words.skip_if("launcher")) {
            snapshot_.launcher = TRY(words.text("launcher"));
        } else if (words.skip_if("mpi")) {
            snapshot_.mpi = TRY(words.text("MPI library"));
        } else if (words.skip_if("dll")) {
            snapshot_.dll = TRY(words.text("DLL"));
        } else if (words.skip_if("types")) {
            snapshot_.types.push_back(TRY(words.text("type donor")));
        } else if (words.skip_if("stopped_ms")) {
            snapshot_.stopped_ms = TRY(words.number<double>("time"));
        } else if (words.skip_if("total_ms")) {
            snapshot_.total_ms = TRY(words.number<double>("time"));
        } else {
            return Words::wrong("property of a job", words.peek().text);
        }
    }
    return Done{};
}

Result<Done> Parser::source_line(Words& words) {
    SourceExcerpt source;
    source.file = TRY(words.text("file"));
    source.line = TRY(words.number<int>("line"));
    while (!words.at_end()) {
        if (words.skip_if("first")) {
            source.first_line = TRY(words.number<int>("line"));
        } else if (words.skip_if("remark")) {
            source.remark = TRY(words.text("remark"));
        } else {
            return Words::wrong("property of a source", words.peek().text);
        }
    }
    snapshot_.sources.push_back(std::move(source));
    return Done{};
}

Result<Done> Parser::communicator_line(Words& words) {
    Communicator communicator;
    const int id = TRY(words.number<int>("communicator"));
    if (id < 0 || static_cast<std::size_t>(id) != snapshot_.communicators.size()) {
        return invalid("communicators are numbered from 0 in order of appearance");
    }
    communicator.id = CommunicatorId(id);
    communicator.name = TRY(words.text("name"));
    bool members_given = false;
    while (!words.at_end()) {
        if (words.skip_if("internal")) {
            communicator.internal = true;
        } else if (words.skip_if("inter")) {
            communicator.inter = true;
        } else if (words.skip_if("members")) {
            members_given = true;
            communicator.members = TRY(members(words));
        } else if (words.skip_if("remote")) {
            communicator.inter = true;
            communicator.remote_members = TRY(members(words));
        } else {
            return Words::wrong("property of a communicator", words.peek().text);
        }
    }
    all_ranks_.push_back(!members_given);
    snapshot_.communicators.push_back(std::move(communicator));
    return Done{};
}

Result<std::vector<WorldRank>> Parser::members(Words& words) {
    std::vector<WorldRank> ranks;
    for (const int rank : TRY(list(words, "members")))
        ranks.emplace_back(rank);
    return ranks;
}

void index(const std::vector<WorldRank>& members, std::unordered_map<int, int>& positions) {
    positions.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        positions.emplace(members[i].value, static_cast<int>(i));
    }
}

Result<Done> Parser::complete_communicators() {
    if (snapshot_.communicators.empty() && !no_communicators_) {
        snapshot_.communicators.emplace_back().name = "MPI_COMM_WORLD";
        all_ranks_.push_back(true);
    }
    snapshot_.ranks.resize(has_state_.size());
    own_memberships_.resize(has_state_.size());
    for (std::size_t i = 0; i < snapshot_.ranks.size(); ++i) {
        snapshot_.ranks[i].rank = WorldRank(static_cast<int>(i));
    }
    positions_.resize(snapshot_.communicators.size());
    for (Communicator& communicator : snapshot_.communicators) {
        if (all_ranks_[communicator.id.index()]) {
            numbers_ += snapshot_.ranks.size();
            if (numbers_ > kMostNumbers) return invalid("too many members");
            for (const RankSnapshot& rank : snapshot_.ranks) {
                communicator.members.push_back(rank.rank);
            }
        }
        index(communicator.members, positions_[communicator.id.index()].local);
        index(communicator.remote_members, positions_[communicator.id.index()].remote);
    }
    return Done{};
}

std::optional<Queue> queue_named(std::string_view word) {
    if (word == "posted") return Queue::PostedReceive;
    if (word == "unexpected") return Queue::UnexpectedMessage;
    if (word == "send") return Queue::PendingSend;
    if (word == "collective") return Queue::Collective;
    return std::nullopt;
}

std::optional<RankState> state_named(std::string_view word) {
    if (word == "blocked") return RankState::Blocked;
    if (word == "running") return RankState::Running;
    if (word == "exited") return RankState::Exited;
    if (word == "unreadable") return RankState::Unreadable;
    return std::nullopt;
}

Result<Done> Parser::rank_line(Words& words) {
    const std::vector<int> subjects = TRY(list(words, "ranks"));
    const std::string verb = TRY(words.text("state"));
    if (const auto queue = queue_named(verb)) {
        const OperationStatement statement = TRY(parse_operation(*queue, words));
        for (const int subject : subjects)
            TRY(add_operation(statement, rank_at(subject)));
        return Done{};
    }
    if (const auto state = state_named(verb)) {
        const StateStatement statement = TRY(parse_state(*state, words));
        for (const int subject : subjects)
            TRY(add_state(statement, rank_at(subject)));
        return Done{};
    }
    return detail_line(subjects, verb, words);
}

Result<Done> Parser::detail_line(const std::vector<int>& subjects,
                                 std::string_view verb,
                                 Words& words) {
    if (verb == "frame") {
        const Frame frame = TRY(parse_frame(words));
        for (const int subject : subjects)
            rank_at(subject).stack.push_back(frame);
    } else if (verb == "signal") {
        const Signal signal = TRY(parse_signal(words));
        for (const int subject : subjects)
            rank_at(subject).signal = signal;
    } else {
        return library_line(subjects, verb, words);
    }
    return Done{};
}

// What a rank has of the library: its place in a communicator or window, further calls.
Result<Done> Parser::library_line(const std::vector<int>& subjects,
                                  std::string_view verb,
                                  Words& words) {
    if (verb == "member") {
        const Membership membership = TRY(parse_membership(words));
        for (const int subject : subjects) {
            own_memberships_[rank_at(subject).rank.index()] = true;
            rank_at(subject).memberships.push_back(membership);
        }
    } else if (verb == "window") {
        Window window = TRY(parse_window(words));
        for (const int subject : subjects) {
            window.rank = rank_at(subject).rank;
            snapshot_.windows.push_back(window);
        }
    } else if (verb == "also") {
        const CallStatement statement = TRY(parse_call(words));
        for (const int subject : subjects) {
            RankSnapshot& rank = rank_at(subject);
            rank.more_calls.push_back(TRY(resolved(statement, rank.rank)));
        }
    } else {
        return Words::wrong("state, queue, window, frame, signal, member or also", verb);
    }
    return Done{};
}

Result<Done> Parser::add_state(const StateStatement& statement, RankSnapshot& rank) {
    if (has_state_[rank.rank.index()]) return invalid("a second state of the same rank");
    has_state_[rank.rank.index()] = true;
    RankSnapshot parsed = statement.rank;
    parsed.rank = rank.rank;
    parsed.queues_known = statement.queues_known.value_or(parsed.state == RankState::Blocked ||
                                                          parsed.state == RankState::Running);
    if (statement.no_members) own_memberships_[rank.rank.index()] = true;
    std::move(rank.stack.begin(), rank.stack.end(), std::back_inserter(parsed.stack));
    parsed.signal = std::move(rank.signal);
    parsed.memberships = std::move(rank.memberships);
    parsed.more_calls = std::move(rank.more_calls);
    if (statement.call) parsed.call = TRY(resolved(*statement.call, rank.rank));
    rank = std::move(parsed);
    return Done{};
}

Result<Call> Parser::resolved(const CallStatement& statement, WorldRank rank) const {
    Call call = statement.call;
    const auto set = [&](const std::optional<WrittenPeer>& written, std::optional<Peer>& peer) {
        if (!written) return Result<Done>(Done{});
        if (written->kind == WrittenPeer::Kind::Number && !written->comm_rank) {
            return Result<Done>(invalid("a peer of a call without a rank"));
        }
        return set_peer(*written, rank, call.communicator, peer);
    };
    TRY(set(statement.source, call.source));
    TRY(set(statement.destination, call.destination));
    TRY(set(statement.root, call.root));
    return call;
}

Result<Done> Parser::add_operation(const OperationStatement& statement, RankSnapshot& rank) {
    Operation operation = statement.operation;
    operation.rank = rank.rank;
    if (statement.peer) {
        std::optional<Peer> peer;
        TRY(set_peer(*statement.peer, rank.rank, operation.communicator, peer));
        operation.any_source = operation.any_source || peer->kind == Peer::Kind::AnySource;
        if (statement.peer->comm_rank || statement.peer->kind == WrittenPeer::Kind::Next ||
            statement.peer->kind == WrittenPeer::Kind::Previous) {
            operation.comm_peer = peer->rank;
        }
        operation.world_peer = peer->world_rank;
    }
    if (statement.own) own_.push_back(snapshot_.operations.size());
    if (statement.waited) waited_.push_back(snapshot_.operations.size());
    snapshot_.operations.push_back(std::move(operation));
    return Done{};
}

Result<Done> Parser::set_peer(const WrittenPeer& written,
                              WorldRank rank,
                              const std::optional<CommunicatorId>& communicator,
                              std::optional<Peer>& peer) const {
    using Kind = WrittenPeer::Kind;
    peer.emplace();
    if (written.kind == Kind::Any) peer->kind = Peer::Kind::AnySource;
    if (written.kind == Kind::Null) peer->kind = Peer::Kind::ProcNull;
    if (written.kind == Kind::Root) peer->kind = Peer::Kind::Root;
    if (written.world_rank) peer->world_rank = WorldRank(*written.world_rank);
    if (written.comm_rank) peer->rank = CommRank(*written.comm_rank);

    const bool relative = written.kind == Kind::Next || written.kind == Kind::Previous;
    if (!communicator || !known(*communicator)) {
        return relative ? Result<Done>(invalid("next and prev need a communicator"))
                        : Result<Done>(Done{});
    }
    const Communicator& group = snapshot_.communicators[communicator->index()];
    const Positions& positions = positions_[communicator->index()];
    const auto position = positions.local.find(rank.value);
    const bool other_side = group.inter && position != positions.local.end();
    const std::vector<WorldRank>& peers = other_side ? group.remote_members : group.members;
    if (relative) {
        if (group.inter || position == positions.local.end()) {
            return invalid("next and prev need an intracommunicator that the rank is in");
        }
        const std::size_t size = peers.size();
        const std::size_t step = written.kind == Kind::Next ? 1 : size - 1;
        peer->rank =
            CommRank(static_cast<int>((static_cast<std::size_t>(position->second) + step) % size));
    } else if (!written.comm_rank) {
        return Done{};
    }
    const bool in_group = peer->rank.value >= 0 && peer->rank.index() < peers.size();
    if (!written.world_given && in_group) peer->world_rank = peers[peer->rank.index()];
    return Done{};
}

// What `own` and `waited` say, once all calls are known.
void Parser::attach_operations() {
    const auto call_of = [&](std::size_t operation) -> std::optional<Call>& {
        return snapshot_.ranks[snapshot_.operations[operation].rank.index()].call;
    };
    for (const std::size_t operation : own_) {
        if (auto& call = call_of(operation)) call->operations.push_back(operation);
    }
    for (const std::size_t operation : waited_) {
        auto& call = call_of(operation);
        if (!call) continue;
        if (!call->requests) call->requests.emplace();
        WaitedRequest request;
        request.handle = snapshot_.operations[operation].request.value_or(0);
        request.operation = operation;
        call->requests->push_back(request);
    }
}

void Parser::default_memberships() {
    for (const Communicator& communicator : snapshot_.communicators) {
        for (const auto* group : {&communicator.members, &communicator.remote_members}) {
            for (std::size_t i = 0; i < group->size(); ++i) {
                const WorldRank member = (*group)[i];
                if (member.value < 0 || member.index() >= snapshot_.ranks.size()) continue;
                if (own_memberships_[member.index()]) continue;
                Membership membership;
                membership.communicator = communicator.id;
                membership.comm_rank = CommRank(static_cast<int>(i));
                snapshot_.ranks[member.index()].memberships.push_back(membership);
            }
        }
    }
}

}  // namespace

Result<JobSnapshot> parse_snapshot(std::string_view text) {
    return Parser().parse(text);
}

}  // namespace mqinspect::model
