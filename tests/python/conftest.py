"""MPI jobs for the tests."""

import os
import pathlib
import subprocess
import time

import pytest

import mqinspect

pytest_plugins = ["pytester"]

PROGRAMS = pathlib.Path(os.environ["MQI_BUILD"]) / "tests" / "programs"
MPIEXEC = os.environ["MQI_MPIEXEC"]


def poll(condition, seconds=60):
    """The first true value of condition(); fails if none comes in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s")


class RunningJob:
    def __init__(self, program, ranks, folder):
        self.release_file = folder / "release"
        self.process = subprocess.Popen(
            [MPIEXEC, "-n", str(ranks), str(PROGRAMS / program)],
            env={**os.environ, "MQI_RELEASE": str(self.release_file)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def pid(self):
        return self.process.pid

    def rank_pids(self):
        """By rank, of those that run the program already."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
                program = os.readlink(folder / "exe")
            except OSError:
                continue
            if f"MQI_RELEASE={self.release_file}".encode() not in environment:
                continue
            ranks = [v[9:] for v in environment if v.startswith(b"PMI_RANK=")]
            if ranks and program.startswith(str(PROGRAMS)):
                found[int(ranks[0])] = int(folder.name)
        return [found[rank] for rank in sorted(found)]

    def attach(self):
        """Once the launcher has started the ranks."""

        def attempt():
            try:
                return mqinspect.attach(self.process)
            except mqinspect.Error:
                return None

        return poll(attempt)

    def release(self):
        self.release_file.write_text("go\n")


@pytest.fixture
def start_job(tmp_path):
    """start_job(program, ranks): killed at the end of the test."""
    jobs = []

    def start(program, ranks):
        folder = tmp_path / str(len(jobs))
        folder.mkdir()
        jobs.append(RunningJob(program, ranks, folder))
        return jobs[-1]

    yield start
    for job in jobs:
        job.process.terminate()
        try:
            job.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            job.process.kill()
            job.process.communicate()
