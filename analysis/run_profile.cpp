#include "analysis/run_profile.h"

#include <algorithm>
#include <utility>

#include "analysis/each_process.h"
#include "analysis/pairing/call_kind.h"

namespace mqinspect::analysis {
namespace {

using model::Procedure;
using model::ProcessId;
using model::RecordedCall;

constexpr std::size_t kMostElements = 64;

std::vector<std::vector<std::int64_t>> copy(const Procedure& procedure,
                                            std::span<const model::Value> values) {
    std::vector<std::vector<std::int64_t>> copies;
    copies.reserve(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (model::is_list(procedure.parameters[at].kind)) {
            const auto list =
                values[at].list.first(std::min(values[at].list.size(), kMostElements));
            copies.emplace_back(list.begin(), list.end());
        } else {
            copies.push_back({values[at].number});
        }
    }
    return copies;
}

// What a call of a procedure adds to the numbers of its process.
struct Weight {
    std::uint8_t sends = 0;
    std::uint8_t receives = 0;
    std::uint8_t collectives = 0;
};

Weight weight_of(const CallKind& kind) {
    if (kind.persistent) return {};  // it only prepares what MPI_Start starts
    switch (kind.action) {
        case Action::Send:
            return {1, 0, 0};
        case Action::Receive:
        case Action::MatchedReceive:
            return {0, 1, 0};
        case Action::SendReceive:
        case Action::SendReceiveReplace:
            return {1, 1, 0};
        case Action::Collective:
            return {0, 0, 1};
        default:
            return {};
    }
}

using Wanted = std::vector<std::pair<int, std::uint64_t>>;  ///< thread, event; sorted, unique

// How often each procedure has been called from each stack: mostly one from each.
class Passes {
public:
    explicit Passes(std::size_t stacks) : by_stack_(stacks, {-1, 0}) {}

    /// Counts the call, and says how many there are by now.
    std::uint64_t add(const RecordedCall& call) {
        auto& [procedure, count] = by_stack_[call.stack.index()];
        if (procedure < 0) procedure = call.procedure.value;
        return procedure == call.procedure.value
                   ? ++count
                   : ++rare_[{call.procedure.value, call.stack.value}];
    }

private:
    std::vector<std::pair<int, std::uint64_t>> by_stack_;
    std::map<std::pair<int, int>, std::uint64_t> rare_;
};

std::vector<KeptCall> find_calls(const model::Recording& recording,
                                 ProcessId process,
                                 const Wanted& wanted) {
    std::vector<KeptCall> found;
    if (wanted.empty()) return found;
    const model::Execution& execution = recording.execution();
    Passes passes(execution.stacks.size());
    const auto stream = recording.calls(process);
    RecordedCall call;
    while (found.size() < wanted.size() && stream->next(call)) {
        const std::uint64_t multiplicity = passes.add(call);
        if (std::ranges::binary_search(wanted, std::pair(call.thread, call.event)))
            found.push_back(keep(execution.procedures[call.procedure.index()], call, multiplicity));
    }
    return found;
}

std::vector<Wanted> calls_of(const Findings& findings, std::size_t processes) {
    std::vector<Wanted> wanted(processes);
    for (const Finding& finding : findings.findings) {
        for (const InvolvedCall& call : finding.calls) {
            if (call.procedure.value >= 0)
                wanted[call.process.index()].emplace_back(call.thread, call.event);
        }
    }
    for (Wanted& of_process : wanted) {
        std::ranges::sort(of_process);
        of_process.erase(std::unique(of_process.begin(), of_process.end()), of_process.end());
    }
    return wanted;
}

}  // namespace

KeptCall keep(const Procedure& procedure, const RecordedCall& call, std::uint64_t multiplicity) {
    KeptCall kept;
    kept.call = call;
    kept.call.before = {};
    kept.call.after = {};
    kept.before = copy(procedure, call.before);
    kept.after = copy(procedure, call.after);
    kept.multiplicity = multiplicity;
    return kept;
}

struct ProfiledRecording::Numbers {
    explicit Numbers(const model::Execution& execution)
        : procedures(execution.procedures.size()), passes(execution.stacks.size()) {}

