/// What functions get as arguments and call: of those that are called by pointers, too, so that no
/// call alone says what that is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// Refers to what it is made of.
class HandedParameters {
public:
    using ByParameter = std::pair<FunctionId, StepId>;
    /// Adds the call to the program, as one of any function of the type. Returns the edges.
    using AddByType = std::function<std::span<const OpenEdge>(FunctionId, StepId)>;

    /// `is_open`: other units may call functions of this one.
    HandedParameters(const Unit& unit, const std::vector<FunctionId>& by_symbol, bool is_open)
        : unit_(unit), by_symbol_(by_symbol), is_open_(is_open) {}

    /// `edges`: of all other calls. `calls`: steps that call what their function gets there.
    void find(std::span<const OpenEdge> edges,
              std::span<const ByParameter> calls,
              const AddByType& add_by_type);

    /// What the step of `calls` calls: all that the calls of its function hand over. nullptr: that
    /// is not known, and the call has been added by its type.
    const std::vector<FunctionId>* called_by(const ByParameter& call) const;

private:
    using Parameter = std::pair<FunctionId, std::int64_t>;
    struct Handed {
        std::vector<FunctionId> functions;
        bool is_other = false;  // or something that is not known
    };

    Parameter parameter(const ByParameter& call) const;
    void note(std::span<const OpenEdge> edges);
    bool gather(const Parameter& parameter, Handed& handed);
    bool may_be_called_elsewhere(FunctionId function) const;
    bool add_from(const OpenEdge& caller, const Parameter& parameter, Handed& handed);
    bool follow(const ByParameter& call, std::size_t& followed);

    const Unit& unit_;
    const std::vector<FunctionId>& by_symbol_;
    bool is_open_ = false;
    bool are_all_known_ = false;  // whoever has no caller now will have none
    bool is_new_ = false;         // there is a parameter more
    std::unordered_map<Node, std::vector<OpenEdge>> callers_;  // by what is called
    std::map<Parameter, Handed> handed_;
};

}  // namespace mqinspect::thread_level
