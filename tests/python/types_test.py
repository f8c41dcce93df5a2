"""Types: of the package, of the stub of its compiled part, and of what docs/python.md shows."""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["MQI_SOURCE"])
PACKAGE = pathlib.Path(os.environ["MQI_BUILD"]) / "python"

# What pybind11 makes, and a stub cannot say.
OF_PYBIND11 = """\
mqinspect._mqinspect.Findings
mqinspect._mqinspect.Findings.__init__
mqinspect._mqinspect.Job
"""


def run(folder, module, *words):
    result = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(PACKAGE), "MYPY_CACHE_DIR": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout


def test_the_package_is_typed(tmp_path):
    run(tmp_path, "mypy", "--strict", "-p", "mqinspect")


def test_the_stub_says_what_the_compiled_part_has(tmp_path):
    (tmp_path / "allowed").write_text(OF_PYBIND11)
    run(tmp_path, "mypy.stubtest", "--allowlist", "allowed", "mqinspect._mqinspect")


def test_the_examples_of_the_documentation_have_types(tmp_path):
    text = (SOURCE / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    (tmp_path / "session.py").write_text("".join(blocks))
    run(tmp_path, "mypy", "--check-untyped-defs", "--ignore-missing-imports", "session.py")
