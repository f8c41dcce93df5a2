/// The commands of the shell: the one place that `help`, completion, the manual page's
/// check and the dispatch know them from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mqinspect::shell {

enum class CommandId {
    Comms,
    Continue,
    Deadlock,
    Detach,
    Diff,
    Gdb,
    Help,
    Interrupt,
    Kill,
    Print,
    Queues,
    Quit,
    Ranks,
    Refresh,
    Report,
    Save,
    Stack,
    Waits,
    Watch,
    Where,
    Why,
};

/// What may stand behind a command, for completion.
enum class Completes { Nothing, Commands, Communicators, Files, Formats, QueueFilter, Ranks };

struct Command {
    CommandId id;
    std::string_view name;
    std::string_view arguments;  ///< "RANK", "[SECONDS]"; may be empty
    std::string_view summary;    ///< less than a line
    std::string_view text;       ///< what `help NAME` adds
    bool needs_job = false;      ///< refused where there is only a snapshot
    Completes completes = Completes::Nothing;
};

/// In the order in which `help` lists them.
std::span<const Command> commands();

/// By name or by an abbreviation that fits no other command. InvalidArgument: there is
/// none, or several.
Result<const Command*> find_command(std::string_view word);

}  // namespace mqinspect::shell
