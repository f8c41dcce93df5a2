#!/usr/bin/env python3
"""The compiler plugin on all programs, each of which says what it has to find.

A line with "expect: OPTION..." in a comment gets exactly these diagnostics, all others none.
"required: LEVEL" in the first lines is what the unit needs as a whole. MQI_PART=2/4 is the second of
four parts of the programs. With MQI_ALL_WAYS=1 each program is compiled in all ways, else one of
five and those that say "ways: all", the others only in the first.
"""

import concurrent.futures
import os
import re
import tempfile
import unittest
import zlib
from pathlib import Path

from plugin_test import COMPILERS, DIAGNOSTIC, PROGRAMS, compile_program

# Flags, and whether the run-time checks are inserted too: a finding depends on neither.
WAYS = [(["-O0"], []), (["-O3", "-g", "-flto", "-ffat-lto-objects"], ["check"])]


def ways_of(source):
    """By the name: a new program changes nothing for the others."""
    is_all = (zlib.crc32(source.name.encode()) % 5 == 0 or os.environ.get("MQI_ALL_WAYS") == "1" or
              re.search(r"\bways: all\b", source.read_text(encoding="utf-8")))
    return WAYS if is_all else WAYS[:1]


def expected_of(source):
    lines = source.read_text(encoding="utf-8").splitlines()
    expected = []
    required = None
    for number, line in enumerate(lines, 1):
        if match := re.search(r"expect:((?: mpi-[a-z-]+)+)", line):
            expected += [(number, option) for option in match.group(1).split()]
        if match := re.search(r"required: (\w+)", line):
            required = match.group(1)
    return sorted(expected), required


def found_in(result, source):
    found = [(int(line), option) for file, line, option in DIAGNOSTIC.findall(result.stderr)
             if Path(file).name == source.name]
    required = re.search(r": required (\w+)", result.stderr)
    return sorted(found), required.group(1) if required else None


def check(source, flags, arguments=()):
    """Empty if all is as the source says, else what is not."""
    with tempfile.TemporaryDirectory() as folder:
        result = compile_program(source, flags, folder, "summary", *arguments)
    if result.returncode != 0:
        return f"{source.name} {flags}: {result.stderr}"
    if found_in(result, source) != expected_of(source):
        return (f"{source.name} {flags}: found {found_in(result, source)}, expected "
                f"{expected_of(source)}\n{result.stderr}")
    return ""


def of_this_part(sources):
    part, parts = map(int, os.environ.get("MQI_PART", "1/1").split("/"))
    return sorted(sources)[part - 1::parts]


class Programs(unittest.TestCase):
    """Each program with several sets of flags: the findings are the same."""

    def test_findings_are_those_that_the_sources_say(self):
        sources = of_this_part(p for p in PROGRAMS.iterdir()
                               if re.search(r"_(error|ok)\.(c|cc|f90)$", p.name))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(check, source, *way)
                    for source in sources for way in ways_of(source)]
            problems = [job.result() for job in jobs if job.result()]
        self.assertGreater(len(sources), 30)
        self.assertEqual([], problems, "\n".join(problems))

    def test_checks_fit_wherever_an_mpi_call_does(self):
        """Where any call may throw, and in the programs of other tests."""
        findings = re.compile(r"_(error|ok)\.(cc|f90)$")
        sources = of_this_part(p for p in PROGRAMS.iterdir()
                               if p.suffix in COMPILERS and not findings.search(p.name))

        def compile_with_checks(source):
            with tempfile.TemporaryDirectory() as folder:
                return compile_program(source, ["-O0", "-fexceptions"], folder, "check",
                                       "quiet").stderr

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [said for said in pool.map(compile_with_checks, sources) if said]
        self.assertEqual([], problems, "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
