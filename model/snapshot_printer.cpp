#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "model/snapshot_text.h"
#include "model/snapshot_words.h"
#include "model/window_text.h"

namespace mqinspect::model {

namespace {

bool is_plain(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == '/' ||
           letter == ':' || letter == '-' || letter == '+';
}

std::string word(std::string_view text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
    return plain ? std::string(text) : quoted(text);
}

std::string hexadecimal(std::uint64_t value) {
    std::string digits(16, '0');
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

std::string decimal(double value) {
    std::string digits(32, '0');
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

template <class Id>
std::string number(const std::optional<Id>& id) {
    return id ? std::to_string(id->value) : "?";
}

std::string location_word(const SourceLocation& location) {
    return word(location.file + ":" + std::to_string(location.line));
}

// Ranges are written as such: a communicator has a million members.
std::string list(const std::vector<WorldRank>& ranks) {
    if (ranks.empty()) return " none";
    std::string result;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t last = first;
        const auto follows = [&] { return ranks[last + 1].value == ranks[last].value + 1; };
        while (ranks[first].value >= 0 && last + 1 < ranks.size() && follows())
            ++last;
        result += ranks[first].value < 0 ? " ?" : " " + std::to_string(ranks[first].value);
        if (last > first) result += "-" + std::to_string(ranks[last].value);
        first = last + 1;
    }
    return result;
}

class Printer {
public:
    explicit Printer(const JobSnapshot& snapshot) : snapshot_(snapshot) {}

    std::string print() {
        print_job();
        for (const Communicator& communicator : snapshot_.communicators)
            print(communicator);
        if (snapshot_.communicators.empty()) text_ += "no_communicators\n";
        for (const RankSnapshot& rank : snapshot_.ranks)
            print(rank);
        for (const Operation& operation : snapshot_.operations)
            print(operation);
        for (const Window& window : snapshot_.windows) {
            text_ += "rank " + std::to_string(window.rank.value) + " window";
            text_ += window_words(window) + "\n";
        }
        return std::move(text_);
    }

private:
    void add(std::string_view key, std::string_view value) {
        text_ += ' ';
        text_ += key;
        text_ += ' ';
        text_ += value;
    }
    void add_flag(bool set, std::string_view key) {
        if (!set) return;
        text_ += ' ';
        text_ += key;
    }
    void add_text(std::string_view key, const std::string& text) {
        if (!text.empty()) add(key, word(text));
    }
    void add_address(std::string_view key, std::uint64_t address) {
        if (address != 0) add(key, hexadecimal(address));
    }
    template <class Number>
    void add_number(std::string_view key, const std::optional<Number>& value) {
        if (value) add(key, std::to_string(*value));
    }
    void add_peer(std::string_view key, const std::optional<Peer>& peer) {
        if (!peer) return;
        std::string kind;
        switch (peer->kind) {
            case Peer::Kind::Rank:
                kind = std::to_string(peer->rank.value);
                break;
            case Peer::Kind::AnySource:
                kind = "any";
                break;
            case Peer::Kind::ProcNull:
                kind = "null";
                break;
            case Peer::Kind::Root:
                kind = "root";
                break;
        }
        const bool world_shown = peer->kind == Peer::Kind::Rank || peer->world_rank;
        add(key, world_shown ? kind + "@" + number(peer->world_rank) : kind);
    }

    void print_job() {
        std::string line;
        line.swap(text_);
        add_text("launcher", snapshot_.launcher);
        add_text("mpi", snapshot_.mpi);
        add_text("dll", snapshot_.dll);
        for (const std::string& file : snapshot_.types)
            add("types", word(file));
        if (snapshot_.stopped_ms != 0) add("stopped_ms", decimal(snapshot_.stopped_ms));
        if (snapshot_.total_ms != 0) add("total_ms", decimal(snapshot_.total_ms));
        if (!text_.empty()) text_ = "job" + text_ + "\n";
        for (const std::string& host : snapshot_.hosts)
            text_ += "host " + word(host) + "\n";
        for (const std::string& problem : snapshot_.problems) {
            text_ += "problem " + word(problem) + "\n";
        }
        for (const int size : snapshot_.world_sizes)
            text_ += "world " + std::to_string(size) + "\n";
        for (const SourceExcerpt& source : snapshot_.sources)
            print(source);
    }

    void print(const SourceExcerpt& source) {
        text_ += "source " + word(source.file) + " " + std::to_string(source.line);
        if (source.first_line != 0) add("first", std::to_string(source.first_line));
        add_text("remark", source.remark);
        text_ += "\n";
        for (const std::string& line : source.lines)
            text_ += "source_line " + quoted(line) + "\n";
    }

    void print(const Communicator& communicator) {
        text_ += "communicator " + std::to_string(communicator.id.value) + " ";
        text_ += quoted(communicator.name);
        add_flag(communicator.internal, "internal");
        add_flag(communicator.inter, "inter");
        text_ += " members" + list(communicator.members);
        if (!communicator.remote_members.empty()) {
            text_ += " remote" + list(communicator.remote_members);
        }
        text_ += "\n";
    }

    void print(const RankSnapshot& rank) {
        const std::string subject = "rank " + std::to_string(rank.rank.value) + " ";
        text_ += subject + state_word(rank.state);
        if (rank.call) print(*rank.call);
        if (rank.pid != 0) add("pid", std::to_string(rank.pid));
        add_text("host", rank.host);
        add_address("identity", rank.call_identity);
        add_number("progress", rank.progress_count);
        add_number("incoming", rank.incoming_count);
        add_text("problem", rank.problem);
        text_ += rank.queues_known ? " queues" : " no_queues";
        add_flag(rank.suspended, "suspended");
        add_flag(rank.receives_known, "receives_known");
        add_flag(rank.sends_known, "sends_known");
        add_flag(rank.memberships.empty(), "no_members");
        text_ += "\n";
        for (const Call& call : rank.more_calls) {
            text_ += subject + "also";
            print(call);
            text_ += "\n";
        }
        for (const Frame& frame : rank.stack) {
            text_ += subject + "frame " + word(frame.function);
            if (frame.location != SourceLocation{}) add("at", location_word(frame.location));
            add_address("pc", frame.pc);
            add_text("image", frame.image);
            text_ += "\n";
        }
        if (rank.signal) print(subject, *rank.signal);
        for (const Membership& membership : rank.memberships) {
            text_ += subject + "member " + std::to_string(membership.communicator.value);
            text_ += " " + std::to_string(membership.comm_rank.value);
            add_address("handle", membership.handle);
            add_address("address", membership.address);
            add_number("started", membership.collectives_started);
            text_ += "\n";
        }
    }

    void print(const std::string& subject, const Signal& signal) {
        text_ += subject + "signal " + std::to_string(signal.number) + " " + word(signal.name);
        if (signal.address) add("address", hexadecimal(*signal.address));
        add_number("sender", signal.sender_pid);
        text_ += "\n";
    }

    void print(const Call& call) {
        add("call", word(call.function));
        if (call.communicator) add("comm", std::to_string(call.communicator->value));
        add_peer("to", call.destination);
        add_peer("source", call.source);
        add_peer("root", call.root);
        add_number("send_tag", call.send_tag);
        add_number("receive_tag", call.receive_tag);
        add_flag(call.any_tag, "any_tag");
        add_number("moved", call.moved_bytes);
        for (const Argument& argument : call.arguments) {
            add("arg", word(argument.name) + " " + word(argument.text));
        }
        if (!call.operations.empty()) {
            text_ += " ops";
            for (const std::size_t operation : call.operations) {
                text_ += " " + std::to_string(operation);
            }
        }
        if (call.requests) print(*call.requests);
        if (call.location != SourceLocation{}) add("at", location_word(call.location));
    }

    void print(const std::vector<WaitedRequest>& requests) {
        text_ += requests.empty() ? " requests none" : " requests";
        for (const WaitedRequest& request : requests) {
            std::string item;
            if (request.operation) item += "+op=" + std::to_string(*request.operation);
            if (request.handle != 0) item += "+h=" + hexadecimal(request.handle);
            if (request.null) item += "+null";
            if (request.finished) item += "+finished";
            text_ += " " + (item.empty() ? "?" : item.substr(1));
        }
    }

    void print(const Operation& operation) {
        text_ += "rank " + std::to_string(operation.rank.value) + " ";
        text_ += queue_word(operation.queue);
        add("comm", std::to_string(operation.communicator.value));
        add_flag(operation.state == OperationState::Matched, "matched");
        add_flag(operation.state == OperationState::Complete, "complete");
        if (operation.comm_peer || operation.world_peer) {
            add(operation.queue == Queue::PendingSend ? "to" : "source",
                number(operation.comm_peer) + "@" + number(operation.world_peer));
        }
        add_flag(operation.any_source, "any_source");
        add_number("tag", operation.tag);
        add_flag(operation.any_tag, "any_tag");
        add_number("bytes", operation.bytes);
        add_number("count", operation.count);
        add_text("type", operation.datatype);
        add_text("by", operation.function);
        add_text("mode", mode_word(operation.mode));
        add_text("protocol", protocol_word(operation.protocol));
        add_flag(operation.persistent, "persistent");
        add_flag(operation.collective, "internal");
        add_flag(operation.synchronous, "synchronous");
        add_flag(operation.doubtful, "doubtful");
        add_number("sequence", operation.sequence);
        if (!operation.receives_from.empty()) text_ += " receives" + list(operation.receives_from);
        if (!operation.sends_to.empty()) text_ += " sends" + list(operation.sends_to);
        if (operation.request) add("request", hexadecimal(*operation.request));
        if (operation.part_of) add("part_of", hexadecimal(*operation.part_of));
        add_address("address", operation.address);
        add_address("active_address", operation.active_address);
        add_address("buffer", operation.buffer);
        for (const std::string& text : operation.extra_text)
            add("text", word(text));
        text_ += "\n";
    }

    static std::string state_word(RankState state) {
        switch (state) {
            case RankState::Blocked:
                return "blocked";
            case RankState::Running:
                return "running";
            case RankState::Exited:
                return "exited";
            case RankState::Unreadable:
                break;
        }
        return "unreadable";
    }
    static std::string queue_word(Queue queue) {
        switch (queue) {
            case Queue::PostedReceive:
                return "posted";
            case Queue::UnexpectedMessage:
                return "unexpected";
            case Queue::PendingSend:
                return "send";
            case Queue::Collective:
                break;
        }
        return "collective";
    }
    static std::string mode_word(SendMode mode) {
        switch (mode) {
            case SendMode::Unknown:
                break;
            case SendMode::Standard:
                return "standard";
            case SendMode::Synchronous:
                return "synchronous";
            case SendMode::Ready:
                return "ready";
            case SendMode::Buffered:
                return "buffered";
        }
        return "";
    }
    static std::string protocol_word(Protocol protocol) {
        switch (protocol) {
            case Protocol::Unknown:
                break;
            case Protocol::Eager:
                return "eager";
            case Protocol::Rendezvous:
                return "rendezvous";
            case Protocol::Self:
                return "self";
        }
        return "";
    }

    const JobSnapshot& snapshot_;
    std::string text_;
};

}  // namespace

std::string print_snapshot(const JobSnapshot& snapshot) {
    return Printer(snapshot).print();
}

}  // namespace mqinspect::model
