/// Which functions and calls of a unit can matter to the rest of a program.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::notes {

class Relevance {
public:
    explicit Relevance(const Unit& unit);

    /// It has MPI, OpenMP, locks or threads in it, or may reach such by what it calls.
    bool matters(FunctionId function) const { return matters_[function]; }
    /// Of Call: that what is called, or called back, may. True for all others but Join.
    bool matters(const Step& step) const;
    /// Of the function with the symbol, here or elsewhere.
    bool symbol_matters(StringId symbol) const;
    /// Of Call: what is called may take or release locks, wait, start threads or tasks, or
    /// initialize MPI, so that it counts what comes before it and what behind.
    bool orders(const Step& step) const;
    /// Other units may have what initializes MPI for all that comes behind.
    bool orders(const Function& function) const;

private:
    bool orders_by_itself(const Function& function) const;
    bool initializes(const Step& step) const;
    bool matters_by_itself(const Function& function) const;

    const Unit& unit_;
    std::unordered_map<StringId, FunctionId> functions_;  // that a call of the symbol reaches
    std::vector<bool> matters_;
    std::vector<bool> orders_;
};

}  // namespace mqinspect::thread_level::notes
