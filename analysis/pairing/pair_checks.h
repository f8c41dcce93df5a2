/// What is wrong with messages: sizes, datatypes, contents, partners that never came.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/report.h"

namespace mqinspect::analysis {

class PairChecks {
public:
    /// Keeps references.
    PairChecks(const TypeSignatures& signatures, InterprocessReport& report)
        : signatures_(signatures), report_(report) {}

    void check(const Operation& send, const Operation& receive, const Matcher& matcher);
    /// At the end of the run: of messages that several threads of a process send or receive.
    void check_uncertain();
    /// What has met nothing at the end of the run. An operation whose peer might still have
    /// come, had it not crashed or stood in a deadlock, is no finding of its own.
    void check_open(Matcher& matcher);

private:
    /// What does not fit, with the calls that made persistent requests or, behind matched probes,
    /// have the buffer.
    struct Pair {
        FindingClass finding_class{};
        Operation send;
        Operation receive;
        std::optional<EventSite> send_origin;
        std::optional<EventSite> receive_origin;
    };
    /// Sender, receiver, communicator, tag.
    using Channel =
        std::tuple<model::ProcessId, model::ProcessId, model::CommunicatorId, std::int64_t>;

    Fit fit(const Operation& send, const Operation& receive) const;
    /// Empty: nothing is wrong.
    std::optional<FindingClass> misfit(const Operation& send, const Operation& receive) const;
    bool by_threads(const Operation& operation) const;
    void check_channel(const std::vector<Pair>& pairs);
    void report(const Pair& pair);
    /// A message that a matched probe has taken and that no receive has followed.
    void report_unclaimed(const Operation& send, const Operation& probe);
    bool will_never_be_met(const Operation& operation) const;
    void report_open(const Operation& operation,
                     std::span<const Operation* const> open,
                     const Matcher& matcher);

    const TypeSignatures& signatures_;
    InterprocessReport& report_;
    /// In which order threads have sent or received, the record does not show: those of a channel
    /// may have met each other's partners.
    std::map<Channel, std::vector<Pair>> uncertain_;
    std::size_t uncertain_pairs_ = 0;
};

}  // namespace mqinspect::analysis
