#!/usr/bin/env python3
"""The library of the checks at run time, with programs that call it as the plugin would have them.

A program says in its first comment what has to come of it:
  expect: unordered A B     a pair of the run report, by the labels of its sites; also
                            overlapped and collectives. No others may be there, but for unordered
                            ones that overlap
  expect: context A LEVEL   the highest of the site; no others, if one is named
  says: COUNT PATTERN       so many lines on standard error; no others may be there
  without: OpenMP           is compiled without -fopenmp
"""

import collections
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

LIBRARY = Path(os.environ["MQI_THREAD_LEVEL_CHECKS"])
ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(__file__).resolve().parent / "programs"
COMPILERS = {".c": [os.environ["MQI_CC"], "-std=gnu11"], ".cc": [os.environ["MQI_CXX"]]}


def build(source, folder, *flags):
    """Returns the executable."""
    program = Path(folder) / Path(source).name.replace(".", "_")
    openmp = [] if "without: OpenMP" in Path(source).read_text(encoding="utf-8") else ["-fopenmp"]
    subprocess.run([*COMPILERS[Path(source).suffix], *openmp, "-O1", "-g", "-Wall", "-Werror",
                    "-Wno-unused-function", f"-I{ROOT}", f"-I{PROGRAMS}", *flags, Path(source).name,
                    "-o", program, f"-L{LIBRARY.parent}", f"-Wl,-rpath,{LIBRARY.parent}",
                    "-lmpi_thread_level_checks"], check=True, cwd=Path(source).parent)
    return program


def run(program, report=None, **environment):
    variables = {**os.environ, "OMP_CANCELLATION": "true", "PMI_RANK": "7", **environment}
    variables.pop("MPI_THREAD_LEVEL_REPORT", None)
    if report is not None:
        variables["MPI_THREAD_LEVEL_REPORT"] = str(report)
    return subprocess.run([program], capture_output=True, text=True, timeout=60, check=False,
                          env=variables, cwd=Path(program).parent)


class Report:
    """One .run file, with the labels of sites for their numbers."""

    def __init__(self, file):
        self.lines = Path(file).read_text(encoding="utf-8").splitlines()
        self.labels = {}
        self.pairs = set()
        self.contexts = collections.Counter()
        self.times = collections.Counter(self.lines)
        for line in self.lines:
            kind, *words = line.split("\t")
            if kind == "site":
                self.labels[words[0]] = words[5]
            elif kind == "context":
                label = self.labels[words[0]]
                self.contexts[label] = max(self.contexts[label], int(words[1]))
            elif kind == "pair":
                assert int(words[1]) <= int(words[2]), line
                self.pairs.add((words[0], *sorted(self.labels[w] for w in words[1:])))


def reports_in(folder):
    return [Report(file) for file in sorted(Path(folder).glob("*.run"))]


def expectations(source):
    text = source.read_text(encoding="utf-8")
    pairs, contexts = set(), {}
    for kind, one, other in re.findall(r"expect: (\w+) (\w+) (\w+)", text):
        if kind == "context":
            contexts[one] = int(other)
        else:
            pairs.add((kind, one, other))
    says = [(int(count), pattern.removesuffix("*/").strip())
            for count, pattern in re.findall(r"says: (\d+) (.*)", text)]
    return pairs, contexts, says


def difference(source, report, result):
    """Empty if it is as the source says."""
    pairs, contexts, says = expectations(source)
    by_luck = {("overlapped", *sites) for kind, *sites in pairs if kind == "unordered"} - pairs
    found = report.pairs - by_luck
    lines = result.stderr.splitlines()
    problems = []
    if result.returncode != 0:
        problems.append(f"exit code {result.returncode}")
    if found != pairs:
        problems.append(f"pairs {found}, expected {pairs}")
    if contexts and contexts != dict(report.contexts):
        problems.append(f"contexts {dict(report.contexts)}, expected {contexts}")
    if len(lines) != sum(count for count, _ in says):
        problems.append("wrong number of messages")
    for count, pattern in says:
        if sum(re.search(pattern, line) is not None for line in lines) < count:
            problems.append(f"no '{pattern}'")
    if max(report.times.values()) > 1:
        problems.append("a line twice")
    return "\n".join([f"{source.name}: {problem}" for problem in problems] +
                     lines + report.lines) if problems else ""


