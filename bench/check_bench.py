#!/usr/bin/env python3
"""How long `mqinspect check` takes for a long recorded run, and the most memory that it needs.

Usage: check_bench.py BUILD [--events N] [--ranks N] [--keep FOLDER]
  BUILD     a build folder, such as build/release
  --events  entries and returns of MPI calls, in all
  --keep    records into this folder and leaves it there, or checks what is there already
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CALLS_OF_A_ROUND = 129


def record(build, folder, events, ranks):
    prefix = subprocess.run(
        [ROOT / "scripts/mpich-prefix"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as place:
        program = f"{place}/exchange"
        source = ROOT / "bench/programs/exchange.c"
        subprocess.run([f"{prefix}/bin/mpicc", "-O2", "-w", "-o", program, source], check=True)
        rounds = max(1, events // (2 * ranks * CALLS_OF_A_ROUND))
        job = [f"{prefix}/bin/mpiexec", "-n", str(ranks), program, str(rounds)]
        subprocess.run([build / "bin/mqinspect", "record", "-o", folder, "--", *job], check=True)


def check(build, folder, report):
    """Seconds, seconds of processor time, MiB and exit code of one check."""
    start = time.monotonic()
    child = subprocess.Popen(
        [build / "bin/mqinspect", "check", "--format", "json", "-o", report, folder]
    )
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    cpu = usage.ru_utime + usage.ru_stime
    return seconds, cpu, usage.ru_maxrss * 1024 / 2**20, os.waitstatus_to_exitcode(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place) / "record"
        if not folder.exists():
            record(options.build, folder, options.events, options.ranks)
        megabytes = sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
        seconds, cpu, memory, code = check(options.build, folder, Path(place) / "report.json")
    print(
        f"{options.events / 1e6:.0f} million events, {megabytes:.0f} MB of logs: {seconds:.1f} s, "
        f"{cpu:.1f} s of processor time, {options.events / 1e6 / cpu:.1f} million events per second "
        f"and core, {memory:.0f} MiB; exit code {code}"
    )


if __name__ == "__main__":
    main()