    void add(const RecordedCall& call) {
        ProcedureUse& use = procedures[call.procedure.index()];
        ++use.calls;
        if (call.leave_event) use.ns += call.leave_ns - call.enter_ns;
        multiplicity = passes.add(call);
        last = call;
    }

    std::vector<ProcedureUse> procedures;
    Passes passes;
    RecordedCall last;               ///< its spans are not to be used
    std::uint64_t multiplicity = 0;  ///< of the last one; 0: there is none
};

class ProfiledRecording::Stream : public model::CallStream {
public:
    /// `count`: null if it is not this stream that counts.
    Stream(std::unique_ptr<model::CallStream> stream,
           const model::Execution& execution,
           Count* count)
        : stream_(std::move(stream)), count_(count) {
        if (count_ != nullptr) numbers_ = std::make_unique<Numbers>(execution);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() override {
        if (count_ != nullptr) count_->taken = false;
    }

    bool next(RecordedCall& call) override {
        const bool there = stream_->next(call);
        if (count_ == nullptr) return there;
        if (there) {
            numbers_->add(call);
        } else {
            count_->numbers = std::move(numbers_);
            count_ = nullptr;
        }
        return there;
    }

private:
    std::unique_ptr<model::CallStream> stream_;
    Count* count_;
    std::unique_ptr<Numbers> numbers_;
};

ProfiledRecording::ProfiledRecording(const model::Recording& recording)
    : recording_(recording), counts_(recording.execution().processes.size()) {}

ProfiledRecording::~ProfiledRecording() = default;

std::unique_ptr<model::CallStream> ProfiledRecording::calls(ProcessId process) const {
    Count& count = counts_[process.index()];
    auto stream = recording_.calls(process);
    if (count.taken.exchange(true)) return stream;
    return std::make_unique<Stream>(std::move(stream), execution(), &count);
}

void ProfiledRecording::count_missing() const {
    for_each_process(counts_.size(), [&](ProcessId process) {
        if (counts_[process.index()].numbers != nullptr) return;
        const auto stream = calls(process);
        RecordedCall call;
        while (stream->next(call)) {
        }
    });
}

RunProfile ProfiledRecording::profile(const Findings& findings) const {
    count_missing();
    RunProfile result;
    const std::vector<CallKind> kinds = classify_procedures(execution());
    for (const Count& count : counts_) {
        const Numbers& numbers = *count.numbers;
        ProcessProfile& process = result.processes.emplace_back();
        process.procedures = numbers.procedures;
        for (std::size_t at = 0; at < kinds.size(); ++at) {
            const std::uint64_t calls = numbers.procedures[at].calls;
            const Weight weight = weight_of(kinds[at]);
            process.calls += calls;
            process.sends += calls * weight.sends;
            process.receives += calls * weight.receives;
            process.collectives += calls * weight.collectives;
        }
        if (numbers.multiplicity == 0) continue;
        process.last = KeptCall{numbers.last, {}, {}, numbers.multiplicity};
        process.last->call.before = {};
        process.last->call.after = {};
    }
    const std::vector<Wanted> wanted = calls_of(findings, counts_.size());
    std::vector<std::vector<KeptCall>> involved(counts_.size());
    for_each_process(counts_.size(), [&](ProcessId process) {
        involved[process.index()] = find_calls(recording_, process, wanted[process.index()]);
    });
    for (std::vector<KeptCall>& of_process : involved) {
        for (KeptCall& kept : of_process) {
            const auto key = std::tuple(kept.call.process, kept.call.thread, kept.call.event);
            result.involved.emplace(key, std::move(kept));
        }
    }
    return result;
}

}  // namespace mqinspect::analysis
