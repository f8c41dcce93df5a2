#!/usr/bin/env python3
"""Generates the wrappers of the MPI procedures that a given mpi.h declares.

Usage: generate.py PROCEDURES HEADER OUTPUT
  PROCEDURES  procedures.txt, which says what each parameter means
  HEADER      mpi.h after the preprocessor, with its macros (gcc -E -dD)
  OUTPUT      a folder; gets weak.h, pmpi_table.h, pmpi_table.cpp, procedures.h, procedures.cpp,
              constants.cpp, profiling.cpp and wrappers_N.cpp
"""

import re
import sys
from pathlib import Path

from buffers_in_use import waiting_buffers
from generated_files import END, IN_NAMESPACE, write
from predefined_constants import write_constants
from semantics import (
    HAND_WRITTEN,
    LOOKS,
    after_call,
    before_call,
    before_transfer,
    communicator_looked_up,
    extra_values,
    output,
    sent_or_received,
    waits_for_transfers,
)

PARTS = 4
# What programs call all the time, if they do.
HOT = {
    f"MPI_{name}"
    for name in """Send Isend Recv Irecv Sendrecv Iprobe Improbe Mrecv Imrecv Bcast Barrier Reduce Allreduce
    Put Get Accumulate Fetch_and_op Win_flush Win_lock Win_unlock""".split()
}
SPECIAL_LENGTHS = {
    "peers": "values::peers(comm)",
    "group": "values::group_size(comm)",
    "at_root": "values::at_root(comm, root)",
    "sources": "values::sources(comm)",
    "destinations": "values::destinations(comm)",
    "dimensions": "values::dimensions(comm)",
    "indx.last": "values::last(indx, nnodes)",
    "degrees.sum": "values::sum(degrees, n)",
    "n*3": "3 * values::number(n)",
}
ID_OF = {
    "Communicator": "communicator_id",
    "Datatype": "datatype_id",
    "Operator": "operator_id",
    "Window": "window_id",
    "File": "file_id",
    "Message": "message_id",
}


class Parameter:
    def __init__(self, word):
        match = re.fullmatch(r"(\w+):(\w+):(In|Out|InOut)(?:\[(.+)\])?", word)
        if not match:
            raise SystemExit(f"procedures.txt: what is '{word}'?")
        self.name, self.kind, self.direction, self.length = match.groups()

    def own(self):
        return self.kind in ("Checksum", "ChecksumList", "GroupHandle", "DatatypeHandle")

    def is_list(self):
        return self.kind.endswith("List") or self.kind in ("Status", "Group")


class Procedure:
    def __init__(self, words):
        self.name = words[0]
        self.recorded = words[1:] != ["unrecorded"]
        self.parameters = [Parameter(word) for word in words[1:]] if self.recorded else []
        for thing in self.numbered():
            direction = "Out" if thing.direction == "Out" else "In"
            self.parameters.append(
                Parameter(f"{thing.name}_handle:{thing.kind}Handle:{direction}")
            )

    def numbered(self):
        """What of equal things is told apart by the library's own number."""
        made_or_freed = self.name == "MPI_Type_free" or any(
            p.kind == "Datatype" and p.direction == "Out" for p in self.parameters
        )
        return [
            p
            for p in self.parameters
            if p.kind == "Group"
            or (p.kind == "Datatype" and p.direction != "In" and made_or_freed)
        ]

    def inputs(self):
        return [p for p in self.parameters if p.direction != "Out"]

    def outputs(self):
        return [p for p in self.parameters if p.direction != "In"]

    def base(self):
        return self.name.removeprefix("MPI_").removesuffix("_c")


def read_procedures(path):
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return [Procedure(words) for words in lines if words and not words[0].startswith("#")]


def without_attributes(text):
    out, start = [], 0
    while (found := text.find("__attribute__", start)) >= 0:
        out.append(text[start:found])
        at, depth = text.index("(", found), 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        start = at
    return "".join(out) + text[start:]


class Prototype:
    """A declaration: what it returns, and (declaration, name) of each parameter."""

    def __init__(self, result, arguments):
        self.result = result
        self.variadic = "..." in arguments
        self.parameters = []
        if arguments != "void":
            for text in re.split(r",(?![^(]*\))", arguments):
                text = text.strip()
                match = re.fullmatch(r".*?\(\s*\*\s*(\w+)\s*\).*|.*?(\w+)\s*(?:\[[^\]]*\])*", text)
                if text != "...":
                    self.parameters.append((text, match.group(1) or match.group(2)))


