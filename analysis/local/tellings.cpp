#include "analysis/local/tellings.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analysis/local/conflict_report.h"

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::size_t kMostEntries = 1 << 17;
constexpr std::size_t kMostQuestions = 1 << 14;
/// Between the same two places of the program.
constexpr int kMostAlike = 32;
/// Entries between two operations; of more nobody can tell in time.
constexpr std::ptrdiff_t kMostBetween = 20'000;
/// By which the clocks of one host may differ, in nanoseconds.
constexpr std::int64_t kTolerance = 5'000;
constexpr std::int64_t kNotYet = INT64_MAX;

bool has_one_host(const model::Execution& execution) {
    return std::ranges::all_of(execution.processes, [&](const model::RecordedProcess& process) {
        return process.host == execution.processes.front().host;
    });
}

}  // namespace

Tellings::Tellings(const model::Execution& execution, Reporter& reporter)
    : execution_(execution),
      reporter_(reporter),
      followed_(has_one_host(execution)),
      first_fetch_(execution.processes.size(), TargetAccess::kNever),
      repetitions_(execution.processes.size()) {}

void Tellings::add(const Entry& entry) {
    if (entry.kind == Kind::Fetch || entry.kind == Kind::Lock) {
        std::uint64_t& first = first_fetch_[entry.moment.process.index()];
        first = std::min(first, entry.moment.event);
    }
    if (full_) return;
    entries_.push_back(entry);
    if (entries_.size() == kMostEntries) give_up();
}

void Tellings::give_up() {
    full_ = true;
    entries_.clear();
    // Conflicts are rare: without them nothing was left out yet.
    if (!questions_.empty()) leave_out();
    questions_.clear();
}

void Tellings::does_something_else(ProcessId process) {
    repetitions_[process.index()] = {};
}

/// The one that this one continues; null: none. It is to be added then.
Tellings::Entry* Tellings::repeated(Kind kind, const Moment& moment, const Place& place) {
    Repetition& last = repetitions_[moment.process.index()];
    const bool is_same = last.place.window == place.window && last.place.owner == place.owner &&
                         last.place.bytes.low == place.bytes.low &&
                         last.place.bytes.high == place.bytes.high;
    if (!is_same) last = {place, {}, {}};
    const std::size_t which = kind == Kind::Fetch ? 1 : 0;
    if (++last.count[which] > 2 && last.entry[which] < entries_.size())
        return &entries_[last.entry[which]];
    last.entry[which] = entries_.size();
    return nullptr;
}

void Tellings::stored(const Moment& moment, const Place& place, bool flags) {
    // What it has stored by itself in between, a flag tells.
    if (flags) does_something_else(moment.process);
    Entry* const earlier = flags ? nullptr : repeated(Kind::Store, moment, place);
    if (earlier == nullptr) return add({flags ? Kind::Flag : Kind::Store, moment, place});
    earlier->moment = moment;
}

void Tellings::fetched(const Moment& moment, const Place& place) {
    Entry* const earlier = repeated(Kind::Fetch, moment, place);
    if (earlier == nullptr) return add({Kind::Fetch, moment, place});
    earlier->moment.event = moment.event;
    earlier->moment.end_ns = moment.end_ns;
}

std::size_t Tellings::locked(const Moment& moment, const Place& place) {
    does_something_else(moment.process);
    add({Kind::Lock, moment, place});
    return entries_.size() - 1;
}

void Tellings::unlocked(std::size_t lock, std::int64_t end_ns) {
    if (lock < entries_.size()) entries_[lock].moment.end_ns = end_ns;
}

bool Tellings::may_have_heard(const TargetAccess& access) const {
    for (std::size_t at = 0; at < first_fetch_.size(); ++at) {
        const std::uint64_t first = first_fetch_[at];
        if (first == TargetAccess::kNever) continue;
        const bool own = at == access.origin.index();
        if (own ? first <= access.issued : access.known != nullptr && (*access.known)[at] > first)
            return true;
    }
    return false;
}

void Tellings::leave_out() {
    reporter_.unchecked("conflicts behind atomic operations, where there are more than " +
                        std::to_string(kMostEntries) + " one-sided operations");
}

void Tellings::conflict(const TargetAccess& made, const TargetAccess& other, ProcessId target) {
    if (!may_have_heard(made) && !may_have_heard(other))
        return report_conflict(execution_, made, other, target, reporter_);
    if (full_ || questions_.size() == kMostQuestions) return leave_out();
    questions_.push_back({made, other, target});
}

