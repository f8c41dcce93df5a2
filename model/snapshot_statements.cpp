#include "model/snapshot_statements.h"

#include <utility>

namespace mqinspect::model {

namespace {

// Enough for any Wait call; the snapshot's own limits apply to what it refers to.
constexpr std::size_t kMostItems = std::size_t{1} << 20U;

Result<SourceLocation> parse_location(Words& words) {
    const std::string word = TRY(words.text("place"));
    const std::size_t colon = word.rfind(':');
    if (colon == word.npos) return Words::wrong("FILE:LINE", word);
    const auto line = parse_number<int>(std::string_view(word).substr(colon + 1));
    if (!line) return Words::wrong("FILE:LINE", word);
    return SourceLocation{word.substr(0, colon), *line};
}

Result<CommunicatorId> parse_communicator(Words& words) {
    return CommunicatorId(TRY(words.number<int>("communicator")));
}

Result<WrittenPeer> parse_peer(Words& words) {
    const std::string word = TRY(words.text("peer"));
    const std::size_t at = word.find('@');
    const std::string name = word.substr(0, at);
    WrittenPeer peer;
    if (at != word.npos) {
        const std::string world = word.substr(at + 1);
        peer.world_given = true;
        peer.world_rank = parse_number<int>(world);
        if (!peer.world_rank && world != "?") return Words::wrong("peer", word);
    }
    using Kind = WrittenPeer::Kind;
    if (name == "next") {
        peer.kind = Kind::Next;
    } else if (name == "prev") {
        peer.kind = Kind::Previous;
    } else if (name == "any") {
        peer.kind = Kind::Any;
    } else if (name == "null") {
        peer.kind = Kind::Null;
    } else if (name == "root") {
        peer.kind = Kind::Root;
    } else {
        peer.comm_rank = parse_number<int>(name);
        if (!peer.comm_rank && name != "?") return Words::wrong("peer", word);
    }
    return peer;
}

Result<WaitedRequest> parse_request(std::string_view item) {
    WaitedRequest request;
    const std::string whole(item);
    while (!item.empty()) {
        const std::size_t plus = std::min(item.find('+'), item.size());
        const std::string_view part = item.substr(0, plus);
        item.remove_prefix(std::min(plus + 1, item.size()));
        if (part == "null") {
            request.null = true;
        } else if (part == "finished") {
            request.finished = true;
        } else if (part.starts_with("op=")) {
            request.operation = parse_number<std::size_t>(part.substr(3));
            if (!request.operation) return Words::wrong("request", whole);
        } else if (part.starts_with("h=")) {
            const auto handle = parse_number<std::uint64_t>(part.substr(2));
            if (!handle) return Words::wrong("request", whole);
            request.handle = *handle;
        } else if (part != "?") {
            return Words::wrong("request", whole);
        }
    }
    return request;
}

bool starts_request(std::string_view word) {
    return word == "?" || word.starts_with("null") || word.starts_with("finished") ||
           word.starts_with("op=") || word.starts_with("h=");
}

Result<Done> parse_requests(Call& call, Words& words) {
    call.requests.emplace();
    if (words.skip_if("none")) return Done{};
    while (!words.at_end() && !words.peek().quoted && starts_request(words.peek().text)) {
        call.requests->push_back(TRY(parse_request(words.peek().text)));
        words.skip();
    }
    if (call.requests->empty()) return Words::wrong("list of requests", "requests");
    return Done{};
}

Result<Done> parse_tag(Call& call, Words& words) {
    if (words.skip_if("any")) {
        call.any_tag = true;
        return Done{};
    }
    const int tag = TRY(words.number<int>("tag"));
    const auto function = find_mpi_function(call.function);
    const bool send = function && function->call_class == CallClass::Send;
    (send ? call.send_tag : call.receive_tag) = tag;
    return Done{};
}

// False: `key` names no peer.
Result<bool> parse_peer_word(CallStatement& statement, const std::string& key, Words& words) {
    if (key == "source") {
        statement.source = TRY(parse_peer(words));
    } else if (key == "to") {
        statement.destination = TRY(parse_peer(words));
    } else if (key == "root") {
        statement.root = TRY(parse_peer(words));
    } else {
        return false;
    }
    return true;
}

// False: `key` is no communicator, tag or size.
Result<bool> parse_context_word(Call& call, const std::string& key, Words& words) {
    if (key == "comm") {
        call.communicator = TRY(parse_communicator(words));
    } else if (key == "tag") {
        TRY(parse_tag(call, words));
    } else if (key == "send_tag") {
        call.send_tag = TRY(words.number<int>("tag"));
    } else if (key == "moved") {
        call.moved_bytes = TRY(words.number<std::int64_t>("number of bytes"));
    } else if (key == "receive_tag") {
        call.receive_tag = TRY(words.number<int>("tag"));
    } else if (key == "any_tag") {
        call.any_tag = true;
    } else {
        return false;
    }
    return true;
}

Result<Done> parse_operation_list(Call& call, Words& words) {
    for (const int index : TRY(words.list("operations", kMostItems))) {
        if (index < 0) return Words::wrong("operation", "?");
        call.operations.push_back(static_cast<std::size_t>(index));
    }
    return Done{};
}

// False: `key` is no word of a call.
Result<bool> parse_call_word(CallStatement& statement, const std::string& key, Words& words) {
    Call& call = statement.call;
    if (TRY(parse_peer_word(statement, key, words))) return true;
    if (TRY(parse_context_word(call, key, words))) return true;
    if (key == "arg") {
        Argument& argument = call.arguments.emplace_back();
        argument.name = TRY(words.text("name"));
        argument.text = TRY(words.text("argument"));
    } else if (key == "ops") {
        TRY(parse_operation_list(call, words));
    } else if (key == "requests") {
        TRY(parse_requests(call, words));
    } else if (key == "at") {
        call.location = TRY(parse_location(words));
    } else {
        return false;
    }
    return true;
}

// `in FUNCTION`, `at FILE:LINE` of a rank that is in no call.
Result<bool> parse_frame_word(RankSnapshot& rank, const std::string& key, Words& words) {
    if (key != "in" && key != "at") return false;
    if (rank.stack.empty()) rank.stack.emplace_back();
    if (key == "in") {
        rank.stack.front().function = TRY(words.text("function"));
    } else {
        rank.stack.front().location = TRY(parse_location(words));
    }
    return true;
}

// False: `key` is no flag of a rank.
bool set_rank_flag(StateStatement& statement, std::string_view key) {
    if (key == "queues" || key == "no_queues") {
        statement.queues_known = key == "queues";
    } else if (key == "suspended") {
        statement.rank.suspended = true;
    } else if (key == "receives_known") {
        statement.rank.receives_known = true;
    } else if (key == "sends_known") {
        statement.rank.sends_known = true;
    } else if (key == "no_members") {
        statement.no_members = true;
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_rank_word(StateStatement& statement, const std::string& key, Words& words) {
    RankSnapshot& rank = statement.rank;
    if (key == "pid") {
        rank.pid = TRY(words.number<int>("pid"));
    } else if (key == "host") {
        rank.host = TRY(words.text("host"));
    } else if (key == "identity") {
        rank.call_identity = TRY(words.number<std::uint64_t>("identity"));
    } else if (key == "incoming") {
        rank.incoming_count = TRY(words.number<std::uint64_t>("number of packets"));
    } else if (key == "progress") {
        rank.progress_count = TRY(words.number<std::uint64_t>("progress count"));
    } else if (key == "problem") {
        rank.problem = TRY(words.text("problem"));
    } else {
        return set_rank_flag(statement, key);
    }
    return true;
}

std::optional<SendMode> mode_named(std::string_view word) {
    if (word == "standard") return SendMode::Standard;
    if (word == "synchronous") return SendMode::Synchronous;
    if (word == "ready") return SendMode::Ready;
    if (word == "buffered") return SendMode::Buffered;
    return std::nullopt;
}

std::optional<Protocol> protocol_named(std::string_view word) {
    if (word == "eager") return Protocol::Eager;
    if (word == "rendezvous") return Protocol::Rendezvous;
    if (word == "self") return Protocol::Self;
    return std::nullopt;
}

// False: `key` is no flag of an operation. The same for the next two.
bool set_flag(OperationStatement& statement, std::string_view key) {
    Operation& operation = statement.operation;
    if (key == "matched") {
        operation.state = OperationState::Matched;
    } else if (key == "complete") {
        operation.state = OperationState::Complete;
    } else if (key == "any_source") {
        operation.any_source = true;
    } else if (key == "any_tag") {
        operation.any_tag = true;
    } else if (key == "persistent") {
        operation.persistent = true;
    } else if (key == "internal") {
        operation.collective = true;
    } else if (key == "synchronous") {
        operation.synchronous = true;
    } else if (key == "doubtful") {
        operation.doubtful = true;
    } else if (key == "own") {
        statement.own = true;
    } else if (key == "waited") {
        statement.waited = true;
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_address_word(Operation& operation, const std::string& key, Words& words) {
    if (key == "address") {
        operation.address = TRY(words.number<std::uint64_t>("address"));
    } else if (key == "active_address") {
        operation.active_address = TRY(words.number<std::uint64_t>("address"));
    } else if (key == "buffer") {
        operation.buffer = TRY(words.number<std::uint64_t>("address"));
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_number_word(Operation& operation, const std::string& key, Words& words) {
    if (key == "bytes") {
        operation.bytes = TRY(words.number<std::uint64_t>("length"));
    } else if (key == "count") {
        operation.count = TRY(words.number<std::uint64_t>("count"));
    } else if (key == "sequence") {
        operation.sequence = TRY(words.number<std::int64_t>("sequence number"));
    } else if (key == "request") {
        operation.request = TRY(words.number<std::uint64_t>("request"));
    } else if (key == "part_of") {
        operation.part_of = TRY(words.number<std::uint64_t>("request"));
    } else {
        return parse_address_word(operation, key, words);
    }
    return true;
}

Result<bool> parse_ranks_word(Operation& operation, const std::string& key, Words& words) {
    if (key != "receives" && key != "sends") return false;
    auto& ranks = key == "sends" ? operation.sends_to : operation.receives_from;
    for (const int rank : TRY(words.list("ranks", kMostItems)))
        ranks.emplace_back(rank);
    return true;
}

Result<bool> parse_text_word(Operation& operation, const std::string& key, Words& words) {
    if (key == "type") {
        operation.datatype = TRY(words.text("datatype"));
    } else if (key == "by") {
        operation.function = TRY(words.text("function"));
    } else if (key == "text") {
        operation.extra_text.push_back(TRY(words.text("text")));
    } else if (key == "mode") {
        const std::string name = TRY(words.text("mode"));
        const auto mode = mode_named(name);
        if (!mode) return Words::wrong("mode", name);
        operation.mode = *mode;
    } else if (key == "protocol") {
        const std::string name = TRY(words.text("protocol"));
        const auto protocol = protocol_named(name);
        if (!protocol) return Words::wrong("protocol", name);
        operation.protocol = *protocol;
    } else {
        return parse_ranks_word(operation, key, words);
    }
    return true;
}

}  // namespace

Result<StateStatement> parse_state(RankState state, Words& words) {
    StateStatement statement;
    statement.rank.state = state;
    const bool named = !words.at_end() && words.peek().text.starts_with("MPI");
    if (named || words.skip_if("call")) {
        statement.call.emplace();
        statement.call->call.function = TRY(words.text("function"));
    }
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (TRY(parse_rank_word(statement, key, words))) continue;
        const bool taken = statement.call ? TRY(parse_call_word(*statement.call, key, words))
                                          : TRY(parse_frame_word(statement.rank, key, words));
        if (!taken) return Words::wrong("word of a rank or call", key);
    }
    return statement;
}

Result<CallStatement> parse_call(Words& words) {
    CallStatement statement;
    words.skip_if("call");
    statement.call.function = TRY(words.text("function"));
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (!TRY(parse_call_word(statement, key, words))) {
            return Words::wrong("word of a call", key);
        }
    }
    return statement;
}

Result<OperationStatement> parse_operation(Queue queue, Words& words) {
    OperationStatement statement;
    Operation& operation = statement.operation;
    operation.queue = queue;
    operation.communicator = CommunicatorId(0);
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (set_flag(statement, key)) continue;
        if (TRY(parse_number_word(operation, key, words))) continue;
        if (TRY(parse_text_word(operation, key, words))) continue;
        if (key == "comm") {
            operation.communicator = TRY(parse_communicator(words));
        } else if (key == "source" || key == "to") {
            statement.peer = TRY(parse_peer(words));
        } else if (key == "tag" && words.skip_if("any")) {
            operation.any_tag = true;
        } else if (key == "tag") {
            operation.tag = TRY(words.number<int>("tag"));
        } else {
            return Words::wrong("word of an operation", key);
        }
    }
    return statement;
}

Result<Frame> parse_frame(Words& words) {
    Frame frame;
    frame.function = TRY(words.text("function"));
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (key == "at") {
            frame.location = TRY(parse_location(words));
        } else if (key == "pc") {
            frame.pc = TRY(words.number<std::uint64_t>("address"));
        } else if (key == "image") {
            frame.image = TRY(words.text("image"));
        } else {
            return Words::wrong("word of a frame", key);
        }
    }
    return frame;
}

Result<Signal> parse_signal(Words& words) {
    Signal signal;
    signal.number = TRY(words.number<int>("number of a signal"));
    signal.name = TRY(words.text("name"));
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (key == "address") {
            signal.address = TRY(words.number<std::uint64_t>("address"));
        } else if (key == "sender") {
            signal.sender_pid = TRY(words.number<int>("pid"));
        } else {
            return Words::wrong("word of a signal", key);
        }
    }
    return signal;
}

Result<Membership> parse_membership(Words& words) {
    Membership membership;
    membership.communicator = TRY(parse_communicator(words));
    membership.comm_rank = CommRank(TRY(words.number<int>("rank")));
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (key == "handle") {
            membership.handle = TRY(words.number<std::uint64_t>("handle"));
        } else if (key == "address") {
            membership.address = TRY(words.number<std::uint64_t>("address"));
        } else if (key == "started") {
            membership.collectives_started = TRY(words.number<std::int64_t>("number"));
        } else {
            return Words::wrong("word of a membership", key);
        }
    }
    return membership;
}

}  // namespace mqinspect::model
