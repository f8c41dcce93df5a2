#include "inspector/shell/command_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

constexpr Command kCommands[] = {
    {CommandId::Ranks,
     "ranks",
     "[RANKS] [STATE]",
     "where each rank is",
     "RANKS is such as 0-3,7; STATE is blocked, running, exited or unreadable.",
     false,
     Completes::Ranks},
    {CommandId::Waits, "waits", "[RANKS]", "who waits for whom", "", false, Completes::Ranks},
    {CommandId::Deadlock,
     "deadlock",
     "",
     "the verdict, with the ranks that are stuck and why",
     "",
     false,
     Completes::Nothing},
    {CommandId::Why,
     "why",
     "RANK",
     "why a rank does not go on",
     "What it waits for, what those ranks do, and so on up to a rank that explains it.",
     false,
     Completes::Ranks},
    {CommandId::Where,
     "where",
     "[RANKS] [all]",
     "the stacks of all ranks, merged into a tree",
     "all: also what starts a program, and the frames inside the MPI library.",
     false,
     Completes::Ranks},
    {CommandId::Stack,
     "stack",
     "RANK [arguments|locals [all]]",
     "the stack of one rank",
     "arguments: with the arguments of each function, as they are now; locals: with its local "
     "variables, too. all: also inside of the MPI library.",
     false,
     Completes::Ranks},
    {CommandId::Print,
     "print",
     "RANK [#FRAME] EXPR",
     "the value of an expression in a frame of a rank",
     "Without a frame, such as #3, in the innermost one of the user's code. EXPR is as in the "
     "language of the program: x[2].next->size, *p@4, a(1,2:5).",
     true,
     Completes::Ranks},
    {CommandId::Queues,
     "queues",
     "[FILTER...] [local] [all]",
     "pending operations",
     "Each FILTER leaves some out:\n"
     "  comm NAME       on this communicator\n"
     "  rank RANKS      of these ranks, such as 0-3,7\n"
     "  tag N           with this tag, or a wildcard that takes it; any: wildcards only\n"
     "  queue KIND      posted, unexpected, send or collective\n"
     "  size [<>]N[kMG] of so many bytes, of less or of more\n"
     "  state STATE     pending, matched or complete\n"
     "local: ranks are those in the communicator, not in MPI_COMM_WORLD; RANKS too.\n"
     "all: nothing is folded, and the MPI library's own operations are shown too.",
     false,
     Completes::QueueFilter},
    {CommandId::Comms,
     "comms",
     "[NAME]",
     "communicators and their groups",
     "With a name: the place of each rank in it.",
     false,
     Completes::Communicators},
    {CommandId::Report,
     "report",
     "[FORMAT]",
     "the whole report again, or in another format",
     "",
     false,
     Completes::Formats},
    {CommandId::Save,
     "save",
     "FILE",
     "save this snapshot for \"mqinspect show FILE\"",
     "",
     false,
     Completes::Files},
    {CommandId::Refresh, "refresh", "", "look at the job again", "", true, Completes::Nothing},
    {CommandId::Diff,
     "diff",
     "[FILE]",
     "look again, and say what has moved since",
     "Ranks that are elsewhere, operations that have appeared (+) or vanished (-).\n"
     "With the FILE of a saved snapshot, what is different here and now; nothing is looked at "
     "again.",
     false,
     Completes::Files},
    {CommandId::Watch,
     "watch",
     "[SECONDS]",
     "look again and again until the verdict changes",
     "Every two seconds unless said otherwise. Ctrl-C ends it.",
     true,
     Completes::Nothing},
    {CommandId::Interrupt,
     "interrupt",
     "",
     "stop all ranks",
     "Ctrl-C does the same. What is stuck only since then is \"suspected\": ranks that stand "
     "still prove nothing.",
     true,
     Completes::Nothing},
    {CommandId::Continue, "continue", "", "let the ranks run again", "", true, Completes::Nothing},
    {CommandId::Detach,
     "detach",
     "",
     "let go of the job; the last snapshot stays",
     "",
     true,
     Completes::Nothing},
    {CommandId::Gdb,
     "gdb",
     "RANK",
     "start gdb on a rank",
     "The job is let go of before. The shell goes on when gdb ends.",
     true,
     Completes::Ranks},
    {CommandId::Kill,
     "kill",
     "",
     "end the job, after a question",
     "The launcher is asked to; what is left after five seconds is killed.",
     true,
     Completes::Nothing},
    {CommandId::Help,
     "help",
     "[COMMAND]",
     "this list, or one command",
     "",
     false,
     Completes::Commands},
    {CommandId::Quit,
     "quit",
     "",
     "let go of the job and leave",
     "Ctrl-D does the same.",
     false,
     Completes::Nothing},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

Result<const Command*> find_command(std::string_view word) {
    std::vector<const Command*> fitting;
    for (const Command& command : kCommands) {
        if (command.name == word) return &command;
        if (command.name.starts_with(word)) fitting.push_back(&command);
    }
    if (fitting.size() == 1) return fitting.front();
    const std::string shown = report::printable(word);
    if (fitting.empty()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("no command \"{}\"; \"help\" lists them", shown)};
    }
    std::string names;
    for (const Command* command : fitting)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", command->name);
    return Error{ErrorCode::InvalidArgument, fmt::format("\"{}\" may be {}", shown, names)};
}

}  // namespace mqinspect::shell