def check(source, folder):
    program = build(source, folder)
    for attempt in range(3):
        report = Path(folder) / f"{program.name}.{attempt}"
        result = run(program, report)
        problem = difference(source, reports_in(report)[0], result)
        if problem:
            return problem
    return ""


class Programs(unittest.TestCase):
    def test_each_run_confirms_what_the_source_says(self):
        sources = sorted(p for p in PROGRAMS.iterdir() if re.search(r"_(error|ok)\.cc?$", p.name))
        with tempfile.TemporaryDirectory() as folder, \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [p for p in pool.map(lambda s: check(s, folder), sources) if p]
        self.assertGreater(len(sources), 30)
        self.assertEqual([], problems, "\n".join(problems))


class RealMpi(unittest.TestCase):
    """With MPI libraries, in C and Fortran."""

    def check(self, compilers, launcher, pattern="*"):
        sources = sorted(p for p in (PROGRAMS / "mpi").glob(pattern) if p.suffix in compilers)
        self.assertTrue(sources)
        for source in sources:
            with self.subTest(source.name), tempfile.TemporaryDirectory() as folder:
                program = Path(folder) / "program"
                subprocess.run([compilers[source.suffix], "-fopenmp", f"-I{ROOT}", "-o", program,
                                source, f"-L{LIBRARY.parent}", f"-Wl,-rpath,{LIBRARY.parent}",
                                "-lmpi_thread_level_checks"], check=True, cwd=folder)
                # Each rank for itself: the shell keeps what it says apart.
                command = f"{program} 2>{folder}/$$.said; echo $? >{folder}/$$.code"
                subprocess.run([*launcher, "sh", "-c", command], check=True, timeout=120,
                               env={**os.environ, "MPI_THREAD_LEVEL_REPORT": f"{folder}/runs"})
                reports = reports_in(Path(folder) / "runs")
                results = [subprocess.CompletedProcess([], int(code.read_text()), "",
                                                       code.with_suffix(".said").read_text())
                           for code in Path(folder).glob("*.code")]
                self.assertEqual(len(reports), len(results))
                for report, result in zip(reports, results):
                    self.assertEqual("", difference(source, report, result))
                ranks = [next(x for x in r.lines if x.startswith("rank")) for r in reports]
                self.assertEqual([f"rank {i}" for i in range(len(ranks))], sorted(ranks))

    def test_mpich(self):
        tools = Path(os.environ["MQI_MPICH"]) / "bin"
        self.check({".c": tools / "mpicc", ".f90": tools / "mpifort"},
                   [tools / "mpiexec", "-n", "2"])

    @unittest.skipUnless(shutil.which("mpicc.openmpi"), "no Open MPI")
    def test_open_mpi(self):
        self.check({".c": "mpicc.openmpi"}, [])

    def test_without_launcher_the_main_thread_learns_its_rank(self):
        tools = Path(os.environ["MQI_MPICH"]) / "bin"
        self.check({".c": tools / "mpicc"}, [], "reduce_ok.c")


