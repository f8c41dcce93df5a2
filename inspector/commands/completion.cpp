#include "inspector/commands/completion.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"

namespace mqinspect::commands {

namespace {

/// What may stand in place of a value.
enum class Kind { Nothing, Words, File, Pid, PidOrFile, Command };

struct Argument {
    std::vector<std::string> names;  ///< with their dashes; empty: it has a place instead
    std::string description;
    bool has_value = false;
    Kind kind = Kind::Nothing;
    std::vector<std::string> words;  ///< of Kind::Words
};

struct Subcommand {
    std::string name;
    std::string description;
    std::vector<Argument> arguments;
};

/// The words of a type that CLI11 describes as "TEXT:{text,json}"; empty: it is another.
std::vector<std::string> words_of(std::string_view type) {
    const auto open = type.find('{');
    const auto close = type.find('}');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return {};
    std::string_view list = type.substr(open + 1, close - open - 1);
    std::vector<std::string> words;
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(','));
        words.emplace_back(word);
        list.remove_prefix(std::min(word.size() + 1, list.size()));
    }
    return words;
}

Kind kind_of(const CLI::Option& option) {
    const std::string place = option.nonpositional() ? "" : option.get_name();
    if (place == "PID") return Kind::Pid;
    if (place == "SUBJECT") return Kind::PidOrFile;
    if (place == "COMMAND") return Kind::Command;
    const std::string type = option.get_type_name();
    const bool number =
        type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
    if (!words_of(type).empty()) return Kind::Words;
    return number ? Kind::Nothing : Kind::File;
}

Argument argument_of(const CLI::Option& option) {
    Argument argument;
    for (const std::string& name : option.get_snames())
        argument.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        argument.names.push_back("--" + name);
    argument.description = option.get_description();
    argument.has_value = option.get_items_expected_max() > 0;
    if (!argument.has_value) return argument;
    argument.kind = kind_of(option);
    argument.words = words_of(option.get_type_name());
    return argument;
}

std::vector<Subcommand> subcommands_of(const CLI::App& app) {
    std::vector<Subcommand> all;
    for (const CLI::App* command : app.get_subcommands({})) {
        // Hidden: not for users.
        if (command->get_group().empty()) continue;
        Subcommand subcommand{command->get_name(), command->get_description(), {}};
        for (const CLI::Option* option : command->get_options({}))
            subcommand.arguments.push_back(argument_of(*option));
        all.push_back(std::move(subcommand));
    }
    return all;
}

constexpr std::string_view kPids = "pgrep '^(mpiexec|mpirun|orterun|prterun|srun)' 2>/dev/null";

std::string bash_reply(const Argument& argument) {
    constexpr std::string_view files =
        "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))";
    auto pids = fmt::format("COMPREPLY=($(compgen -W \"$({})\" -- \"$current\"))", kPids);
    switch (argument.kind) {
        case Kind::Nothing:
            return "COMPREPLY=()";
        case Kind::Words:
            return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))",
                               fmt::join(argument.words, " "));
        case Kind::Command:
        case Kind::File:
            return std::string(files);
        case Kind::Pid:
            return pids;
        case Kind::PidOrFile:
            return fmt::format("{0}; [ ${{#COMPREPLY[@]}} != 0 ] || {{ {1}; }}", pids, files);
    }
    return {};
}

/// "attach/-o|attach/--output": what the case statement on command and option matches.
std::string bash_pattern(const Subcommand& command, const Argument& argument) {
    std::string pattern;
    for (const std::string& name : argument.names) {
        pattern += fmt::format("{}{}/{}", pattern.empty() ? "" : "|", command.name, name);
    }
    return pattern;
}

/// A text between single quotes of the shell, for a place where zsh gives ':' and
/// brackets a meaning.
std::string zsh_text(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\'') {
            safe += "'\\''";
        } else if (c == ':' || c == '[' || c == ']' || c == '\\') {
            safe += '\\';
            safe += c;
        } else {
            safe += c;
        }
    }
    return safe;
}

