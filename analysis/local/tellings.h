/// What processes may have learnt of each other's operations by one-sided ones, which no message
/// shows: who fetches a place knows, perhaps, what those knew who had stored there before (MPI 4.0,
/// 12.7.2; a lock, a counter or a flag in a window). Likewise the loads of who holds the
/// exclusive lock of its own part, or waits for what others put there.
///
/// Whether one operation was known where another one was made is decided behind the last call, by
/// times: of processes of one host, whose clocks agree. A store that began when a fetch was over
/// was not seen by it. Everything else may have been.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "analysis/replay/run_clocks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

class Tellings {
public:
    Tellings(const model::Execution& execution, Reporter& reporter);

    /// False: of several hosts: who may have been told, has.
    bool are_followed() const { return followed_; }

    struct Place {
        std::int64_t window = 0;
        model::ProcessId owner;
        ByteRange bytes;
    };
    struct Moment {
        model::ProcessId process;
        std::uint64_t event = 0;
        std::int64_t begin_ns = 0;
        std::int64_t end_ns = 0;
        std::shared_ptr<const Clock> known;
    };
    /// Who asks for a place over and over, and does nothing else meanwhile, learns and tells
    /// nothing between the first time and the last that those would not: these two are kept, the
    /// last one as if it had lasted since the second. In front of anything else: it is over.
    void does_something_else(model::ProcessId process);
    /// `flags`: its owner may wait for it by loads.
    void stored(const Moment& moment, const Place& place, bool flags);
    void fetched(const Moment& moment, const Place& place);
    /// The loads under an exclusive lock of a process's own part, up to its unlock().
    std::size_t locked(const Moment& moment, const Place& place);
    void unlocked(std::size_t lock, std::int64_t end_ns);

    /// Two accesses that conflict, unless one process was told of the other's so. Reported at once
    /// if neither can have heard of any fetch.
    void conflict(const TargetAccess& made, const TargetAccess& other, model::ProcessId target);
    /// Behind the last call.
    void report();

private:
    enum class Kind : std::uint8_t { Store, Flag, Fetch, Lock };
    struct Entry {
        Kind kind{};
        Moment moment;
        Place place;
        /// In the order of which stores are seen: a store by its begin, a fetch by its end.
        std::int64_t key() const { return kind == Kind::Fetch ? moment.end_ns : moment.begin_ns; }
    };
    struct Question {
        TargetAccess made;
        TargetAccess other;
        model::ProcessId target;
    };
    /// Since when each process may know of an operation, and at which of its events at the latest.
    struct Knowledge {
        std::vector<std::int64_t> since;
        /// The same without loads that nothing shows: the owner of a place may store there itself.
        std::vector<std::int64_t> told;
        std::vector<std::uint64_t> event;
        std::vector<const Entry*> stores;  ///< by who knows it
    };

    /// Of a process that asks for one place over and over.
    struct Repetition {
        Place place;
        std::array<std::size_t, 2> count{};  ///< stores, fetches
        std::array<std::size_t, 2> entry{};  ///< the last one's subscript
    };

    void add(const Entry& entry);
    Entry* repeated(Kind kind, const Moment& moment, const Place& place);
    /// Of what was given up, nobody can tell: it counts as told.
    void give_up();
    void leave_out();
    bool may_have_heard(const TargetAccess& access) const;
    bool was_told(const TargetAccess& first, const TargetAccess& second) const;
    bool spread(const Entry& entry, const TargetAccess& first, Knowledge& knowledge) const;
    bool is_known(const TargetAccess& second, const Knowledge& knowledge) const;

    const model::Execution& execution_;
    Reporter& reporter_;
    bool followed_;
    bool full_ = false;
    std::vector<std::uint64_t> first_fetch_;  ///< event of each process; kNever: none
    std::vector<Entry> entries_;
    std::vector<Repetition> repetitions_;  ///< by process
    std::vector<Question> questions_;
};

}  // namespace mqinspect::analysis
