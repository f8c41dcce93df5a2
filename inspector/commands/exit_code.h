/// What every subcommand of mqinspect hands back to the shell.
#pragma once

namespace mqinspect::commands {

enum class ExitCode : int {
    NothingFound = 0,
    Findings = 1,  ///< a deadlock, an error, a rejected place
    CannotDo = 2,  ///< one line on stderr: what, which rank, what to do
    Partial = 3,   ///< something was unreadable, and no finding can be excluded
};

}  // namespace mqinspect::commands
