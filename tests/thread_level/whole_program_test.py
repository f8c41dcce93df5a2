#!/usr/bin/env python3
"""The link step on programs of several files.

Each program is one text, in which "file: NAME" starts the next file. A line with "expect: OPTION..."
in a comment gets exactly these diagnostics of the link step, and one with "compiler: OPTION..." those
of the compiler; all others none. "required: LEVEL", "requested: LEVEL" and "verdict: WORDS" are of
the whole program.
"""

import concurrent.futures
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PLUGIN = os.environ["MQI_THREAD_LEVEL_PLUGIN"]
LINK_STEP = os.environ["MQI_THREAD_LEVEL_LINK"]
MPICH = os.environ["MQI_MPICH"]
PROGRAMS = Path(__file__).resolve().parent / "programs" / "whole"
FLAGS = ["-O0", "-O2"]
COMPILERS = {
    ".c": [os.environ["MQI_CC"]],
    ".cc": [os.environ["MQI_CXX"], "-std=c++20"],
    ".f90": [os.environ.get("MQI_FC", "gfortran")],
}
DIAGNOSTIC = re.compile(r"^(?:[^:\n]+/)?([^:/\n]+):(\d+):\d+: +(?:Warning|warning|note|error)"
                        r".*\[-W(mpi-[a-z-]+)\]$", re.MULTILINE)


def split(source, folder):
    """Writes the files of a program; lines keep their numbers."""
    paths = []
    lines = []
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines()):
        if match := re.search(r"\bfile: ([a-z_0-9]+\.[a-z0-9]+)", line):
            paths.append(Path(folder) / match.group(1))
            lines = [""] * number
        lines.append(line)
        if paths:
            paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def expected_of(paths, word):
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := re.search(word + r":((?: mpi-[a-z-]+)+)", line):
                found += [(path.name, number, option) for option in match.group(1).split()]
    return sorted(found)


def found_in(text):
    return sorted((file, int(line), option) for file, line, option in DIAGNOSTIC.findall(text))


def compile_files(paths, flags, folder):
    """Returns the objects, and what the compiler says."""
    objects = []
    said = ""
    for path in paths:
        if path.suffix not in COMPILERS:
            continue
        objects.append(str(path) + ".o")
        command = [*COMPILERS[path.suffix], "-fopenmp", f"-I{MPICH}/include", flags, "-g",
                   "-fdiagnostics-plain-output", f"-fplugin={PLUGIN}", "-c", str(path),
                   "-o", objects[-1]]
        if path.suffix == ".f90":
            command += ["-J", folder]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        said += result.stderr
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
    return objects, said


def levels_in(table, word):
    match = re.search(word + r" +([\w, ]*\w)", table)
    return match.group(1) if match else None


def check(source, flags):
    """Empty if all is as the source says, else what is not."""
    with tempfile.TemporaryDirectory() as folder:
        paths = split(source, folder)
        objects, said = compile_files(paths, flags, folder)
        result = subprocess.run([LINK_STEP, "--table", *objects], capture_output=True, text=True,
                                timeout=60, check=False)
        linked = result.stdout + result.stderr
        problem = ""
        for word, text in (("expect", linked), ("compiler", said)):
            if found_in(text) != expected_of(paths, word):
                problem += f"{word}: {found_in(text)}, not {expected_of(paths, word)}\n"
    for word in ("required", "requested", "verdict"):
        match = re.search(word + r": ([\w, ]*\w)", source.read_text(encoding="utf-8"))
        found = levels_in(linked, word.capitalize())
        if match and match.group(1) != found:
            problem += f"{word} {found}, not {match.group(1)}\n"
    return f"{source.name} {flags}:\n{problem}{said}{linked}" if problem else ""


class WholePrograms(unittest.TestCase):
    """Each program with several sets of flags: the findings are the same."""

    def test_findings_are_those_that_the_sources_say(self):
        sources = sorted(PROGRAMS.iterdir())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(check, source, flags) for source in sources for flags in FLAGS]
            problems = [job.result() for job in jobs if job.result()]
        self.assertGreater(len(sources), 1)
        self.assertEqual([], problems, "\n".join(problems))

    def test_what_is_left_out_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            objects, _ = compile_files(split(PROGRAMS / "common_way_error.c", folder), "-O0", folder)
            said = subprocess.run([LINK_STEP, *objects], capture_output=True, text=True, timeout=60,
                                  check=False).stdout
            every = subprocess.run([LINK_STEP, "--format", "json", *objects], capture_output=True,
                                   text=True, timeout=60, check=False).stdout
        self.assertIn("note: and 6 more calls that are reached through the call here", said)
        self.assertIn("note: and 5 more callers", said)
        self.assertEqual(7, every.count('"rule"'), every)

    def test_where_something_unknown_is_started_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            objects, _ = compile_files(split(PROGRAMS / "unknown_start_ok.cc", folder), "-O0", folder)
            table = subprocess.run([LINK_STEP, "--table", *objects], capture_output=True, text=True,
                                   timeout=60, check=False).stdout
        self.assertRegex(table, r"object that can't be told, called by way of .*main.cc:17\n")


if __name__ == "__main__":
    unittest.main()
