#!/usr/bin/env python3
"""Times a job that never hangs under `mqinspect run`, beside the bare launch, in pairs.

Usage: run_bench.py BUILD_DIRECTORY [--ranks 2] [--seconds 10] [--pairs 15]

Each pair runs the same job once bare and once under `run`, in turns first. Prints the
median of the ratios of the pairs, their spread, and the same for the launch of a job that
ends at once. Figures are for reading: nothing here fails.
"""
import argparse
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def mpich():
    out = subprocess.run([ROOT / "scripts/mpich-prefix"], check=True, capture_output=True, text=True)
    return pathlib.Path(out.stdout.strip())


def timed(command):
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True)
    if result.returncode != 0:
        sys.exit(result.stderr.decode() or f"exit code {result.returncode}")
    return time.perf_counter() - start


def steps_for(bare, seconds):
    """How many steps take so long: from runs that are long enough to tell."""
    steps = 1000
    while True:
        taken = timed([*bare, str(steps)])
        if taken >= min(seconds, 2):
            return max(1, int(steps * seconds / taken))
        steps *= 4


def pairs(bare, count, watch):
    times = []
    for i in range(count):
        pair = {}
        for kind in ("bare", "run") if i % 2 == 0 else ("run", "bare"):
            pair[kind] = timed(bare if kind == "bare" else [*watch, *bare])
        times.append((pair["bare"], pair["run"]))
    return times


def interval(values, draws=2000):
    """95 % of the medians of samples drawn from these (bootstrap)."""
    source = random.Random(1)
    medians = sorted(statistics.median(source.choices(values, k=len(values))) for _ in range(draws))
    return medians[int(draws * 0.025)], medians[int(draws * 0.975)]


def print_pairs(what, times):
    ratios = [(run / bare - 1) * 100 for bare, run in times]
    low, high = interval(ratios)
    print(f"{what}: bare {statistics.median(bare for bare, _ in times):.3f} s, "
          f"under run {statistics.median(run for _, run in times):.3f} s (medians of {len(times)})")
    print(f"  overhead, median of the pairs: {statistics.median(ratios):+.2f} % "
          f"(95 % interval {low:+.2f} to {high:+.2f}; single pairs {min(ratios):+.1f} to "
          f"{max(ratios):+.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--pairs", type=int, default=15)
    options = parser.parse_args()
    watch = [options.build / "bin/mqinspect", "run", "--batch", "--"]
    with tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory) / "steps"
        source = ROOT / "bench/programs/steps.c"
        subprocess.run([mpich() / "bin/mpicc", "-O2", "-o", program, source], check=True)
        launch = [mpich() / "bin/mpiexec", "-n", str(options.ranks)]
        job = [*launch, program]
        steps = steps_for(job, options.seconds)
        print(f"{options.ranks} ranks, {steps} steps")
        print_pairs("the job", pairs([*job, str(steps)], options.pairs, watch))
        print_pairs("a job that ends at once", pairs([*job, "1"], options.pairs, watch))


if __name__ == "__main__":
    main()
