#include "analysis/replay/races.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};
/// So many of the last receives from any source are compared with later messages.
constexpr std::size_t kMostRecent = 32;

bool same_room(const Operation& left, const Operation& right) {
    return left.datatype == right.datatype && left.count == right.count;
}

}  // namespace

Races::Races(const model::Execution& execution,
             const std::vector<CallKind>& kinds,
             const std::vector<std::uint64_t>& wildcards)
    : kinds_(kinds), members_(execution), entry_of_(wildcards.size(), kNoEntry) {
    for (std::size_t process = 0; process < wildcards.size(); ++process)
        if (wildcards[process] > 0) entry_of_[process] = static_cast<std::uint32_t>(watched_++);
    clocks_.resize(wildcards.size() * watched_);
    recent_.resize(watched_);
}

void Races::join(std::uint32_t* into, const std::uint32_t* from) const {
    for (std::size_t entry = 0; entry < watched_; ++entry)
        into[entry] = std::max(into[entry], from[entry]);
}

void Races::on_start(OperationIndex index, const Operation& operation) {
    const ProcessId process = operation.site.process;
    const std::uint32_t entry = entry_of_[process.index()];
    if (entry != kNoEntry && !operation.any_source) {
        for (Receive& receive : recent_[entry])
            receive.addressed = receive.addressed || receive.taken.process == operation.peer;
    }
    if (!operation.is_send) return;
    if (sent_.size() < (index + std::size_t{1}) * watched_) {
        sent_.resize((index + std::size_t{1}) * watched_ * 2);
    }
    std::copy_n(clock(process), watched_, &sent_[index * watched_]);
}

void Races::on_pair(const Operation& send, const Operation& receive) {
    const std::uint32_t* known = &sent_[receive.partner * watched_];
    const ProcessId process = receive.site.process;
    const std::uint32_t entry = entry_of_[process.index()];
    if (entry != kNoEntry) compare(send, known, &receive, entry);
    join(clock(process), known);
    if (entry == kNoEntry || !receive.any_source) return;
    Receive added;
    added.number = ++clock(process)[entry];
    added.operation = receive;
    added.taken = send.site;
    added.taken_rank = rank_of(receive.communicator, send.site.process);
    recent_[entry].push_back(std::move(added));
    if (recent_[entry].size() > kMostRecent) recent_[entry].pop_front();
}

// `receive`: who takes the message; null: nobody.
void Races::compare(const Operation& send,
                    const std::uint32_t* known,
                    const Operation* receive,
                    std::uint32_t receiver) {
    std::deque<Receive>& recent = recent_[receiver];
    for (auto earlier = recent.rbegin(); earlier != recent.rend(); ++earlier) {
        if (earlier->number <= known[receiver]) return;  // and so are all before it
        const Operation& wildcard = earlier->operation;
        const ProcessId sender = send.site.process;
        if (wildcard.communicator != send.communicator || earlier->taken.process == sender)
            continue;
        if (!wildcard.any_tag && wildcard.tag != send.tag) continue;
        if (receive != nullptr && (receive->site.thread != wildcard.site.thread ||
                                   receive->site.event <= wildcard.site.event)) {
            continue;
        }
        // What the same sender has sent first would have to be taken first.
        if (std::find(earlier->seen.begin(), earlier->seen.end(), sender) != earlier->seen.end()) {
            continue;
        }
        earlier->seen.push_back(sender);
        add(*earlier, send, receive);
    }
}

void Races::add(const Receive& receive, const Operation& send, const Operation* taken_by) {
    Race race;
    race.receive = receive.operation.site;
    race.taken = receive.taken;
    race.other = send.site;
    race.communicator = send.communicator;
    race.taken_rank = receive.taken_rank;
    race.other_rank = rank_of(send.communicator, send.site.process);
    race.received = taken_by != nullptr;
    race.benign = receive.addressed || (taken_by != nullptr && taken_by->any_source &&
                                        same_room(*taken_by, receive.operation));
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::MessageRace, {&receive.operation.site});
    const auto [entry, added] = races_.emplace(key, race);
    if (added) return;
    const std::uint64_t count = entry->second.count + 1;
    if (entry->second.benign && !race.benign) entry->second = race;
    entry->second.count = count;
}

std::int64_t Races::rank_of(model::CommunicatorId communicator, ProcessId process) {
    const auto member = members_.member_of(communicator, process);
    return member ? members_.rank_of(communicator, *member) : -1;
}

// What a member knows afterwards: of data that only the root has, what the root knew.
void Races::on_whole(const Wave& wave) {
    const CallKind& kind = kinds_[wave.contributions.front().site.procedure.index()];
    const auto root =
        static_cast<std::size_t>(std::max<std::int64_t>(0, wave.contributions.front().root));
    const bool has_root = kind.rooted && root < wave.contributions.size();
    const bool from_root =
        has_root && (kind.pattern == Pattern::Broadcast || kind.pattern == Pattern::Scatter ||
                     kind.pattern == Pattern::Scatterv);
    const bool to_root =
        has_root && (kind.pattern == Pattern::Gather || kind.pattern == Pattern::Gatherv ||
                     kind.pattern == Pattern::Reduce);
    std::vector<std::uint32_t> known(watched_);
    for (std::size_t member = 0; member < wave.contributions.size(); ++member) {
        if (!from_root || member == root) {
            join(known.data(), clock(wave.contributions[member].site.process));
        }
    }
    for (std::size_t member = 0; member < wave.contributions.size(); ++member) {
        if (!to_root || member == root) {
            join(clock(wave.contributions[member].site.process), known.data());
        }
    }
}

std::vector<Races::Race> Races::races(Matcher& matcher) {
    for (const OperationIndex index : matcher.open_operations()) {
        const Operation& send = matcher.operation(index);
        if (!send.is_send || send.peer.value < 0) continue;
        const std::uint32_t entry = entry_of_[send.peer.index()];
        if (entry != kNoEntry) compare(send, &sent_[index * watched_], nullptr, entry);
    }
    std::vector<Race> result;
    for (const auto& [key, race] : races_)
        result.push_back(race);
    std::sort(result.begin(), result.end(), [](const Race& left, const Race& right) {
        return left.receive.time_ns < right.receive.time_ns;
    });
    return result;
}

}  // namespace mqinspect::analysis
