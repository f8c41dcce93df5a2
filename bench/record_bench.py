#!/usr/bin/env python3
"""What recording costs: nanoseconds and bytes per MPI call, in pairs with the bare run and, where
it is installed (Debian package eztrace), with EZTrace.

Usage: record_bench.py BUILD [--calls N] [--rounds N]
  BUILD   a build folder, such as build/release
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("per message call", "with MPI_Send", "per barrier")
FIGURES = re.compile(", ".join(rf"([\d.]+) ns {name}" for name in NAMES))


def run(command, **environment):
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    found = FIGURES.search(done.stdout)
    if not found:
        raise SystemExit(f"{command[0]}: no figures\n{done.stdout}{done.stderr}")
    return tuple(float(figure) for figure in found.groups())


def bytes_below(folder):
    """What is on the disk, definitions included."""
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--calls", type=int, default=200_000, help="exchanges in each of 5 parts")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    prefix = subprocess.run(
        [ROOT / "scripts/mpich-prefix"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/calls"
        source = ROOT / "bench/programs/calls.c"
        subprocess.run([f"{prefix}/bin/mpicc", "-O2", "-w", "-o", program, source], check=True)
        job = [f"{prefix}/bin/mpiexec", "-n", "1", program, str(options.calls)]
        record = [str(options.build / "bin/mqinspect"), "record", "-o", f"{folder}/r", "--", *job]
        ways = {"bare": job, "recorded": record}
        ways["without checksums"] = [*record[:4], "--no-checksums", *record[4:]]
        if shutil.which("eztrace"):
            ways["EZTrace"] = [*job[:3], "eztrace", "-t", "mpich", "-o", f"{folder}/e", *job[3:]]
        figures = {way: [] for way in ways}
        sizes = {}
        # In turn, so that what else the machine does falls on all of them.
        for _ in range(options.rounds):
            for way, command in ways.items():
                for old in (f"{folder}/r", f"{folder}/e"):
                    shutil.rmtree(old, ignore_errors=True)
                figures[way].append(run(command))
                sizes[way] = sum(
                    bytes_below(place)
                    for place in (f"{folder}/r", f"{folder}/e")
                    if Path(place).exists()
                )
    calls = 5 * 7 * options.calls
    bare = figures["bare"]
    for way, all_rounds in figures.items():
        texts = []
        for i, name in enumerate(NAMES):
            added = statistics.median(theirs[i] - mine[i] for theirs, mine in zip(all_rounds, bare))
            whole = statistics.median(figure[i] for figure in all_rounds)
            texts.append(f"{whole:.1f} ns {name} (+{added:.1f})")
        print(f"{way}: {', '.join(texts)}, {sizes[way] / calls:.1f} bytes per call")


if __name__ == "__main__":
    main()
