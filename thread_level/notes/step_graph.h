/// The steps of one function as a graph that is made smaller.
#pragma once

#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::notes {

class StepGraph {
public:
    explicit StepGraph(std::vector<Step> steps);

    /// Takes out Join steps as long as that adds no edges.
    void contract();
    /// One step for all that are alike but for their places and successors. Each path remains, so
    /// that what may happen, may still. Only where the order of the steps means nothing.
    void merge_alike();
    /// Every step between two visits of one Join, if that saves edges. As merge_alike().
    void gather_around_hub();
    /// What is left, as the steps were numbered, in an order where most are followed by their
    /// successor; the first one is where it starts.
    std::vector<StepId> order() const;
    /// In that order, or another one of the same steps.
    std::vector<Step> steps(const std::vector<StepId>& order) const;
    std::vector<Step> steps() const { return steps(order()); }

private:
    void remove(StepId step);
    void connect(StepId from, StepId to);
    void disconnect(StepId from, StepId to);
    void drop_unreachable();

    std::vector<Step> steps_;
    std::vector<std::vector<StepId>> before_;
    std::vector<bool> is_gone_;
    StepId start_ = 0;
};

}  // namespace mqinspect::thread_level::notes
