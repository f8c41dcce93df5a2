/// The shell on a terminal: readline, its history, and Ctrl-C. The only user of readline.
#pragma once

#include <functional>

#include "inspector/shell/shell.h"

namespace mqinspect::shell {

/// Where and how the shell is shown.
struct TerminalOptions {
    bool color = false;
    std::function<int()> width;  ///< columns
};

/// How a shell sees a person, who types on standard input.
Surface terminal_surface(const TerminalOptions& options);

/// How a shell sees a script: nobody is asked, and every question is answered yes.
Surface script_surface(const TerminalOptions& options);

/// Reads lines and carries them out until `quit` or the end of input. Ctrl-C ends what
/// takes long and holds the job, never the shell; a signal to end is the end of input.
/// One at a time in a process.
void run_on_terminal(Shell& shell);

}  // namespace mqinspect::shell
