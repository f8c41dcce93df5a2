"""Real jobs, looked at from Python."""

import threading
import time

import pytest
from conftest import poll

import mqinspect


def wait_for_deadlock(job):
    return poll(lambda: job.snapshot().verdict.kind is mqinspect.VerdictKind.DEADLOCK)


def test_a_deadlock_is_found(start_job):
    started = start_job("any_source_deadlock", 3)
    with started.attach() as job:
        wait_for_deadlock(job)

        assert job.verdict.cores[0].ranks == (0, 1, 2)
        assert [wait.mode.value for wait in job.verdict.waits] == ["any", "all", "all"]
        assert [rank.call.function for rank in job.ranks] == ["MPI_Recv"] * 3
        assert job.ranks[0].call.arguments["source"] == "MPI_ANY_SOURCE"
        assert job.ranks[0].call.file.endswith("any_source_deadlock.c")
        assert any(frame.function == "main" for frame in job.stacks[0])
        assert job.operations[0].any_source
        assert job.communicators[0].name == "MPI_COMM_WORLD"
        assert job.windows == ()
        assert list(job.pids) == started.rank_pids()
        assert [rank.pid for rank in job.ranks] == list(job.pids)
        assert "libmqs_mpich.so" in job.newest.job.dll
        assert job.newest.report().startswith("Deadlock:")


def test_a_saved_look_says_the_same(start_job, tmp_path):
    with start_job("any_source_deadlock", 3).attach() as job:
        wait_for_deadlock(job)
        job.newest.save(tmp_path / "saved")
        loaded = mqinspect.load(tmp_path / "saved")

        assert loaded.ranks == job.ranks
        assert loaded.operations == job.operations
        assert loaded.verdict == job.verdict


def test_a_job_runs_on_and_ends_unharmed(start_job):
    started = start_job("endless_loop_ok", 2)
    with started.attach() as job:
        for _ in range(3):
            assert not job.snapshot().verdict.cores
        started.release()
        output, _ = started.process.communicate(timeout=60)

        assert started.process.returncode == 0, output
        # It is gone by now, which is no error.
        states = {rank.state for rank in job.snapshot().ranks}
        assert states == {mqinspect.RankState.EXITED}


def test_ranks_can_be_named_one_by_one(start_job):
    started = start_job("any_source_deadlock", 3)
    pids = poll(lambda: len(started.rank_pids()) == 3 and started.rank_pids())
    with started.attach() as whole:
        wait_for_deadlock(whole)

    with mqinspect.attach(pids) as job:
        assert list(job.pids) == pids


def test_a_closed_job_says_so(start_job):
    with start_job("any_source_deadlock", 3).attach() as job:
        pass
    job.close()

    assert job.closed and "closed" in repr(job)
    with pytest.raises(mqinspect.InvalidArgumentError, match="closed"):
        job.snapshot()


def test_threads_look_at_jobs_at_the_same_time(start_job):
    started = start_job("any_source_deadlock", 3)
    with started.attach() as job:
        wait_for_deadlock(job)
        failures = []

        def look(job):
            try:
                for _ in range(5):
                    assert job.snapshot().verdict.kind is mqinspect.VerdictKind.DEADLOCK
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=look, args=(job,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert failures == []


def test_other_threads_run_while_a_job_is_looked_at(start_job):
    with start_job("any_source_deadlock", 3).attach() as job:
        wait_for_deadlock(job)
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        spans = []
        for _ in range(10):
            start = time.monotonic()
            job.snapshot()
            spans.append((start, time.monotonic()))
        done.set()
        thread.join()

        # A look takes at least the 20 ms in which a deadlock is confirmed.
        inside = [sum(start < t < end for t in ticks) for start, end in spans]
        assert sum(inside) >= len(spans)
