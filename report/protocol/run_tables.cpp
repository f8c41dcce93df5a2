// Tables of the run that are about no error: calls, definitions, the environment.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/protocol/clock_text.h"
#include "report/protocol/parts.h"
#include "report/text_table.h"
#include "report/utf8.h"

namespace mqinspect::report::protocol {
namespace {

template <class Number>
std::string text_of(Number number) {
    return fmt::format("{}", number);
}

std::string seconds_text(std::int64_t ns) {
    return fmt::format("{:.6f}", static_cast<double>(ns) / 1e9);
}

std::string contents_of(const model::Execution& execution, const model::RecordedDatatype& type) {
    std::string text = fmt::format("{}", fmt::join(type.integers, ","));
    if (!type.addresses.empty()) text += fmt::format("; {}", fmt::join(type.addresses, ","));
    for (const model::DatatypeId inner : type.types) {
        text += "; ";
        if (inner.value < 0 || inner.index() >= execution.datatypes.size()) {
            text += "?";
            continue;
        }
        const model::RecordedDatatype& named = execution.datatypes[inner.index()];
        text += named.name.empty() ? fmt::format("{}", inner.value) : named.name;
    }
    constexpr std::size_t most = 120;
    return text.size() > most ? text.substr(0, most) + "..." : text;
}

}  // namespace

std::string calls_of_functions(const CheckedRun& run) {
    TextTable table({"function", "calls", "seconds", "Nproc"});
    TextTable by_process({"Proc", "function", "calls", "seconds"});
    for (std::size_t at = 0; at < run.execution.procedures.size(); ++at) {
        analysis::ProcedureUse sum;
        std::uint64_t processes = 0;
        for (const analysis::ProcessProfile& process : run.profile.processes) {
            const analysis::ProcedureUse& use = process.procedures[at];
            sum.calls += use.calls;
            sum.ns += use.ns;
            processes += use.calls == 0 ? 0 : 1;
        }
        if (sum.calls == 0) continue;
        table.add({run.execution.procedures[at].name,
                   text_of(sum.calls),
                   seconds_text(sum.ns),
                   text_of(processes)});
    }
    for (std::size_t process = 0; process < run.profile.processes.size(); ++process) {
        const auto& procedures = run.profile.processes[process].procedures;
        for (std::size_t at = 0; at < procedures.size(); ++at) {
            if (procedures[at].calls == 0) continue;
            by_process.add({text_of(process),
                            run.execution.procedures[at].name,
                            text_of(procedures[at].calls),
                            seconds_text(procedures[at].ns)});
        }
    }
    return heading("Calls of MPI functions") + table.print() +
           heading("Calls of MPI functions by process") + by_process.print();
}

std::string communicators(const CheckedRun& run) {
    TextTable table({"comm", "name", "made by", "proc number", "tripl number", "members"});
    for (const model::RecordedCommunicator& communicator : run.execution.communicators) {
        const std::vector<std::string> local = triplets(communicator.members);
        const std::vector<std::string> remote = triplets(communicator.remote_members);
        std::string members = fmt::format("{}", fmt::join(local, "; "));
        if (communicator.inter) members += fmt::format(" | {}", fmt::join(remote, "; "));
        table.add({text_of(communicator.id.index()),
                   communicator.name,
                   communicator.constructor,
                   text_of(communicator.members.size() + communicator.remote_members.size()),
                   text_of(local.size() + remote.size()),
                   members});
    }
    return heading("Communicators") + table.print();
}

std::string datatypes(const CheckedRun& run) {
    TextTable table({"dtcode", "name", "made by", "size", "extent", "of"});
    for (const model::RecordedDatatype& datatype : run.execution.datatypes) {
        table.add({text_of(datatype.id.index()),
                   datatype.name,
                   datatype.combiner,
                   text_of(datatype.size),
                   text_of(datatype.extent),
                   contents_of(run.execution, datatype)});
    }
    return heading("Datatypes") + table.print();
}

std::string source_references(const CheckedRun& run) {
    TextTable table({"src", "stack, outermost first"});
    for (std::size_t at = 0; at < run.stacks.size(); ++at) {
        if (run.stacks[at].frames.empty()) continue;
        const model::StackId stack(static_cast<int>(at));
        const std::string places = stack_text(run, stack);
        table.add({text_of(at), places.empty() ? place_text(run, stack) : places});
    }
    return heading("Source references") + table.print();
}

std::string environment(const CheckedRun& run) {
    TextTable table({"Proc", "host", "pid", "program", "thread level", "MPI library"});
    for (const model::RecordedProcess& process : run.execution.processes) {
        table.add({text_of(process.id.index()),
                   process.host,
                   text_of(process.pid),
                   process.executable,
                   process.thread_provided,
                   library_text(process)});
    }
    return heading("Environment") + table.print();
}

std::string constants(const CheckedRun& run) {
    TextTable table({"name", "value"});
    for (const auto& [name, value] : run.execution.constants)
        table.add({name, text_of(value)});
    return heading("Values of MPI constants") + table.print();
}

std::string user_data(const CheckedRun& run) {
    TextTable table({"Proc", "event", "time", "data", "address", "bytes", "sum", "src"});
    for (const model::RecordedEvent& event : run.execution.events) {
        if (event.kind != model::EventKind::UserData) continue;
        const auto number = [&](std::size_t at) {
            return at < event.numbers.size() ? event.numbers[at] : 0;
        };
        table.add({text_of(event.process.value),
                   text_of(event.event),
                   clock_text(event.time_ns),
                   event.text,
                   fmt::format("{:#x}", static_cast<std::uint64_t>(number(0))),
                   text_of(number(1)),
                   fmt::format("{:#x}", static_cast<std::uint64_t>(number(2))),
                   event.stack ? place_text(run, *event.stack) : "?"});
    }
    return table.empty() ? "" : heading("Trace of user data") + table.print();
}

std::string stage_times(const CheckedRun& run) {
    TextTable table({"stage", "seconds"});
    for (const StageTime& stage : run.stages)
        table.add({stage.name, fmt::format("{:.3f}", stage.seconds)});
    return heading("Times of the stages") + table.print();
}

}  // namespace mqinspect::report::protocol
