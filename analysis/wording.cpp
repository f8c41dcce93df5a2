#include "analysis/wording.h"

#include <algorithm>

namespace mqinspect::analysis {

namespace {

constexpr std::size_t kMostPieces = 8;

// "rank 1", "ranks 0-3, 5 and 7".
std::string numbers_text(std::span<const int> ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    std::size_t pieces = 0;
    for (std::size_t first = 0; first < ranks.size();) {
        if (pieces == kMostPieces) {
            return text + ", ... (" + std::to_string(ranks.size()) + " ranks)";
        }
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (last == first + 1) last = first;  // "4, 5" reads better than "4-5"
        text += pieces == 0 ? "" : last + 1 == ranks.size() ? " and " : ", ";
        text += std::to_string(ranks[first]);
        if (last > first) text += "-" + std::to_string(ranks[last]);
        first = last + 1;
        ++pieces;
    }
    return text;
}

std::string with_worlds(std::span<const model::RanksOfWorld> worlds) {
    std::string text;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        if (i == kMostPieces) {
            return text + ", ... (" + std::to_string(worlds.size()) + " worlds)";
        }
        text += i == 0 ? "" : i + 1 == worlds.size() ? " and " : ", ";
        text += numbers_text(worlds[i].ranks) + " of world " + std::to_string(worlds[i].world);
    }
    return text;
}

std::string send_words(model::SendMode mode) {
    switch (mode) {
        case model::SendMode::Synchronous:
            return "synchronous send";
        case model::SendMode::Ready:
            return "ready send";
        case model::SendMode::Buffered:
            return "buffered send";
        case model::SendMode::Standard:
        case model::SendMode::Unknown:
            break;
    }
    return "send";
}

std::string with(const std::string& text, const std::string& more) {
    return more.empty() ? text : text + " " + more;
}

model::SendMode mode_of(const Clause& clause) {
    if (clause.operation != nullptr && clause.operation->mode != model::SendMode::Unknown) {
        return clause.operation->mode;
    }
    const auto function = model::find_mpi_function(clause.call->function);
    return function ? function->mode : model::SendMode::Unknown;
}

std::optional<model::CommunicatorId> communicator_of(const Clause& clause) {
    if (clause.operation != nullptr) return clause.operation->communicator;
    return clause.call->communicator;
}

std::string message_text(const JobIndex& index,
                         const Clause& clause,
                         std::string_view verb,
                         std::string_view peer) {
    const bool send = clause.kind == Clause::Kind::Send || clause.of_foreign == Clause::Kind::Send;
    const auto* operation = clause.operation;
    const auto& call = *clause.call;
    const std::string tag = operation != nullptr
                                ? tag_text(operation->tag, operation->any_tag && !operation->tag)
                            : send ? tag_text(call.send_tag, false)
                                   : tag_text(call.receive_tag, call.any_tag);
    std::string text = std::string(verb) + " " + std::string(peer);
    return with(text, tag) + " on " + communicator_text(index, communicator_of(clause));
}

// "the window of rank 1 in 'grid'"
std::string window_text(const JobIndex& index, const Clause& clause) {
    const std::string of =
        clause.window_of ? rank_text(index, *clause.window_of) : "an unknown rank";
    return "window of " + of + " in " + communicator_text(index, clause.window);
}

}  // namespace

std::string ranks_text(const JobIndex& index, std::span<const model::WorldRank> ranks) {
    if (ranks.empty()) return "no rank";
    if (index.worlds().several()) return with_worlds(model::by_world(index.worlds(), ranks));
    std::vector<int> numbers;
    numbers.reserve(ranks.size());
    for (const model::WorldRank rank : ranks)
        numbers.push_back(rank.value);
    return numbers_text(numbers);
}

std::string ranks_text(const JobIndex& index, std::span<const Node> ranks) {
    std::vector<model::WorldRank> numbers;
    numbers.reserve(ranks.size());
    for (const Node rank : ranks)
        numbers.emplace_back(static_cast<int>(rank));
    return ranks_text(index, std::span<const model::WorldRank>(numbers));
}

std::string rank_text(const JobIndex& index, Node rank) {
    return model::rank_name(index.worlds(), model::WorldRank(static_cast<int>(rank)));
}

std::string place_text(const model::SourceLocation& location) {
    if (location.file.empty()) return {};
    const std::string name = location.file.substr(location.file.rfind('/') + 1);
    return location.line > 0 ? name + ":" + std::to_string(location.line) : name;
}

std::string communicator_text(const JobIndex& index,
                              std::optional<model::CommunicatorId> communicator) {
    const auto* found = index.communicator(communicator);
    if (found == nullptr) return "an unknown communicator";
    if (found->name.starts_with("MPI_COMM_")) {
        return model::communicator_name(index.worlds(), *found);
    }
    return "'" + found->name + "'";
}

std::string tag_text(std::optional<int> tag, bool any) {
    if (any) return "with any tag";
    return tag ? "with tag " + std::to_string(*tag) : std::string();
}

