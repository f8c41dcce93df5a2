/// What almost ended a wait: the message with the wrong tag, the member that is in
/// another collective operation.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/job_index.h"
#include "analysis/matching.h"
#include "analysis/waits.h"

namespace mqinspect::analysis {

/// Looks at a bounded number of candidates for each wait, so that a rank with
/// 100,000 unexpected messages costs no more than others.
class NearMisses {
public:
    /// Keeps references.
    NearMisses(const JobIndex& index, const Matching& matching, const Waits& waits)
        : index_(index), matching_(matching), waits_(waits) {}

    /// One line each, the first few; for a clause that is not released.
    std::vector<std::string> find(Node node, const Clause& clause);

private:
    using Lines = std::vector<std::string>;

    void receives(Node node, const Clause& clause, Lines& lines) const;
    void candidate_message(const model::Operation& message,
                           const ReceiveEnvelope& wanted,
                           const Clause& clause,
                           Lines& lines) const;
    void sends(Node node, const Clause& clause, Lines& lines) const;
    void collective(const Clause& clause, Lines& lines);
    void roots(Node node, const Clause& clause, Lines& lines) const;
    void schedule(const Clause& clause, Lines& lines) const;
    Lines absent_members(const Clause& clause) const;

    const JobIndex& index_;
    const Matching& matching_;
    const Waits& waits_;
    std::map<std::uint32_t, Lines> by_set_;
};

}  // namespace mqinspect::analysis
