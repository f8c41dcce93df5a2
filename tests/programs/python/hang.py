"""Both ranks wait in a receive, rank 1 in a thread of Python. Usage: hang.py"""

import threading

import mpi4py

mpi4py.rc.thread_level = "multiple"
from mpi4py import MPI  # noqa: E402

COMM = MPI.COMM_WORLD


def wait_for_other():
    COMM.recv(
        source=1 - COMM.rank, tag=5)  # @hangs


if COMM.rank == 0:
    wait_for_other()
else:
    thread = threading.Thread(target=wait_for_other)
    thread.start()
    thread.join()
