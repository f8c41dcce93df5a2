#include "analysis/replay/races.h"

#include <algorithm>

#include "analysis/replay/data_flow.h"

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};
/// So many of the last receives from any source are compared with later messages.
constexpr std::size_t kMostRecent = 32;
/// Processes that receive from any source.
constexpr std::size_t kMostWatched = 256;

}  // namespace

Races::Races(const model::Execution& execution, const std::vector<CallKind>& kinds)
    : execution_(execution),
      kinds_(kinds),
      members_(execution),
      entry_of_(execution.processes.size(), kNoEntry),
      broken_(execution.processes.size()),
      synchronous_(has_sends(kinds, model::SendMode::Synchronous)) {
    using Kind = model::Termination::Kind;
    for (const model::RecordedProcess& process : execution.processes) {
        const Kind kind = process.termination.kind;
        broken_[process.id.index()] = kind == Kind::Crashed || kind == Kind::Aborted;
    }
    for (const model::RecordedEvent& event : execution.events) {
        if (event.kind != model::EventKind::MpiError) continue;
        const std::size_t process = event.process.index();
        if (execution.processes[process].termination.kind != Kind::Finalized)
            broken_[process] = true;
    }
}

// A process gets its entry with its first receive from any source: so far nobody knows of one
// that is over, which is what a new entry says.
void Races::watch(ProcessId process) {
    if (watched_ == kMostWatched) {
        given_up_ = true;
        watched_ = stride_ = 0;
        for (auto* clocks : {&clocks_, &started_, &open_})
            std::vector<std::uint32_t>().swap(*clocks);
        races_.clear();
        return;
    }
    if (watched_ == stride_) {
        const std::size_t stride = std::max<std::size_t>(4, stride_ * 2);
        for (auto* clocks : {&clocks_, &started_}) {
            const std::size_t rows = clocks == &clocks_ ? entry_of_.size()
                                     : stride_ == 0     ? 0
                                                        : started_.size() / stride_;
            std::vector<std::uint32_t> wider(rows * stride);
            for (std::size_t row = 0; row < rows && stride_ > 0; ++row)
                std::copy_n(&(*clocks)[row * stride_], stride_, &wider[row * stride]);
            clocks->swap(wider);
        }
        stride_ = stride;
    }
    entry_of_[process.index()] = static_cast<std::uint32_t>(watched_++);
    recent_.resize(watched_);
    unaddressed_.resize(watched_);
    met_.resize(watched_);
    open_.resize(watched_);
}

// Of those that were started before anybody was watched: zero.
std::uint32_t* Races::started(OperationIndex operation) {
    if (started_.size() < (operation + std::size_t{1}) * stride_) {
        started_.resize((operation + std::size_t{1}) * stride_ * 2);
    }
    return &started_[operation * stride_];
}

void Races::join(std::uint32_t* into, const std::uint32_t* from) const {
    for (std::size_t entry = 0; entry < watched_; ++entry)
        into[entry] = std::max(into[entry], from[entry]);
}

void Races::on_start(OperationIndex index, const Operation& operation) {
    const ProcessId process = operation.site.process;
    if (operation.any_source && !given_up_ && entry_of_[process.index()] == kNoEntry) {
        watch(process);
    }
    if (watched_ == 0) return;
    const std::uint32_t entry = entry_of_[process.index()];
    // In a call that has not returned it may name somebody whose message it has taken already.
    const bool names = !operation.any_source && operation.site.returned;
    if (entry != kNoEntry && names && unaddressed_[entry] > 0) address(entry, operation.peer);
    if (operation.any_source) ++open_[entry];
    if (operation.is_send || synchronous_) std::copy_n(clock(process), watched_, started(index));
}

// A receive from any source that waits alone is the next one to be over.
void Races::on_met(const Operation& send, const Operation& receive) {
    if (watched_ == 0) return;
    const std::uint32_t* known = started(send.partner);
    std::vector<std::uint32_t>& told = met_sends_[receive.partner];
    told.assign(known, known + watched_);
    if (!receive.any_source || !receive.completed) return;
    const ProcessId process = receive.site.process;
    const std::uint32_t entry = entry_of_[process.index()];
    told[entry] = std::max(told[entry], clock(process)[entry] + 1);
}

void Races::on_acknowledged(OperationIndex index, const Operation& send) {
    const auto met = met_sends_.extract(index);
    if (!met || watched_ == 0) return;
    std::vector<std::uint32_t>& told = met.mapped();
    told.resize(watched_);
    join(clock(send.site.process), told.data());
}

// The watched process names the peer, of which it has received without naming it.
void Races::address(std::uint32_t entry, ProcessId peer) {
    for (Receive& receive : recent_[entry]) {
        if (receive.addressed || receive.taken.process != peer) continue;
        receive.addressed = true;
        --unaddressed_[entry];
    }
}

