"""The fixture mpi_run, used by tests of a test."""

import os
import textwrap

import pytest
from conftest import MPIEXEC, PROGRAMS

# A test file is run by a pytest of its own, in which the plugin is found by its entry point.


def run(pytester, body, *options):
    pytester.makepyfile(textwrap.dedent(body))
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)


def processes_of(program):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == str(PROGRAMS / program):
                found.append(pid)
        except OSError:
            pass
    return found


def test_a_job_that_ends_gives_its_output_and_code(pytester):
    result = run(
        pytester,
        f"""
        def test_it(mpi_run):
            done = mpi_run([{MPIEXEC!r}, "-n", "2", "sh", "-c", "echo out; echo err >&2; exit 3"])
            assert done.returncode == 3
            assert done.stdout.split() == ["out", "out"]
            assert "err" in done.stderr
        """,
    )

    result.assert_outcomes(passed=1)


def test_a_job_that_hangs_fails_the_test_with_the_report(pytester):
    program = "any_source_deadlock"
    result = run(
        pytester,
        f"""
        def test_it(mpi_run):
            mpi_run([{MPIEXEC!r}, "-n", "3", {str(PROGRAMS / program)!r}], hang_after=2)
        """,
    )

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["the MPI job hangs", "Deadlock: ranks 0-2 *", "*any_source_deadlock.c:*"]
    )
    assert processes_of(program) == []


def test_a_job_that_computes_too_long_fails_with_what_it_does(pytester):
    program = "endless_loop_ok"
    result = run(
        pytester,
        f"""
        import os

        def test_it(mpi_run):
            mpi_run([{MPIEXEC!r}, "-n", "2", {str(PROGRAMS / program)!r}],
                    hang_after=1, timeout=4, env={{**os.environ, "MQI_RELEASE": "/nonexistent"}})
        """,
    )

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the MPI job has not ended after 4 s"])
    assert processes_of(program) == []


def test_a_command_without_ranks_is_stopped_too(pytester):
    result = run(
        pytester,
        """
        def test_it(mpi_run):
            mpi_run(["sh", "-c", "echo started; sleep 100"], hang_after=0.5, timeout=1)
        """,
    )

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the MPI job has not ended after 1 s", "started"])


@pytest.mark.parametrize(
    "call, error",
    [
        ('mpi_run("mpiexec -n 2 ./app")', "TypeError"),
        ('mpi_run(["true"], hang_after=0)', "ValueError"),
        ('mpi_run(["/nonexistent/mpiexec"])', "FileNotFoundError"),
    ],
)
def test_a_wrong_call_is_an_error(pytester, call, error):
    result = run(pytester, f"def test_it(mpi_run):\n    {call}\n")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*{error}*"])


def test_the_plugin_is_found_and_says_what_it_has(pytester):
    result = pytester.runpytest_subprocess("--fixtures", "-p", "no:cacheprovider")

    result.stdout.fnmatch_lines(["mpi_run*", "*hang_after*"])