/// True: somebody knows more, or knows it earlier.
bool Tellings::spread(const Entry& entry, const TargetAccess& first, Knowledge& knowledge) const {
    const auto learn = [&](ProcessId process, std::int64_t since, std::uint64_t event) {
        const std::size_t at = process.index();
        if (knowledge.since[at] <= since) return false;
        knowledge.since[at] = since;
        knowledge.event[at] = std::min(knowledge.event[at], event);
        return true;
    };
    const std::size_t who = entry.moment.process.index();
    if (entry.kind == Kind::Fetch || entry.kind == Kind::Lock) {
        const bool by_owner =
            knowledge.told[entry.place.owner.index()] <= entry.moment.end_ns + kTolerance;
        const bool seen =
            by_owner || std::ranges::any_of(knowledge.stores, [&](const Entry* store) {
                return store->place.window == entry.place.window &&
                       store->place.owner == entry.place.owner &&
                       store->place.bytes.meets(entry.place.bytes) &&
                       store->moment.begin_ns <= entry.moment.end_ns + kTolerance;
            });
        if (!seen) return false;
        std::int64_t& told = knowledge.told[who];
        told = std::min(told, entry.moment.begin_ns);
        return learn(entry.moment.process, entry.moment.begin_ns, entry.moment.event);
    }
    const Clock* const known = entry.moment.known.get();
    // It tells of itself, too.
    const bool itself = entry.moment.process == first.origin && entry.moment.event == first.issued;
    const bool knows = itself || knowledge.since[who] <= entry.moment.begin_ns + kTolerance ||
                       (known != nullptr && (*known)[first.origin.index()] > first.completed);
    if (!knows) return false;
    bool more = false;
    if (std::ranges::find(knowledge.stores, &entry) == knowledge.stores.end()) {
        knowledge.stores.push_back(&entry);
        more = true;
    }
    // When its owner looks at it, the record does not show.
    if (entry.kind == Kind::Flag && !itself)
        more = learn(entry.place.owner, entry.moment.begin_ns, 0) || more;
    return more;
}

bool Tellings::is_known(const TargetAccess& second, const Knowledge& knowledge) const {
    if (knowledge.since[second.origin.index()] <= second.began_ns + kTolerance) return true;
    for (std::size_t at = 0; at < knowledge.since.size() && second.known != nullptr; ++at) {
        const bool knows = knowledge.since[at] != kNotYet && at != second.origin.index();
        if (knows && (*second.known)[at] > knowledge.event[at]) return true;
    }
    return false;
}

bool Tellings::was_told(const TargetAccess& first, const TargetAccess& second) const {
    if (first.completed == TargetAccess::kNever || first.ended_ns > second.began_ns + kTolerance)
        return false;
    Knowledge knowledge;
    knowledge.since.assign(execution_.processes.size(), kNotYet);
    knowledge.event.assign(execution_.processes.size(), UINT64_MAX);
    knowledge.since[first.origin.index()] = first.ended_ns;
    knowledge.told = knowledge.since;
    knowledge.event[first.origin.index()] = first.completed;
    const auto begin = std::ranges::lower_bound(
        entries_, first.began_ns - kTolerance, {}, [](const Entry& one) { return one.key(); });
    const auto end = std::ranges::upper_bound(
        entries_, second.began_ns + kTolerance, {}, [](const Entry& one) { return one.key(); });
    if (end - begin > kMostBetween) return true;
    for (bool more = true; more;) {
        more = false;
        for (auto entry = begin; entry != end; ++entry)
            more = spread(*entry, first, knowledge) || more;
        if (is_known(second, knowledge)) return true;
    }
    return false;
}

void Tellings::report() {
    std::ranges::stable_sort(entries_, {}, [](const Entry& one) { return one.key(); });
    std::map<std::tuple<int, int>, int> alike;
    for (const Question& question : questions_) {
        int& asked = alike[{question.made.site.stack.value, question.other.site.stack.value}];
        if (asked++ >= kMostAlike) continue;
        if (was_told(question.other, question.made) || was_told(question.made, question.other))
            continue;
        report_conflict(execution_, question.made, question.other, question.target, reporter_);
        asked = kMostAlike;
    }
}

}  // namespace mqinspect::analysis
