#!/usr/bin/env python3
"""Times the answers of the shell of `mqinspect attach` on a terminal of its own.

Usage: shell_bench.py BUILD_DIRECTORY [--ranks 64] [--runs 10] [--think 1.0]

Each command is typed after a pause for thought, as a person does; 0 is what a script does.
The times are those from the end of the line to the answer's first line, and to the next prompt.
Where it may, this program goes before the ranks, which poll: else its own turn would be measured.
Figures are for reading: nothing here fails.
"""
import argparse
import contextlib
import os
import pathlib
import pty
import select
import statistics
import sys
import tempfile
import time

from attach_bench import compile_program, job, line

PROMPT = b")> "
COMMANDS = ("ranks", "queues", "comms", "where", "waits", "why 1", "deadlock", "stack 1",
            "print 1 rank", "refresh", "diff", "interrupt", "refresh", "stack 1", "continue")


class Terminal:
    """A program behind a terminal of 100 columns."""

    def __init__(self, command, environment):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)

    def until_prompt(self, limit=60):
        """Returns when the first line behind the echoed command was there."""
        text = b""
        answered = None
        deadline = time.monotonic() + limit
        while not text.endswith(PROMPT):
            if not select.select([self.end], [], [], max(deadline - time.monotonic(), 0))[0]:
                sys.exit(f"no prompt after {limit} s, but: {text.decode(errors='replace')}")
            text += os.read(self.end, 65536)
            if text.count(b"\n") >= 2:
                answered = answered or time.perf_counter()
        return answered or time.perf_counter()

    def ask(self, command):
        start = time.perf_counter()
        os.write(self.end, command.encode() + b"\n")
        answered = self.until_prompt()
        return answered - start, time.perf_counter() - start

    def close(self):
        os.write(self.end, b"quit\n")
        os.waitpid(self.pid, 0)
        os.close(self.end)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--think", type=float, default=1.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        program = compile_program("blocked_ring", directory)
        with job(options.ranks, program) as pid:
            environment = {**os.environ, "MQI_CACHE": str(pathlib.Path(directory) / "cache"),
                           "TERM": "dumb", "INPUTRC": "/dev/null", "COLUMNS": "100"}
            shell = Terminal([str(options.build / "bin/mqinspect"), "attach", str(pid)],
                             environment)
            shell.until_prompt()
            with contextlib.suppress(PermissionError):
                os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
            times = [[] for _ in COMMANDS]
            for _ in range(options.runs):
                for command, taken in zip(COMMANDS, times):
                    time.sleep(options.think)
                    taken.append(shell.ask(command))
            shell.close()
            print(f"the shell, {options.ranks} ranks in a ring of MPI_Recv, "
                  f"{options.think:g} s to think")
            stopped = ""
            for command, taken in zip(COMMANDS, times):
                stopped = {"interrupt": " (stops)", "continue": ""}.get(command, stopped)
                answers, prompts = zip(*taken)
                line(f"  {command}{stopped}", statistics.median(answers),
                     f"max {max(answers) * 1000:.0f} ms; prompt "
                     f"{statistics.median(prompts) * 1000:.1f}, max {max(prompts) * 1000:.0f}")
                stopped = {"interrupt": ", stopped"}.get(command, stopped)


if __name__ == "__main__":
    main()
