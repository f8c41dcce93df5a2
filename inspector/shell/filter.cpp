#include "inspector/shell/filter.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "model/rank_set.h"
#include "model/worlds.h"
#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

using model::OperationState;
using model::Queue;

constexpr std::array<std::string_view, 6> kKeys = {"comm", "rank", "tag", "queue", "size", "state"};
constexpr std::array<std::string_view, 2> kFlags = {"local", "all"};
// In the order of the enumerators.
constexpr std::array<std::string_view, 4> kQueues = {"posted", "unexpected", "send", "collective"};
constexpr std::array<std::string_view, 3> kStates = {"pending", "matched", "complete"};

Error unfit(std::string_view text, std::string_view what) {
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("\"{}\" is no {}", report::printable(text), what)};
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The place of `text` in a list of words.
Result<std::size_t> choice(std::string_view text, std::span<const std::string_view> words) {
    const auto place = std::ranges::find(words, text);
    if (place != words.end()) return static_cast<std::size_t>(place - words.begin());
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("\"{}\" is none of {}", report::printable(text), fmt::join(words, ", "))};
}

Result<Done> parse_size(std::string_view text, OperationFilter& filter) {
    std::string_view digits = text;
    if (digits.starts_with('<')) filter.compare = OperationFilter::Compare::Less;
    if (digits.starts_with('>')) filter.compare = OperationFilter::Compare::More;
    if (filter.compare != OperationFilter::Compare::Equal) digits.remove_prefix(1);
    unsigned shift = 0;
    if (!digits.empty()) {
        const std::size_t unit = std::string_view("kMG").find(digits.back());
        if (unit != std::string_view::npos) {
            shift = 10 * (static_cast<unsigned>(unit) + 1);
            digits.remove_suffix(1);
        }
    }
    const auto value = number<std::uint64_t>(digits);
    if (!value || *value > UINT64_MAX >> shift) return unfit(text, "size; write such as >64k");
    filter.bytes = *value << shift;
    return Done{};
}

Result<Done> parse_tag(std::string_view text, OperationFilter& filter) {
    filter.wildcard_tag = text == "any";
    if (filter.wildcard_tag) return Done{};
    filter.tag = number<int>(text);
    if (!filter.tag) return unfit(text, "tag; write a number, or any");
    return Done{};
}

/// `ranks` is kept for the end: what it means depends on other words.
Result<Done> parse_value(std::string_view key,
                         const std::string& value,
                         const model::JobSnapshot& snapshot,
                         std::string& ranks,
                         OperationFilter& filter) {
    if (key == "comm") {
        filter.communicators = TRY(find_communicators(snapshot, value));
    } else if (key == "rank") {
        ranks = value;
    } else if (key == "tag") {
        TRY(parse_tag(value, filter));
    } else if (key == "queue") {
        filter.queue = static_cast<Queue>(TRY(choice(value, kQueues)));
    } else if (key == "size") {
        TRY(parse_size(value, filter));
    } else {
        filter.state = static_cast<OperationState>(TRY(choice(value, kStates)));
    }
    return Done{};
}

/// How many ranks there are to choose from.
std::size_t ranks_to_choose(const model::JobSnapshot& snapshot, const OperationFilter& filter) {
    if (!filter.local_ranks) return snapshot.ranks.size();
    std::size_t most = 0;
    for (const model::Communicator& communicator : snapshot.communicators) {
        const bool meant =
            filter.communicators.empty() ||
            std::ranges::find(filter.communicators, communicator.id) != filter.communicators.end();
        if (!meant) continue;
        most = std::max({most, communicator.members.size(), communicator.remote_members.size()});
    }
    return most;
}

}  // namespace

std::span<const std::string_view> filter_keys() {
    return kKeys;
}

std::span<const std::string_view> filter_flags() {
    return kFlags;
}

std::span<const std::string_view> filter_values(std::string_view key) {
    if (key == "queue") return kQueues;
    if (key == "state") return kStates;
    return {};
}

Result<std::vector<model::CommunicatorId>> find_communicators(const model::JobSnapshot& snapshot,
                                                              std::string_view name) {
    constexpr std::size_t names_listed = 8;
    const model::Worlds worlds(snapshot);
    const auto id = name.starts_with('#') ? number<std::size_t>(name.substr(1)) : std::nullopt;
    std::vector<model::CommunicatorId> found;
    std::vector<std::string> names;  // every rank has an MPI_COMM_SELF
    for (std::size_t i = 0; i < snapshot.communicators.size(); ++i) {
        const model::Communicator& communicator = snapshot.communicators[i];
        const std::string full_name = model::communicator_name(worlds, communicator);
        if (communicator.name == name || full_name == name || id == i) {
            found.push_back(communicator.id);
        }
        const bool known = std::ranges::find(names, full_name) != names.end();
        if (!known && names.size() <= names_listed) names.push_back(full_name);
    }
    if (!found.empty()) return found;
    if (names.size() > names_listed) names.back() = "...";
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("no communicator \"{}\"; {}{}",
                             report::printable(name),
                             names.empty() ? "none is known" : "there is ",
                             report::printable(fmt::format("{}", fmt::join(names, ", "))))};
}

Result<OperationFilter> parse_filter(std::span<const std::string> words,
                                     const model::JobSnapshot& snapshot) {
    OperationFilter filter;
    std::string ranks;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "local") {
            filter.local_ranks = true;
        } else if (word == "all") {
            filter.all = true;
        } else if (std::ranges::find(kKeys, word) == kKeys.end()) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("\"{}\" is no filter; there is {}, {}",
                                     report::printable(word),
                                     fmt::join(kKeys, ", "),
                                     fmt::join(kFlags, ", "))};
        } else if (i + 1 == words.size()) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("\"{}\" needs a value behind it", word)};
        } else {
            ++i;
            TRY(parse_value(word, words[i], snapshot, ranks, filter));
        }
    }
    if (!ranks.empty()) {
        filter.ranks.emplace();
        for (const model::WorldRank rank :
             TRY(model::parse_ranks(ranks, ranks_to_choose(snapshot, filter)))) {
            filter.ranks->push_back(rank.value);
        }
    }
    return filter;
}

bool OperationFilter::fits(const model::JobSnapshot& snapshot,
                           const model::Operation& operation) const {
    if (!communicators.empty() &&
        std::ranges::find(communicators, operation.communicator) == communicators.end()) {
        return false;
    }
    if (ranks) {
        std::optional<int> rank = operation.rank.value;
        if (local_ranks) {
            const auto place =
                model::comm_rank_in(snapshot.ranks[operation.rank.index()], operation.communicator);
            rank = place ? std::optional(place->value) : std::nullopt;
        }
        if (!rank || !std::ranges::binary_search(*ranks, *rank)) return false;
    }
    if (wildcard_tag && !operation.any_tag) return false;
    if (tag && !operation.any_tag && operation.tag != tag) return false;
    if (queue && operation.queue != *queue) return false;
    if (state && operation.state != *state) return false;
    if (!bytes) return true;
    if (!operation.bytes) return false;
    switch (compare) {
        case Compare::Less:
            return *operation.bytes < *bytes;
        case Compare::More:
            return *operation.bytes > *bytes;
        case Compare::Equal:
            break;
    }
    return *operation.bytes == *bytes;
}

}  // namespace mqinspect::shell