def read_header(path):
    prototypes = {}
    pattern = r"\s*(?:extern\s+)?([A-Za-z_][\w \*]*?)\s*\b((?:MPI|MPIX)_\w+)\s*\((.*)\)\s*"
    text = without_attributes(re.sub(r"^#.*$", "", Path(path).read_text(), flags=re.MULTILINE))
    for declaration in re.split(r"[;{}]", text):
        match = re.fullmatch(pattern, declaration, re.DOTALL)
        if match and "typedef" not in match.group(1):
            prototypes[match.group(2)] = Prototype(
                match.group(1).strip(), " ".join(match.group(3).split())
            )
    return prototypes


def length_of(parameter, names):
    """The C++ expression for the length of a list, which may name its procedure's parameters."""
    length = parameter.length
    if length.startswith("*"):
        return f"values::pointed(valid, {length[1:]})"
    if length in SPECIAL_LENGTHS:
        communicator = next((n for n in ("comm", "comm_old", "local_comm") if n in names), "comm")
        return re.sub(r"\bcomm\b", communicator, SPECIAL_LENGTHS[length])
    return f"values::number({length})"


SENT = {"sendcounts", "sdispls", "sendtypes"}


def list_length(parameter, names):
    """The same, where some lists mean nothing."""
    length = length_of(parameter, names)
    if parameter.name in SENT and "sendbuf" in names:
        return f"(sendbuf == MPI_IN_PLACE ? 0 : {length})"
    return length


def list_value(parameter, names):
    length = list_length(parameter, names)
    if parameter.name == "array_of_errcodes":
        length = f"({parameter.name} == MPI_ERRCODES_IGNORE ? 0 : {length})"
    if parameter.direction == "Out":
        length = f"(valid ? {length} : 0)"
    if parameter.name in ("weights", "sourceweights", "destweights"):
        return f"values::weights(call, {parameter.name}, {length})"
    function = {"DatatypeList": "datatypes", "RequestList": "requests"}.get(
        parameter.kind, "numbers"
    )
    name = parameter.name
    if name == "ranges":
        name = "reinterpret_cast<const int*>(ranges)"
    return f"values::{function}(call, {name}, {length})"


def input_value(parameter, declaration, names):
    """The value at the entry. A declaration with '*' is a pointer to what is meant."""
    name, kind = parameter.name, parameter.kind
    if kind.endswith("List"):
        return list_value(parameter, names)
    if kind == "Status":
        return f"values::status(call, true, {name})"
    if kind == "Text":
        return f"values::text({name})"
    pointer = "*" in declaration and kind not in ("Buffer", "Address")
    if kind == "Request":
        return (
            f"({name} == nullptr ? model::kNullHandle : request_id(*{name}, {name}))"
            if pointer
            else f"request_id({name}, nullptr)"
        )
    if kind in ("Group", *ID_OF):
        function = ID_OF.get(kind, "values::group")
        if not pointer:
            return f"{function}({name})"
        if kind == "Group":
            return f"values::group_given(true, {name})"
        return f"values::given(true, {name}, {function})"
    if kind in ("Buffer", "Address"):
        return f"values::address({name})"
    if kind == "Other":
        return f"values::other_given(true, {name})" if pointer else f"values::other({name})"
    return f"values::pointed(true, {name})" if pointer else f"values::number({name})"


def output_value(parameter, names):
    name, kind = parameter.name, parameter.kind
    if kind == "Request" and parameter.direction == "Out":
        return "started"
    if kind.endswith("List"):
        return list_value(parameter, names)
    if kind == "Status":
        return f"values::status(call, valid, {name})"
    if kind == "Text":
        return f"values::text(valid, {name})"
    if kind == "Request":
        return f"values::request_given(valid, {name})"
    if kind == "Group":
        return f"values::group_given(valid, {name})"
    if kind in ID_OF:
        return f"values::given(valid, {name}, {ID_OF[kind]})"
    if kind == "Other":
        return f"values::other_given(valid, {name})"
    if name == "baseptr":
        return f"values::address(values::pointer_given(valid, {name}))"
    return f"values::pointed(valid, {name})"


def with_our_names(procedure, prototype):
    """Libraries name parameters differently: declarations with the names of procedures.txt."""
    ours = [parameter.name for parameter in procedure.parameters if not parameter.own()]
    if len(ours) != len(prototype.parameters):
        raise SystemExit(f"procedures.txt: {procedure.name} has other parameters")
    return {
        our: re.sub(rf"\b{theirs}\b(?!.*\b{theirs}\b)", our, text)
        for our, (text, theirs) in zip(ours, prototype.parameters)
    }


