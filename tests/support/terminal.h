/// A command on a terminal of its own, driven as a person drives it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "tests/support/child_process.h"

namespace mqinspect::testing {

/// The terminal has 40 lines of 120 columns. The destructor kills the command.
class Terminal {
public:
    /// In a session whose terminal this is.
    explicit Terminal(const Command& command);
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal();

    pid_t pid() const { return pid_; }

    /// Types; "\r" is the return key, "\x03" Ctrl-C, "\x04" Ctrl-D, "\t" the tab key.
    void type(std::string_view keys);

    /// Reads until `text` appears behind what was expected before. False: it does not,
    /// within the time.
    bool expect(std::string_view text, milliseconds limit = std::chrono::seconds(20));

    /// All that was seen, without the escape sequences of colours and of line editing.
    const std::string& seen() const { return seen_; }
    /// The part of it from the one expected text to the next: what the last one came with.
    const std::string& last() const { return last_; }

    /// Reads on until the command ends; empty: it does not, within the time.
    std::optional<ExitStatus> wait_for_exit(milliseconds limit = std::chrono::seconds(20));

private:
    /// False: nothing came within the time, or nothing will.
    bool read_some(milliseconds limit);

    UniqueFd keyboard_;
    pid_t pid_ = -1;
    std::string raw_;  ///< the beginning of an escape sequence
    std::string seen_;
    std::string last_;
    std::size_t expected_ = 0;  ///< bytes of seen_ that were expected
    std::optional<ExitStatus> status_;
};

}  // namespace mqinspect::testing
