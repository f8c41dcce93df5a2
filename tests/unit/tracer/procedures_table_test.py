#!/usr/bin/env python3
"""Checks that procedures.txt has every procedure of mpi.h, with its parameters.

Usage: procedures_table_test.py TRACER_FOLDER COMPILER INCLUDE_FOLDER
"""

import subprocess
import sys
import tempfile
from pathlib import Path

tracer, compiler, include = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, tracer)

import generate  # noqa: E402
import semantics  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    header = Path(folder) / "mpi.txt"
    command = [compiler, "-E", "-dD", "-P", f"-I{include}", f"{include}/mpi.h", "-o", str(header)]
    subprocess.run(command, check=True)
    prototypes = generate.read_header(header)

# MPI 4.0, 4.2.2, calls it `source`, and so do those who look for it in a recording.
MISNAMED = {"MPI_Precv_init": {"dest": "source"}}
procedures = {p.name: p for p in generate.read_procedures(Path(tracer) / "procedures.txt")}
problems = [f"{name}: not in procedures.txt" for name in prototypes if name not in procedures]
for name, procedure in procedures.items():
    if not procedure.recorded or name not in prototypes:
        continue
    ours = [parameter.name for parameter in procedure.parameters if not parameter.own()]
    misnamed = MISNAMED.get(name, {})
    theirs = [misnamed.get(parameter, parameter) for _, parameter in prototypes[name].parameters]
    if ours != theirs:
        problems.append(f"{name}: {ours} here, {theirs} in mpi.h")
    known = {*ours, *generate.SPECIAL_LENGTHS}
    for parameter in procedure.parameters:
        if parameter.length and parameter.length.lstrip("*") not in known:
            problems.append(f"{name}: {parameter.name} has the length '{parameter.length}'")
    moves = any(parameter.kind == "Buffer" for parameter in procedure.parameters)
    if semantics.request_kind(procedure) == "Collective" and moves:
        if semantics.most_bytes(semantics.names(procedure)) == "0":
            problems.append(f"{name}: it moves data, but the recorder says that it does not")
assert len(prototypes) > 400, "the header was not understood"
print("\n".join(problems))
sys.exit(1 if problems else 0)