def library_numbers(procedure, declarations):
    """Expressions for the numbers of what is numbered()."""
    values = {}
    for thing in procedure.numbered():
        valid = "valid" if thing.direction == "Out" else "true"
        pointer = "*" in declarations[thing.name]
        values[f"{thing.name}_handle"] = (
            f"values::other_given({valid}, {thing.name})" if pointer else f"values::other({thing.name})"
        )
    return values


def waits_with(procedure, names):
    """The arguments that tell a debugger what a call waits for."""
    waits = output(procedure, "Request") is None
    return ", ".join(names) if waits else ""


def wrapper(procedure, prototype):
    declarations = with_our_names(procedure, prototype)
    names = list(declarations)
    own = {**extra_values(procedure), **library_numbers(procedure, declarations)}
    signature = ", ".join(declarations.values()) or "void"
    arguments = ", ".join(names)
    call = f"pmpi.{procedure.name.removeprefix('MPI_')}({arguments})"
    inputs = [
        own[p.name] if p.own() else input_value(p, declarations[p.name], names)
        for p in procedure.inputs()
    ]
    if looked_up := sent_or_received(procedure):
        known = f"values::datatype_known({looked_up}, type)"
        inputs = [known if value == f"datatype_id({looked_up})" else value for value in inputs]
    if looked_up := communicator_looked_up(procedure):
        known = f"values::communicator_known({looked_up}, where)"
        inputs = [known if value == f"communicator_id({looked_up})" else value for value in inputs]
    outputs = [own[p.name] if p.own() else output_value(p, names) for p in procedure.outputs()]
    lines = [
        f"MQT_EXPORT {'MQT_HOT ' if procedure.name in HOT else ''}int {procedure.name}({signature}) {{",
        "    Call call;",
        f"    if (!call.open(procedures::k{procedure.name}, MQT_CALLER)) return {call};",
    ]
    statuses = [p.name for p in procedure.outputs() if p.kind == "Status"]
    for name in statuses:
        lines.append(f"    MPI_Status own_{name};")
        lines.append(f"    if ({name} == MPI_STATUS_IGNORE) {name} = &own_{name};")
    lines += [f"    {line}" for line in before_call(procedure)]
    if inputs:
        lines.append(f"    const std::int64_t before[] = {{{', '.join(inputs)}}};")
    lines.append(f"    call.enter({'before' if inputs else ''});")
    lines += [f"    {line}" for line in waiting_buffers(procedure)]
    lines += [f"    {line}" for line in before_transfer(procedure)]
    if waits_for_transfers(procedure):
        # Has a place in memory for the whole time, where debuggers find it.
        lines.append("    [[maybe_unused]] const volatile std::int64_t moved_bytes = one_sided_bytes();")
    lines.append(f"    const int code = {call};")
    lines.append(f"    call.returned({waits_with(procedure, names)});")
    after = after_call(procedure, lambda parameter: list_length(parameter, names))
    if after or outputs:
        lines.append("    const bool valid = code == MPI_SUCCESS;")
    lines += [f"    {line}" for line in after]
    lines.append(f"    const std::int64_t after[] = {{{', '.join(['code', *outputs])}}};")
    lines += ["    call.leave(after);", "    return code;", "}", ""]
    return "\n".join(lines)


INCLUDES = """
#include "tracer/calls/after.h"
#include "tracer/control/freed_memory.h"
#include "tracer/export.h"
#include "tracer/handles/one_sided.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/values.h"

"""


def write_wrappers(folder, procedures, prototypes):
    wrapped = [p for p in procedures if p.recorded and p.base() not in HAND_WRITTEN]
    for part in range(PARTS):
        body = "\n".join(wrapper(p, prototypes[p.name]) for p in wrapped[part::PARTS])
        text = INCLUDES + "using namespace mqinspect::tracer;  // NOLINT\n"
        text += "namespace model = mqinspect::model;\nnamespace pending = mqinspect::pending;\n\n" + body
        write(folder / f"wrappers_{part}.cpp", text)


