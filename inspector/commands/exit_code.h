/// What every subcommand of mqinspect hands back to the shell.
#pragma once

namespace mqinspect::commands {

enum ExitCode : int {
    kNothingFound = 0,
    kFindings = 1,  ///< a deadlock, an error, a rejected place
    kCannotDo = 2,  ///< one line on stderr: what, which rank, what to do
    kPartial = 3,   ///< something was unreadable, and no finding can be excluded
};

}  // namespace mqinspect::commands
