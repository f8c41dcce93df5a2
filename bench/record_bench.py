#!/usr/bin/env python3
"""What recording costs: nanoseconds and bytes per MPI call, and nanoseconds for objects that are
made and freed, in pairs with the bare run and, where it is installed (Debian package eztrace), with
EZTrace.

Usage: record_bench.py BUILD [--calls N] [--rounds N]
  BUILD   a build folder, such as build/release
"""

import argparse
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = re.compile(r"([\d.]+) ns ([\w ]+)")


def run(command):
    """Nanoseconds by what they are for."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {name: float(figure) for figure, name in FIGURES.findall(done.stdout)}
    if not found:
        raise SystemExit(f"{command[0]}: no figures\n{done.stdout}{done.stderr}")
    return found


def bytes_below(folder):
    """What is on the disk, definitions included."""
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())


def ways_to_run(options, job, folder):
    """Commands by name: each leaves what it writes in folders r and e."""
    record = [str(options.build / "bin/mqinspect"), "record", "-o", f"{folder}/r", "--", *job]
    ways = {"bare": job, "recorded": record}
    ways["without checksums"] = [*record[:4], "--no-checksums", *record[4:]]
    if shutil.which("eztrace"):
        ways["EZTrace"] = [*job[:3], "eztrace", "-t", "mpich", "-o", f"{folder}/e", *job[3:]]
    return ways


def measure(options, prefix, name, count, calls):
    """Prints a line for each way to run the program. `calls`: of MPI, 0: bytes are not shown."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/{name}"
        source = ROOT / f"bench/programs/{name}.c"
        subprocess.run([f"{prefix}/bin/mpicc", "-O2", "-w", "-o", program, source], check=True)
        job = [f"{prefix}/bin/mpiexec", "-n", "1", program, str(count)]
        ways = ways_to_run(options, job, folder)
        figures = {way: [] for way in ways}
        sizes = {}
        # In turn, so that what else the machine does falls on all of them.
        for _ in range(options.rounds):
            for way, command in ways.items():
                places = [f"{folder}/r", f"{folder}/e"]
                for old in places:
                    shutil.rmtree(old, ignore_errors=True)
                figures[way].append(run(command))
                sizes[way] = sum(bytes_below(place) for place in places if Path(place).exists())
    bare = figures["bare"]
    for way, rounds in figures.items():
        texts = []
        for what in bare[0]:
            added = statistics.median(theirs[what] - mine[what] for theirs, mine in zip(rounds, bare))
            whole = statistics.median(figure[what] for figure in rounds)
            texts.append(f"{whole:.1f} ns {what} (+{added:.1f})")
        if calls:
            texts.append(f"{sizes[way] / calls:.1f} bytes per call")
        print(f"{way}: {', '.join(texts)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--calls", type=int, default=200_000, help="exchanges in each of 5 parts")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    prefix = subprocess.run(
        [ROOT / "scripts/mpich-prefix"], capture_output=True, text=True, check=True
    ).stdout.strip()
    measure(options, prefix, "calls", options.calls, 5 * 7 * options.calls)
    measure(options, prefix, "objects", options.calls // 10, 0)


if __name__ == "__main__":
    main()