void Races::on_pair(const Operation& send, const Operation& receive) {
    if (watched_ == 0) return;
    const std::uint32_t* known = started(receive.partner);
    const ProcessId process = receive.site.process;
    const std::uint32_t entry = entry_of_[process.index()];
    if (entry != kNoEntry) compare(send, known, &receive, entry);
    join(clock(process), known);
    if (entry == kNoEntry) return;
    if (receive.any_source && open_[entry] > 0) --open_[entry];
    if (open_[entry] > 0) {
        met_[entry].push_back({send, receive});
        if (met_[entry].size() > kMostRecent) met_[entry].pop_front();
    }
    if (!receive.any_source) return;
    Receive added;
    added.number = ++clock(process)[entry];
    added.operation = receive;
    added.taken = send.site;
    added.taken_rank = rank_of(receive.communicator, send.site.process);
    compare_with_met(added, entry);
    if (open_[entry] == 0) met_[entry].clear();
    recent_[entry].push_back(std::move(added));
    ++unaddressed_[entry];
    if (recent_[entry].size() <= kMostRecent) return;
    if (!recent_[entry].front().addressed) --unaddressed_[entry];
    recent_[entry].pop_front();
}

// `receive`: who takes the message; null: nobody.
void Races::compare(const Operation& send,
                    const std::uint32_t* known,
                    const Operation* receive,
                    std::uint32_t receiver) {
    std::deque<Receive>& recent = recent_[receiver];
    for (auto earlier = recent.rbegin(); earlier != recent.rend(); ++earlier) {
        if (earlier->number <= known[receiver]) return;  // and so are all before it
        if (!fits(*earlier, send, receive)) continue;
        if (is_first(*earlier, send.site.process)) add(*earlier, send, receive);
    }
}

// Whoever received while the wildcard was open could have left it that message.
void Races::compare_with_met(Receive& wildcard, std::uint32_t receiver) {
    for (const Met& met : met_[receiver]) {
        if (!fits(wildcard, met.send, &met.receive)) continue;
        if (is_first(wildcard, met.send.site.process)) add(wildcard, met.send, &met.receive);
    }
}

// The wildcard could have taken the message, had it come first. `receive`: who takes it.
bool Races::fits(const Receive& earlier, const Operation& send, const Operation* receive) {
    const Operation& wildcard = earlier.operation;
    if (wildcard.communicator != send.communicator) return false;
    if (earlier.taken.process == send.site.process) return false;
    if (!wildcard.any_tag && wildcard.tag != send.tag) return false;
    return receive == nullptr || (receive->site.thread == wildcard.site.thread &&
                                  receive->site.event > wildcard.site.event);
}

// What the same sender has sent first would have to be taken first.
bool Races::is_first(Receive& wildcard, ProcessId sender) {
    const bool seen =
        std::find(wildcard.seen.begin(), wildcard.seen.end(), sender) != wildcard.seen.end();
    if (!seen) wildcard.seen.push_back(sender);
    return !seen;
}

// Either would do for either message. A matched probe tells how much room is needed.
bool Races::are_alike(const Operation& left, const Operation& right) const {
    const auto probes = [&](const Operation& operation) {
        return kinds_[operation.site.procedure.index()].action == Action::MatchedProbe;
    };
    if (probes(left) && probes(right)) return true;
    return left.datatype == right.datatype && left.count == right.count;
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
    race.by_wildcard = taken_by != nullptr && taken_by->any_source;
    race.benign = receive.addressed || (taken_by != nullptr && taken_by->any_source &&
                                        are_alike(*taken_by, receive.operation));
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
    if (watched_ == 0) return;
    const CallKind& kind = kinds_[wave.contributions.front().site.procedure.index()];
    const auto clock_of = [&](std::size_t member) {
        return clock(wave.contributions[member].site.process);
    };
    spread(
        DataFlow(kind, wave, execution_),
        wave.contributions.size(),
        [&] { return std::vector<std::uint32_t>(watched_); },
        [&](std::vector<std::uint32_t>& known, std::size_t from) {
            join(known.data(), clock_of(from));
        },
        [&](std::size_t to, const std::vector<std::uint32_t>& known) {
            join(clock_of(to), known.data());
        });
}

std::vector<Races::Race> Races::races(Matcher& matcher) {
    if (watched_ == 0) return {};
    for (const OperationIndex index : matcher.open_operations()) {
        const Operation& send = matcher.operation(index);
        if (!send.is_send || send.peer.value < 0) continue;
        // It might have received it, had it gone on.
        if (broken_[send.peer.index()]) continue;
        const std::uint32_t entry = entry_of_[send.peer.index()];
        if (entry != kNoEntry) compare(send, started(index), nullptr, entry);
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