std::string zsh_action(const Argument& argument) {
    switch (argument.kind) {
        case Kind::Nothing:
            return ":value: ";
        case Kind::Words:
            return fmt::format(":value:({})", fmt::join(argument.words, " "));
        case Kind::File:
            return ":file:_files";
        case Kind::Pid:
            return fmt::format(":pid:($({}))", "_mqinspect_pids");
        case Kind::PidOrFile:
            return ":pid or program:{_alternative \"pids:pid:($(_mqinspect_pids))\" "
                   "\"files:program:_files\"}";
        case Kind::Command:
            return ":command:_normal";
    }
    return {};
}

std::string zsh_argument(const Argument& argument) {
    const std::string action = argument.has_value ? zsh_action(argument) : "";
    if (argument.names.empty()) {
        const char* place = argument.kind == Kind::Command ? "*:" : "*";
        return fmt::format("'{}{}'", place, action);
    }
    const std::string text = zsh_text(argument.description);
    const bool one = argument.names.size() == 1;
    const std::string names =
        one ? "'" + argument.names.front() : fmt::format("{{{}}}'", fmt::join(argument.names, ","));
    return fmt::format("{}[{}]{}'", names, text, action);
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    std::string values;
    std::string places;
    std::string commands;
    for (const Subcommand& command : subcommands_of(app)) {
        commands += command.name + " ";
        std::string options;
        std::string place = "COMPREPLY=()";
        for (const Argument& argument : command.arguments) {
            if (argument.names.empty()) place = bash_reply(argument);
            for (const std::string& name : argument.names)
                options += name + " ";
            if (argument.names.empty() || !argument.has_value) continue;
            values += fmt::format("        {})\n            {}; return ;;\n",
                                  bash_pattern(command, argument),
                                  bash_reply(argument));
        }
        places += fmt::format(
            "        {0}/-*)\n            COMPREPLY=($(compgen -W '{1}' -- \"$current\")) ;;\n"
            "        {0}/*)\n            {2} ;;\n",
            command.name,
            options,
            place);
    }
    return fmt::format(R"(# Completion of mqinspect for bash: 'mqinspect completion bash' prints it.
_mqinspect() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${{COMP_WORDS[i]}} in
            --) COMPREPLY=($(compgen -c -- "$current")); return ;;
            -*) ;;
            *) [ -n "$command" ] || command=${{COMP_WORDS[i]}} ;;
        esac
    done
    COMPREPLY=()
    case $command/$previous in
{}    esac
    case $command/$current in
        /*)
            COMPREPLY=($(compgen -W '{}--help --version' -- "$current")) ;;
{}    esac
}}
complete -F _mqinspect mqinspect
)",
                       values,
                       commands,
                       places);
}

std::string zsh_completion(const CLI::App& app) {
    std::string commands;
    std::string cases;
    for (const Subcommand& command : subcommands_of(app)) {
        commands += fmt::format(" {}\\:\"{}\"", command.name, zsh_text(command.description));
        cases += fmt::format("        {})\n            _arguments -s", command.name);
        for (const Argument& argument : command.arguments)
            cases += " \\\n                " + zsh_argument(argument);
        cases += " ;;\n";
    }
    return fmt::format(R"(#compdef mqinspect
# Completion of mqinspect for zsh: 'mqinspect completion zsh' prints it.
_mqinspect_pids() {{
    {}
}}
_mqinspect() {{
    local context state state_descr line
    typeset -A opt_args
    _arguments -C '(- *)--help[show help]' '(- *)--version[show the version]' \
        '1:command:(({}))' '*::argument:->argument'
    [[ $state == argument ]] || return
    case $words[1] in
{}    esac
}}
_mqinspect "$@"
)",
                       kPids,
                       commands,
                       cases);
}

void add_completion(CLI::App& app, int& exit_code) {
    auto shell = std::make_shared<std::string>();
    auto output = std::make_shared<OutputOptions>();
    CLI::App* command =
        app.add_subcommand("completion", "Print what bash or zsh needs to complete command lines");
    command->add_option("SHELL", *shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    command->add_option("-o,--output", output->file, "write to this file");
    command->callback([shell, output, &app, &exit_code] {
        const auto text = *shell == "bash" ? bash_completion(app) : zsh_completion(app);
        const auto result = write_report(text, *output);
        if (!result) complain(result.error());
        exit_code = static_cast<int>(result ? ExitCode::NothingFound : ExitCode::CannotDo);
    });
}

}  // namespace mqinspect::commands
