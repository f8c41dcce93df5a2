#!/usr/bin/env python3
"""Programs with run-time checks, run as real jobs, and what the link step then says of them."""

import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

PLUGIN = os.environ["MQI_THREAD_LEVEL_PLUGIN"]
LIBRARY = Path(os.environ["MQI_THREAD_LEVEL_CHECKS"])
LINK_STEP = os.environ["MQI_THREAD_LEVEL_LINK"]
MPICH = os.environ["MQI_MPICH"]
PROGRAMS = Path(__file__).resolve().parent / "programs"
COMPILERS = {".c": "mpicc", ".cc": "mpicxx", ".f90": "mpifort"}

CONTEXT = {"confirmed-context"}
MEETING = {"confirmed-unordered", "confirmed-overlapped"}
# Program, ranks, rule of a finding, what the run shows of it.
WRONG = [
    ("coll_funneled_error.c", 1, "mpi-thread-level", CONTEXT),
    ("coll_funneled_error.f90", 1, "mpi-thread-level", CONTEXT),
    ("coll_single_error.c", 1, "mpi-concurrent-collectives", MEETING),
    ("coll_serialized_error.c", 1, "mpi-thread-level", MEETING),
    ("coll_serialized_error.f90", 1, "mpi-concurrent-collectives", MEETING),
    ("order_error.c", 1, "mpi-collective-order", {"confirmed-unordered"}),
    ("p2p_multiple_error.c", 2, "mpi-thread-level", MEETING),
    ("request_error.c", 1, "mpi-concurrent-request", MEETING),
    ("ticket_error.c", 1, "mpi-thread-level", MEETING),
    ("std_thread_error.cc", 1, "mpi-thread-level", MEETING | {"executed-and-ordered"}),
]
RIGHT = ["coll_funneled_ok.c", "coll_serialized_ok.c", "coll_serialized_ok.f90", "coll_single_ok.c",
         "lock_ok.c", "order_ok.c", "tasks_wait_ok.c", "guards_ok.cc", "ticket_run_time.c",
         "volatile_run_time.c"]


def build(source, folder, *flags, check=True):
    program = Path(folder) / "program"
    words = [f"{MPICH}/bin/{COMPILERS[Path(source).suffix]}", "-fopenmp", *flags,
             f"-fplugin={PLUGIN}", "-fplugin-arg-mpi_thread_level-quiet", str(source), "-o", program]
    if check:
        words += ["-fplugin-arg-mpi_thread_level-check", f"-L{LIBRARY.parent}",
                  f"-Wl,-rpath,{LIBRARY.parent}", "-lmpi_thread_level_checks"]
    if Path(source).suffix == ".f90":
        words += ["-J", folder]
    subprocess.run(words, check=True, capture_output=True, text=True)
    return program


def run(program, ranks, report):
    """A wrong program may well hang: what it has reported until then counts."""
    environment = {**os.environ, "OMP_NUM_THREADS": "4", "MPI_THREAD_LEVEL_REPORT": str(report)}
    process = subprocess.Popen([f"{MPICH}/bin/mpiexec", "-n", str(ranks), program], text=True,
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            return process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0]


def findings(program, report):
    result = subprocess.run([LINK_STEP, "--format", "json", "--run-report", report, program],
                            capture_output=True, text=True, check=False)
    return json.loads(result.stdout), result


class RunTimeChecks(unittest.TestCase):
    """What the compiler suspects is confirmed by a run; what is right stays silent."""

    def test_runs_confirm_what_is_wrong(self):
        for name, ranks, rule, evidence in WRONG:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                program = build(PROGRAMS / name, folder, "-O2", "-g")
                report = Path(folder) / "report"
                said = run(program, ranks, report)
                found, result = findings(program, report)
                seen = {each["evidence"] for each in found["findings"] if each["rule"] == rule}
                self.assertEqual(1, result.returncode, result.stderr)
                self.assertTrue(seen & evidence, f"{seen}\n{said}\n{result.stdout}")
                # Two threads with one request are wrong though the level allows them to be two.
                if evidence <= CONTEXT | MEETING and rule != "mpi-concurrent-request":
                    self.assertIn(f"{name}:", said)
                    # Of several ranks, the first that goes wrong may end the job.
                    self.assertRegex(said, r"MPI thread level, rank \d+: MPI_")

    def test_right_programs_stay_silent(self):
        for name in RIGHT:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                program = build(PROGRAMS / name, folder, "-O2", "-g")
                said = run(program, 1, Path(folder) / "report")
                self.assertEqual("", said)

    def test_what_was_not_executed_is_not_confirmed(self):
        text = ("#include <mpi.h>\nint main(int c, char** v) {\n  int p;\n"
                "  MPI_Init_thread(&c, &v, MPI_THREAD_SERIALIZED, &p);\n"
                "  if (p < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);\n"
                "  if (c > 5) {\n#pragma omp parallel\n    MPI_Barrier(MPI_COMM_WORLD);\n  }\n"
                "  MPI_Finalize();\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "never.c"
            source.write_text(text, encoding="utf-8")
            program = build(source, folder)
            self.assertEqual("", run(program, 1, Path(folder) / "report"))
            found, result = findings(program, Path(folder) / "report")
        self.assertEqual(["not-executed"], [each["evidence"] for each in found["findings"]],
                         result.stderr)

    def test_runs_of_other_programs_are_told_from_this_one(self):
        with tempfile.TemporaryDirectory() as folder:
            program = build(PROGRAMS / "order_error.c", folder)
            run(program, 1, Path(folder) / "report")
            other = build(PROGRAMS / "coll_serialized_error.c", folder)
            found, result = findings(other, Path(folder) / "report")
        self.assertEqual(2, result.returncode)
        self.assertIn("of another program", result.stderr)
        self.assertEqual({"static"}, {each["evidence"] for each in found["findings"]})

    def test_nothing_is_inserted_unless_asked_for_or_where_all_is_proved(self):
        for name, check, expected in (("order_error.c", False, False),
                                      ("order_error.c", True, True),
                                      ("coll_serialized_ok.c", True, False)):
            with self.subTest(name, check=check), tempfile.TemporaryDirectory() as folder:
                program = build(PROGRAMS / name, folder, check=check)
                symbols = subprocess.run(["nm", "-D", program], capture_output=True, text=True,
                                         check=True).stdout
                self.assertEqual(expected, "mpi_thread_level_call" in symbols, symbols)


if __name__ == "__main__":
    unittest.main()
