"""docs/python.md is true: its blocks run, and print what they say."""

import os
import pathlib
import re
import shutil
import subprocess

from conftest import MPIEXEC

SOURCE = pathlib.Path(os.environ["MQI_SOURCE"])


def blocks(language):
    text = (SOURCE / "docs" / "python.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def build_heat(folder):
    shutil.copy(SOURCE / "examples" / "heat.c", folder)
    mpicc = pathlib.Path(MPIEXEC).parent / "mpicc"
    subprocess.run([mpicc, "-g", "-O1", "-o", "heat", "heat.c"], cwd=folder, check=True)


def test_the_session_runs(tmp_path, monkeypatch, capsys):
    build_heat(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{pathlib.Path(MPIEXEC).parent}:{os.environ['PATH']}")
    names = {}
    try:
        for number, block in enumerate(blocks("python"), 1):
            exec(compile(block, f"block {number} of python.md", "exec"), names)
    finally:
        if "launcher" in names:
            names["launcher"].terminate()
            names["launcher"].wait()

    printed = capsys.readouterr().out.split()
    (sentence,) = blocks("text")
    assert " ".join(printed).startswith(" ".join(sentence.split()))


def test_the_fixture_is_as_described(pytester, monkeypatch):
    build_heat(pytester.path)
    monkeypatch.setenv("PATH", f"{pathlib.Path(MPIEXEC).parent}:{os.environ['PATH']}")
    (block,) = blocks("py")
    pytester.makepyfile(block.replace("hang_after=10", "hang_after=3"))

    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the MPI job hangs", "Deadlock: ranks 0-2 *"])
