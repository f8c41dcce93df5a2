/// What a helper process tells of a scenario: lines through a pipe.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inspector/conformance/recording.h"
#include "inspector/conformance/rules.h"

namespace mqinspect::conformance {

struct Violation {
    Rule rule{};
    std::string function;  ///< of the DLL; empty: none in particular
    std::string text;
    int times = 1;
};

/// Figures of a scenario.
enum class Figure { Communicators, Operations, Reads, PeakBytes, Level, Count };

struct Findings {
    std::vector<Violation> violations;
    Questions questions;
    std::vector<std::string> unrecorded;  ///< questions that the recording does not hold
    std::string not_applicable;           ///< why; empty: it is
    std::map<Figure, long> figures;
    bool done = false;  ///< the helper came to its end
};

/// The helper's side. Every line is written at once: the next call may crash.
class Journal {
public:
    explicit Journal(int fd) : fd_(fd) {}

    /// The first of a rule and function is told with its text, the others are counted.
    void violation(Rule rule, std::string_view function, const std::string& text);
    void asked_symbol(std::size_t image, const std::string& name);
    void asked_type(std::size_t image, const std::string& name);
    void asked_memory(std::size_t process, std::uint64_t address, std::size_t size);
    void unrecorded(const std::string& what);
    void not_applicable(const std::string& why);
    void figure(Figure figure, long value);
    void done();

private:
    void write_line(const std::string& line) const;

    int fd_;
    std::map<std::pair<Rule, std::string>, int> told_;
    Questions questions_;
    std::set<std::string> unrecorded_;
};

/// The parent's side. A damaged helper may say anything: a line that is not understood is
/// left out, and so are images and processes that do not exist.
Findings read_journal(const std::string& text, std::size_t images, std::size_t processes);

}  // namespace mqinspect::conformance
