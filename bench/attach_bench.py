#!/usr/bin/env python3
"""Times `mqinspect attach` on real jobs, beside eu-stack and gdb on the same ranks.

Usage: attach_bench.py BUILD_DIRECTORY [--ranks 64] [--messages 100000]
                       [--communicators 50] [--runs 5]

Prints for each question the median of the runs and the ratio to a peer that was
measured in the same run on the same processes. Figures are for reading: nothing
here fails.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def mpich():
    out = subprocess.run([ROOT / "scripts/mpich-prefix"], check=True, capture_output=True, text=True)
    return pathlib.Path(out.stdout.strip())


def compile_program(name, directory):
    target = pathlib.Path(directory) / name
    source = ROOT / "bench/programs" / (name + ".c")
    subprocess.run([mpich() / "bin/mpicc", "-g", "-O1", "-o", target, source], check=True)
    return target


@contextlib.contextmanager
def job(ranks, *command):
    """A running job that has printed "blocked"; killed with all it started."""
    process = subprocess.Popen(
        [mpich() / "bin/mpiexec", "-n", str(ranks), *map(str, command)],
        stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        if process.stdout.readline().strip() != "blocked":
            sys.exit("the job did not start")
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        subprocess.run(["pkill", "-KILL", "-f", "^" + str(command[0])], check=False)


def timed(command, **options):
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, **options)
    return time.perf_counter() - start, result


def attach(build, pid, cache, *options):
    command = [build / "bin/mqinspect", "attach", "--batch", "--format", "json", *options, str(pid)]
    seconds, result = timed(command, env={**os.environ, "MQI_CACHE": str(cache)})
    if result.returncode not in (0, 1):
        sys.exit(result.stderr.decode())
    return seconds, json.loads(result.stdout)


def line(what, seconds, note=""):
    print(f"{what:58s} {seconds * 1000:9.1f} ms  {note}")


def many_ranks(build, ranks, runs, directory):
    program = compile_program("blocked_ring", directory)
    with job(ranks, program) as pid:
        cache = pathlib.Path(directory) / "cache"
        cold, warm, stopped = [], [], []
        for _ in range(runs):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(attach(build, pid, cache)[0])
        for _ in range(runs):
            seconds, report = attach(build, pid, cache)
            warm.append(seconds)
            stopped.append(report["stopped_ms"] / 1000)
        kind = report["verdict"]["kind"]
        pids = [rank["pid"] for rank in report["ranks"]]
        print(f"{ranks} ranks in a ring of MPI_Recv, verdict: {kind}")
        line("  attach, cold cache", statistics.median(cold))
        base = statistics.median(warm)
        line("  attach, warm cache", base, f"max {max(warm) * 1000:.0f} ms")
        line("  of it: ranks stopped (all looks together)", statistics.median(stopped),
             f"max {max(stopped) * 1000:.0f} ms")
        stacks = sum(timed(["eu-stack", "-p", str(p)])[0] for p in pids)
        line("  eu-stack, one rank after another", stacks, f"ratio to attach {stacks / base:.1f}")
        few = pids[:2]
        gdb = sum(timed(["gdb", "-nx", "-batch", "-p", str(p), "-ex", "bt"])[0] for p in few)
        gdb *= len(pids) / len(few)
        line("  gdb -batch -ex bt, one after another", gdb,
             f"ratio to attach {gdb / base:.1f} (from {len(few)} ranks)")


def merged_stacks(build, ranks, runs, directory):
    """The stacks of all ranks in one look, beside eu-stack on them one after another."""
    program = compile_program("blocked_ring", directory)
    with job(ranks, program) as pid:
        cache = pathlib.Path(directory) / "cache"
        _, report = attach(build, pid, cache)
        pids = [rank["pid"] for rank in report["ranks"]]
        ours, theirs = [], []
        for _ in range(runs):
            ours.append(attach(build, pid, cache, "--stacks", "--confirm", "0")[0])
            # With 64 ranks eu-stack takes as long as all else together: once is enough.
            if ranks <= 8 or not theirs:
                theirs.append(sum(timed(["eu-stack", "-p", str(p)])[0] for p in pids))
        print(f"stacks of {ranks} ranks in a ring of MPI_Recv")
        base = statistics.median(ours)
        line("  attach --stacks, one look, whole command", base, f"max {max(ours) * 1000:.0f} ms")
        stacks = statistics.median(theirs)
        line("  eu-stack, one rank after another", stacks, f"ratio to attach {stacks / base:.1f}")


def many_messages(build, messages, runs, directory):
    program = compile_program("unexpected_flood", directory)
    print("one rank with unexpected messages")
    for count in (messages // 4, messages // 2, messages):
        with job(2, program, count) as pid:
            cache = pathlib.Path(directory) / "cache"
            attach(build, pid, cache)
            seconds, stopped = [], []
            for _ in range(runs):
                one, report = attach(build, pid, cache, "--confirm", "0")
                seconds.append(one)
                stopped.append(report["stopped_ms"] / 1000)
            found = sum(o["queue"] == "unexpected_message" for o in report["operations"])
            line(f"  one look with {found} messages, JSON", statistics.median(seconds),
                 f"stopped {statistics.median(stopped) * 1000:.1f} ms")


def dlls(build, messages, communicators, directory):
    program = compile_program("unexpected_flood", directory)
    with job(2, program, messages, communicators) as pid:
        report = attach(build, pid, pathlib.Path(directory) / "cache", "--confirm", "0")[1]
        print("the debugger DLLs alone, ours and MPICH's, on the same rank")
        subprocess.run([build / "bin/dll_bench", str(report["ranks"][0]["pid"]),
                        build / "lib/libmqs_mpich.so", mpich() / "lib/libtvmpich.so"], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--messages", type=int, default=100000)
    parser.add_argument("--communicators", type=int, default=50)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    missing = [tool for tool in ("eu-stack", "gdb") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"needs {' and '.join(missing)} to compare with (Debian: elfutils, gdb)")
    with tempfile.TemporaryDirectory() as directory:
        many_ranks(options.build, options.ranks, options.runs, directory)
        for ranks in (8, options.ranks):
            merged_stacks(options.build, ranks, options.runs, directory)
        many_messages(options.build, options.messages, options.runs, directory)
        dlls(options.build, options.messages, options.communicators, directory)


if __name__ == "__main__":
    main()
