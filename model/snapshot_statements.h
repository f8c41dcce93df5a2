/// The statements about ranks in snapshot text, line by line; what a line leaves
/// to the communicators is filled in by snapshot_parser.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/job_snapshot.h"
#include "model/snapshot_words.h"

namespace mqinspect::model {

/// A peer as written. `next` and `prev` depend on the rank that the line is about.
struct WrittenPeer {
    enum class Kind { Number, Next, Previous, Any, Null, Root } kind = Kind::Number;
    std::optional<int> comm_rank;
    std::optional<int> world_rank;
    bool world_given = false;
};

/// A call as written.
struct CallStatement {
    Call call;  ///< without its peers
    std::optional<WrittenPeer> source, destination, root;
};

/// `rank N STATE ...`
struct StateStatement {
    RankSnapshot rank;  ///< without its number and call
    std::optional<CallStatement> call;
    std::optional<bool> queues_known;
    bool no_members = false;
};

/// `rank N posted|unexpected|send|collective ...`
struct OperationStatement {
    Operation operation;  ///< without its rank
    std::optional<WrittenPeer> peer;
    bool own = false;
    bool waited = false;
};

Result<StateStatement> parse_state(RankState state, Words& words);
/// `rank N also ...`
Result<CallStatement> parse_call(Words& words);
Result<OperationStatement> parse_operation(Queue queue, Words& words);
Result<Frame> parse_frame(Words& words);
Result<Signal> parse_signal(Words& words);
Result<Membership> parse_membership(Words& words);

}  // namespace mqinspect::model