namespace {

// What is known of a wait that nobody in sight can end.
std::string other_text(const JobIndex& index, const Clause& clause) {
    constexpr std::string_view foreign = "a process of another job";
    switch (clause.of_foreign) {
        case Clause::Kind::Receive:
            return message_text(index, clause, "receive from", foreign);
        case Clause::Kind::Probe:
            return message_text(index, clause, "probe for", foreign);
        case Clause::Kind::Send:
            return message_text(index, clause, send_words(mode_of(clause)) + " to", foreign);
        default:
            break;
    }
    const std::string_view function =
        clause.call == nullptr ? std::string_view() : clause.call->function;
    if (function == "MPI_Comm_accept") return "a process that connects, which is not known";
    if (function == "MPI_Comm_connect") return "the process that accepts, which is not known";
    if (function.starts_with("MPI_Comm_spawn")) {
        return "the processes that it spawns to call MPI_Init";
    }
    if (clause.of_foreign == Clause::Kind::Enter) {
        return "collective operation on " + communicator_text(index, clause.call->communicator) +
               " that a process of another job may not have entered";
    }
    return "what it waits for is not known";
}

}  // namespace

std::string clause_text(const JobIndex& index, const Clause& clause, std::string_view targets) {
    const std::string peers(targets);
    const bool any_source = clause.mode == WaitForGraph::Mode::Any;
    switch (clause.kind) {
        case Clause::Kind::Receive:
            return message_text(
                index, clause, "receive from", any_source ? std::string("any rank") : peers);
        case Clause::Kind::Probe:
            return message_text(
                index, clause, "probe for", any_source ? std::string("any rank") : peers);
        case Clause::Kind::Send:
            return message_text(index, clause, send_words(mode_of(clause)) + " to", peers);
        case Clause::Kind::Enter:
            return "collective operation on " +
                   communicator_text(index, clause.call->communicator) + " that " + peers +
                   (clause.targets.size() == 1 || (clause.shared && clause.shared->length == 1)
                        ? " has not entered"
                        : " have not entered");
        case Clause::Kind::Start: {
            const auto sequence = clause.operation->sequence.value_or(0);
            return "nonblocking collective operation number " + std::to_string(sequence) + " on " +
                   communicator_text(index, clause.operation->communicator) + " not started by " +
                   peers;
        }
        case Clause::Kind::Take:
            return "collective operation on " + communicator_text(index, communicator_of(clause)) +
                   " that waits for " +
                   (any_source && clause.targets.size() != 1 ? "any of " : "") + peers;
        case Clause::Kind::Post:
            return "MPI_Win_post on " + communicator_text(index, clause.call->communicator) +
                   " not called by " + peers;
        case Clause::Kind::Complete:
            return "MPI_Win_complete on " + communicator_text(index, clause.call->communicator) +
                   " not called by " + (any_source ? "any of " : "") + peers;
        case Clause::Kind::Unlock:
            return window_text(index, clause) + ", whose lock " + peers +
                   (clause.targets.size() == 1 ? " holds" : " hold");
        case Clause::Kind::Progress:
            return window_text(index, clause) + ", which is out of reach while " + peers +
                   " calls no MPI function";
        case Clause::Kind::Initialize:
            return "MPI_Init not called by " + peers;
        case Clause::Kind::Finalize:
            return "MPI_Finalize not called by " + peers;
        case Clause::Kind::Something:
            return std::string{"waits for "} + (clause.targets.size() == 1 ? "" : "any of ") +
                   peers;
        case Clause::Kind::Other:
            break;
    }
    return other_text(index, clause);
}

std::string call_text(std::string_view function, const model::SourceLocation& location) {
    std::string text(function.empty() ? "an unknown call" : function);
    const std::string place = place_text(location);
    return place.empty() ? text : text + " (" + place + ")";
}

std::string running_text(const model::RankSnapshot& rank) {
    std::string is = rank.suspended ? "is stopped by a signal" : "is running";
    if (rank.call) {
        const std::string place = place_text(rank.call->location);
        const std::string call = rank.call->function + (place.empty() ? "" : " at " + place);
        const auto function = model::find_mpi_function(rank.call->function);
        const bool waits = function && function->call_class != model::CallClass::Local;
        return (waits ? "has a running thread beside the one in " : is + " in ") + call;
    }
    const auto& stack = rank.stack;
    auto frame = std::find_if(stack.begin(), stack.end(), [](const model::Frame& each) {
        return !each.location.file.empty();
    });
    if (frame == stack.end()) {
        frame = std::find_if(stack.begin(), stack.end(), [](const model::Frame& each) {
            return !each.function.empty();
        });
    }
    if (frame == stack.end()) return is;
    std::string text = is;
    if (!frame->function.empty()) text += " in " + frame->function + "()";
    const std::string place = place_text(frame->location);
    return place.empty() ? text : text + " at " + place;
}

}  // namespace mqinspect::analysis