def write_pmpi(folder, names):
    members = "".join(f"    decltype(&::PMPI{n[3:]}) {member(n)} = nullptr;\n" for n in names)
    write(
        folder / "pmpi_table.h",
        "#pragma once\n\n#include <mpi.h>\n\n" + IN_NAMESPACE
        + "/// The MPI library's own procedures.\nstruct Pmpi {\n" + members + "};\n" + END,
    )
    rows = "".join(
        f'    {{"PMPI{n[3:]}", offsetof(Pmpi, {member(n)})}},\n' for n in names
    )
    write(
        folder / "pmpi_table.cpp",
        '\n#include <cstddef>\n\n#include "tracer/pmpi.h"\n\n' + IN_NAMESPACE
        + "const PmpiName kPmpiNameTable[] = {\n" + rows + "};\n"
        + "const PmpiName* const kPmpiNames = kPmpiNameTable;\n"
        + f"const std::size_t kPmpiNameCount = {len(names)};\n" + END,
    )


def write_profiling(folder, procedures, prototypes):
    """The names with P: some Fortran bindings call these, and nobody else's calls are recorded."""
    text = '\n#include "tracer/export.h"\n#include "tracer/pmpi.h"\n\n'
    text += "using namespace mqinspect::tracer;  // NOLINT\n\n"
    for p in procedures:
        prototype = prototypes[p.name]
        if not p.recorded or prototype.variadic:
            continue
        declarations = with_our_names(p, prototype)
        arguments = ", ".join(declarations)
        text += f"MQT_EXPORT int P{p.name}({', '.join(declarations.values()) or 'void'}) {{\n"
        text += "    if (is_fortran_binding(__builtin_return_address(0)))\n"
        text += f"        return {p.name}({arguments});\n"
        text += "    find_pmpi();\n"
        text += f"    return pmpi.{member(p.name)}({arguments});\n}}\n\n"
    write(folder / "profiling.cpp", text)


def member(name):
    return name.removeprefix("MPI_")


def found_value(procedure):
    """Which value of a Leave says whether a call that only looks has found something."""
    if procedure.base() not in LOOKS:
        return 0
    names = [parameter.name for parameter in procedure.outputs()]
    return 1 + names.index("flag" if "flag" in names else "outcount")


def write_procedures(folder, procedures):
    declared = "".join(f"extern const Procedure k{p.name};\n" for p in procedures)
    write(
        folder / "procedures.h",
        '#pragma once\n\n#include "tracer/log/procedure.h"\n\n'
        "namespace mqinspect::tracer::procedures {\n\n" + declared
        + "\n}  // namespace mqinspect::tracer::procedures\n",
    )
    text = '\n#include "tracer/procedures.h"\n\nnamespace mqinspect::tracer::procedures {\n\n'
    text += "using model::Direction;\nusing model::ParameterKind;\n\n"
    for subscript, p in enumerate(procedures):
        rows = ", ".join(
            f'{{"{q.name}", ParameterKind::{q.kind}, Direction::{q.direction}}}'
            for q in p.parameters
        )
        pointer = "nullptr"
        if rows:
            pointer = f"k{p.name}_parameters"
            text += f"static const Parameter {pointer}[] = {{{rows}}};\n"
        in_lists = sum(1 << i for i, q in enumerate(p.inputs()) if q.is_list())
        out_lists = sum(2 << i for i, q in enumerate(p.outputs()) if q.is_list())
        text += (
            f'const Procedure k{p.name} = {{"{p.name}", {pointer}, {len(p.parameters)}, '
            f"{len(p.inputs())}, {len(p.outputs()) + 1}, {in_lists}U, {out_lists}U, {subscript}, "
            f"{found_value(p)}}};\n"
        )
    write(folder / "procedures.cpp", text + "\n}  // namespace mqinspect::tracer::procedures\n")


def write_weak(folder, header_text):
    """Handles that are variables of the library: the recorder is loaded without it, too."""
    names = re.findall(r"extern struct ompi_predefined_\w+ (\w+)\s*;", header_text)
    text = "#pragma once\n" + "".join(f"#pragma weak {name}\n" for name in dict.fromkeys(names))
    write(folder / "weak.h", text)


def main(procedures_path, header_path, output):
    prototypes = read_header(header_path)
    procedures = [p for p in read_procedures(procedures_path) if p.name in prototypes]
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    write_wrappers(folder, procedures, prototypes)
    write_pmpi(folder, [p.name for p in procedures if not prototypes[p.name].variadic])
    write_profiling(folder, procedures, prototypes)
    write_procedures(folder, procedures)
    write_constants(folder, Path(header_path).read_text())
    write_weak(folder, without_attributes(Path(header_path).read_text()))


if __name__ == "__main__":
    main(*sys.argv[1:])
