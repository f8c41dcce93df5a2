#include "inspector/conformance/checks.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <climits>
#include <fmt/format.h>

namespace mqinspect::conformance {

namespace {

constexpr const char* kQueueNames[] = {"pending sends", "posted receives", "unexpected messages"};
constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::size_t kShownBytes = 60;
constexpr long kLargestLength = long{1} << 47;

template <class T>
bool unwritten(const T& value) {
    T pattern;
    std::memset(&pattern, kUnwritten, sizeof pattern);
    return std::memcmp(&value, &pattern, sizeof value) == 0;
}

bool is_control(char c) {
    const auto value = static_cast<unsigned char>(c);
    return value < 0x20 || value == 0x7f;
}

/// Length of the text in an array, or its size if the text does not end in it.
std::size_t length_of(std::span<const char> room) {
    return strnlen(room.data(), room.size());
}

/// Reports a member that the DLL has left as it was.
class Members {
public:
    Members(Journal& journal, Rule rule, const char* function, std::string where)
        : journal_(journal), rule_(rule), function_(function), where_(std::move(where)) {}

    template <class T>
    bool written(const T& value, const char* name) {
        if (!unwritten(value)) return true;
        wrong(fmt::format("{} is not set", name));
        return false;
    }
    void wrong(const std::string& what) { journal_.violation(rule_, function_, where_ + what); }

private:
    Journal& journal_;
    Rule rule_;
    const char* function_;
    std::string where_;
};

std::string where_of(const SeenCommunicator& communicator, int queue) {
    const mqs_communicator& shown = communicator.communicator;
    return fmt::format("{} of {}: ", kQueueNames[queue], quoted(shown.name, sizeof shown.name));
}

bool is_world(const mqs_communicator& communicator) {
    return std::strncmp(communicator.name, "MPI_COMM_WORLD", sizeof communicator.name) == 0;
}

void check_peer(Journal& journal,
                const SeenCommunicator& communicator,
                const std::string& where,
                const mqs_pending_operation& operation) {
    const long local = operation.desired_local_rank;
    const long global = operation.desired_global_rank;
    if (local < 0 || unwritten(local) || unwritten(global)) return;
    long expected = global;
    if (communicator.peers_in_group &&
        static_cast<std::size_t>(local) < communicator.group.size()) {
        expected = communicator.group[static_cast<std::size_t>(local)];
    } else if (is_world(communicator.communicator)) {
        expected = local;
    }
    if (expected == global) return;
    journal.violation(
        Rule::GlobalRank,
        "mqs_next_operation",
        fmt::format("{}rank {} is {} in MPI_COMM_WORLD, not {}", where, local, expected, global));
}

void check_actual(Members& members, const mqs_pending_operation& operation) {
    members.written(operation.actual_local_rank, "actual_local_rank");
    members.written(operation.actual_global_rank, "actual_global_rank");
    members.written(operation.actual_tag, "actual_tag");
    members.written(operation.actual_length, "actual_length");
}

void check_extra_text(Journal& journal,
                      const std::string& where,
                      const mqs_pending_operation& operation) {
    const char* function = "mqs_next_operation";
    for (int line = 0; line < 5; ++line) {
        const std::span<const char> room(operation.extra_text[line]);
        if (unwritten(operation.extra_text[line])) {
            journal.violation(
                Rule::ExtraText, function, fmt::format("{}line {} is not set", where, line));
            return;
        }
        const std::size_t length = length_of(room);
        if (length == room.size()) {
            journal.violation(
                Rule::ExtraText, function, fmt::format("{}line {} is not terminated", where, line));
        }
        if (std::any_of(room.begin(), room.begin() + static_cast<long>(length), is_control)) {
            journal.violation(Rule::ExtraText,
                              function,
                              fmt::format("{}line {} has control characters", where, line));
        }
        if (length == 0) return;
    }
    journal.violation(Rule::ExtraLines, function, where + "all five lines are set");
}

/// Two receives or messages that differ in nothing may still be two.
bool same(const mqs_pending_operation& left, const mqs_pending_operation& right) {
    return left.status == right.status && left.desired_local_rank == right.desired_local_rank &&
           left.desired_global_rank == right.desired_global_rank &&
           left.tag_wild == right.tag_wild &&
           (left.tag_wild != 0 || left.desired_tag == right.desired_tag) &&
           left.desired_length == right.desired_length && left.buffer == right.buffer;
}

}  // namespace

std::string quoted(const char* text, std::size_t room) {
    std::string result(text, std::min(strnlen(text, room), kShownBytes));
    for (char& c : result) {
        if (is_control(c) || static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
    return "'" + result + "'";
}

std::size_t Look::operations() const {
    std::size_t count = 0;
    for (const SeenCommunicator& seen : communicators) {
        for (const SeenQueue& queue : seen.queues)
            count += queue.operations.size();
    }
    return count;
}

std::string difference(const Look& left, const Look& right) {
    if (left.update != right.update || left.setup != right.setup || left.end != right.end) {
        return "the result codes differ";
    }
    if (left.communicators.size() != right.communicators.size()) {
        return fmt::format(
            "{} communicators become {}", left.communicators.size(), right.communicators.size());
    }
    for (std::size_t i = 0; i < left.communicators.size(); ++i) {
        const SeenCommunicator& a = left.communicators[i];
        const SeenCommunicator& b = right.communicators[i];
        const std::string name = quoted(a.communicator.name, sizeof a.communicator.name);
        if (a.communicator.unique_id != b.communicator.unique_id ||
            std::strncmp(a.communicator.name, b.communicator.name, sizeof a.communicator.name) !=
                0 ||
            a.communicator.size != b.communicator.size || a.group != b.group) {
            return fmt::format("communicator {} changes", name);
        }
        for (int queue = 0; queue < 3; ++queue) {
            const auto& first = a.queues[queue].operations;
            const auto& second = b.queues[queue].operations;
            if (a.queues[queue].setup != b.queues[queue].setup || first.size() != second.size() ||
                !std::equal(first.begin(), first.end(), second.begin(), same)) {
                return fmt::format("the {} of {} change", kQueueNames[queue], name);
            }
        }
    }
    return {};
}

void check_communicator(Journal& journal, const mqs_communicator& communicator) {
    const char* function = "mqs_get_communicator";
    const std::span<const char> name(communicator.name);
    Members members(journal, Rule::Communicator, function, quoted(name.data(), name.size()) + ": ");
    const bool sized = members.written(communicator.size, "size");
    members.written(communicator.unique_id, "unique_id");
    if (members.written(communicator.local_rank, "local_rank") && sized &&
        (communicator.local_rank < 0 || communicator.local_rank >= communicator.size)) {
        members.wrong(
            fmt::format("rank {} of a size of {}", communicator.local_rank, communicator.size));
    }
    if (sized && communicator.size < 1) {
        members.wrong(fmt::format("a size of {}", communicator.size));
    }
    if (communicator.unique_id > LONG_MAX) {
        journal.violation(
            Rule::SmallId, function, fmt::format("unique_id {:#x}", communicator.unique_id));
    }
    const std::size_t length = length_of(name);
    if (length == name.size() || name[length] != '\0') {
        journal.violation(
            Rule::CommunicatorName,
            function,
            fmt::format("the name {} is not terminated", quoted(name.data(), length)));
    }
    if (std::any_of(name.begin(), name.begin() + static_cast<long>(length), is_control)) {
        journal.violation(
            Rule::CommunicatorName,
            function,
            fmt::format("the name {} has control characters", quoted(name.data(), length)));
    }
}

void check_group(Journal& journal,
                 const mqs_communicator& communicator,
                 std::span<const int> group,
                 std::span<const int> guard,
                 int own_rank) {
    Members members(journal,
                    Rule::Group,
                    "mqs_get_comm_group",
                    quoted(communicator.name, sizeof communicator.name) + ": ");
    if (!std::ranges::all_of(guard, unwritten<int>)) {
        members.wrong(fmt::format("more than its size of {} is written", group.size()));
    }
    std::set<int> ranks;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (!members.written(group[i], "a rank")) return;
        if (group[i] < MQS_INVALID_PROCESS || (group[i] >= 0 && !ranks.insert(group[i]).second)) {
            members.wrong(fmt::format("member {} is rank {}", i, group[i]));
            return;
        }
    }
    const auto own = static_cast<std::size_t>(communicator.local_rank);
    if (own_rank >= 0 && own < group.size() && group[own] != own_rank) {
        members.wrong(fmt::format("this process, member {}, is rank {}, not {}",
                                  communicator.local_rank,
                                  own_rank,
                                  group[own]));
    }
}

void check_operation(Journal& journal,
                     const SeenCommunicator& communicator,
                     int queue,
                     const mqs_pending_operation& operation,
                     long largest_rank) {
    const std::string where = where_of(communicator, queue);
    Members members(journal, Rule::Operation, "mqs_next_operation", where);
    if (members.written(operation.status, "status") &&
        (operation.status < mqs_st_pending || operation.status > mqs_st_complete)) {
        members.wrong(fmt::format("status {}", operation.status));
    }
    const long rank = operation.desired_local_rank;
    if (members.written(rank, "desired_local_rank") && (rank < -1 || rank > largest_rank)) {
        members.wrong(fmt::format("desired_local_rank {}", rank));
    }
    if (members.written(operation.desired_global_rank, "desired_global_rank") &&
        operation.desired_global_rank < MQS_INVALID_PROCESS) {
        members.wrong(fmt::format("desired_global_rank {}", operation.desired_global_rank));
    }
    if (members.written(operation.tag_wild, "tag_wild") && operation.tag_wild == 0) {
        members.written(operation.desired_tag, "desired_tag");
    }
    // -1 is what DLLs say of a length that they do not know.
    if (members.written(operation.desired_length, "desired_length") &&
        (operation.desired_length < -1 || operation.desired_length > kLargestLength)) {
        members.wrong(fmt::format("desired_length {}", operation.desired_length));
    }
    members.written(operation.system_buffer, "system_buffer");
    members.written(operation.buffer, "buffer");
    if (queue == mqs_pending_sends || operation.status == mqs_st_matched ||
        operation.status == mqs_st_complete) {
        check_actual(members, operation);
    }
    check_peer(journal, communicator, where, operation);
    check_extra_text(journal, where, operation);
}

void check_look(Journal& journal, const Look& look) {
    std::map<mqs_taddr_t, std::string> ids;
    for (const SeenCommunicator& seen : look.communicators) {
        const mqs_communicator& communicator = seen.communicator;
        const std::string name = quoted(communicator.name, sizeof communicator.name);
        const auto [known, is_new] = ids.emplace(communicator.unique_id, name);
        if (!is_new) {
            journal.violation(Rule::UniqueId,
                              "mqs_get_communicator",
                              fmt::format("{} and {} have the same id", known->second, name));
        }
    }
}

void check_text(Journal& journal, Rule rule, std::string_view function, const char* text) {
    if (text == nullptr) {
        journal.violation(rule, function, "gives no text");
        return;
    }
    const std::size_t length = strnlen(text, kMaxTextBytes);
    if (length == 0) journal.violation(rule, function, "gives an empty text");
    if (length == kMaxTextBytes) {
        journal.violation(
            rule, function, fmt::format("gives a text of more than {} bytes", kMaxTextBytes));
    }
}

}  // namespace mqinspect::conformance