class RunReport(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def write(self, text, *flags, name="program.c"):
        source = self.path / name
        source.write_text(text, encoding="utf-8")
        return build(source, self.folder.name, *flags)

    def test_has_these_lines(self):
        program = self.write('#include "program.h"\nint main(void) {\n'
                             'for (int i = 0; i < 3; ++i)\nSEND("a");\n}\n')
        run(program, self.path / "made" / "here")
        (report,) = reports_in(self.path / "made" / "here")
        self.assertEqual(["mpi-thread-level-run 1", "rank 7", "provided 2",
                          "site\t0\t1\t-\ti\tMPI_Send\ta\t4\t3\tprogram.c", "context\t0\t0"],
                         report.lines)

    def test_is_there_without_any_call(self):
        program = self.write("int main(void) { return 0; }\n", "-Wl,--no-as-needed")
        run(program, self.path / "runs")
        self.assertEqual(["mpi-thread-level-run 1"], reports_in(self.path / "runs")[0].lines)

    def test_is_complete_when_the_process_is_killed(self):
        program = self.write('#include <signal.h>\n#include "program.h"\nint main(void) {\n'
                             'SEND("a");\nraise(SIGKILL);\n}\n')
        self.assertEqual(-signal.SIGKILL, run(program, self.path / "runs").returncode)
        self.assertEqual("context\t0\t0", reports_in(self.path / "runs")[0].lines[-1])

    def test_stays_in_its_directory_and_out_of_other_files(self):
        program = self.write('#include <fcntl.h>\n#include "program.h"\nint main(void) {\n'
                             'SEND("a");\nfor (int i = 3; i < 100; ++i) close(i);\nchdir("/");\n'
                             f'open("{self.path}/mine", O_CREAT | O_RDWR, 0600);\nSEND("b");\n}}\n',
                             "-Wno-unused-result")
        run(program, "runs")
        self.assertEqual({"0": "a", "1": "b"}, reports_in(self.path / "runs")[0].labels)
        self.assertEqual("", (self.path / "mine").read_text())

    def test_problem_is_said_once_and_the_program_goes_on(self):
        program = self.write('#include "program.h"\nint main(void) {\nSEND("a");\nSEND("b");\n'
                             'return 5;\n}\n')
        result = run(program, program / "under")
        self.assertEqual(5, result.returncode)
        self.assertRegex(result.stderr,
                         r"^mpi-thread-level: no run report in .*under: Not a directory\n$")

    def test_a_child_has_its_own(self):
        run(build(PROGRAMS / "forked_ok.c", self.folder.name), self.path / "runs")
        labels = sorted(sorted(r.labels.values()) for r in reports_in(self.path / "runs"))
        self.assertEqual([["a", "c"], ["b"]], labels)

    def test_calls_of_another_version_are_ignored(self):
        program = self.write('#include "program.h"\nint main(void) {\n'
                             'mpi_thread_level_call("2\\tx", 1);\nmpi_thread_level_return("2\\tx");\n'
                             'mpi_thread_level_call("", 1);\nSEND("a");\n}\n')
        result = run(program, self.path / "runs")
        self.assertEqual({"0": "a"}, reports_in(self.path / "runs")[0].labels)
        self.assertRegex(result.stderr, r"^mpi-thread-level: .*another version.*\n$")

    def test_one_communicator_in_each_language(self):
        program = self.write(
            '#define PROVIDED MULTIPLE\n#include "program.h"\nstatic int world = 5;\n'
            'int main(void) {\n#pragma omp parallel num_threads(3)\n{\n'
            'if (omp_get_thread_num() == 0) CALL_AS(SITE("a", "c", "i", "MPI_Barrier"), 5);\n'
            'if (omp_get_thread_num() == 1) CALL_AS(SITE("b", "c", "r", "MPI_Barrier"), &world);\n'
            'if (omp_get_thread_num() == 2) CALL_AS(SITE("c", "c", "p", "MPI_Barrier"), &world);\n'
            '}\n}\n')
        run(program, self.path / "runs")
        pairs = {p for p in reports_in(self.path / "runs")[0].pairs if p[0] == "collectives"}
        self.assertEqual({("collectives", "a", "b")}, pairs)

    def test_before_and_without_mpi_nothing_is_said(self):
        program = self.write('#include "thread_level/checks/checks.h"\nint main(void) {\n'
                             'mpi_thread_level_call("1\\t-\\t-\\tMPI_Init\\tmain\\t3\\t1\\tx.c");\n}\n')
        result = run(program, self.path / "runs")
        self.assertEqual("", result.stderr)
        self.assertEqual(2, len(reports_in(self.path / "runs")[0].lines))

    def test_openmp_is_found_where_the_linker_leaves_it_out(self):
        source = PROGRAMS / "single_nowait_error.c"
        program = build(source, self.folder.name, "-Wl,--as-needed")
        result = run(program, self.path / "runs")
        self.assertEqual("", difference(source, reports_in(self.path / "runs")[0], result))


if __name__ == "__main__":
    unittest.main()
