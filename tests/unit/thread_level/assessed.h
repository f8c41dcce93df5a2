/// The assessment of a small program, in the terms of its labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/thread_level/mini_program.h"

#include "thread_level/analysis/assessment.h"

namespace mqinspect::thread_level::test {

class Assessed {
public:
    explicit Assessed(std::string_view text, const Settings& settings = {});

    const Site& site(const std::string& label) const;
    /// "SINGLE" to "MULTIPLE".
    std::string level(const std::string& label) const;
    /// The automaton's states as digits: "03".
    std::string states(const std::string& label) const;
    /// "error concurrent-collectives a b", one each.
    std::vector<std::string> findings() const;
    /// Without notes.
    std::vector<std::string> complaints() const;
    bool has(Rule rule, Severity severity) const;
    const Diagnostic* find(Rule rule) const;
    const Assessment& all() const { return assessment_; }
    const MiniProgram& program() const { return program_; }

private:
    std::string line_of(const Diagnostic& diagnostic) const;

    MiniProgram program_;
    Assessment assessment_;
};

/// "LINE: MESSAGE" each.
std::vector<std::string> remarks_of(const Diagnostic& diagnostic);

/// Of a program whose `main` requests `level` and executes `body`; complaints only.
std::vector<std::string> complaints(const std::string& level, const std::string& body);

}  // namespace mqinspect::thread_level::test
