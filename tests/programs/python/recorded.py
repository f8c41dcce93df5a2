"""Mistakes in Python. Usage: recorded.py MODE"""

import ctypes
import os
import sys
import threading

import mpi4py

mpi4py.rc.thread_level = "multiple"
from mpi4py import MPI  # noqa: E402

COMM = MPI.COMM_WORLD
OTHER = 1 - COMM.rank


class Solver:
    def exchange(self, tag):
        received = bytearray(8)
        request = COMM.Irecv([received, MPI.BYTE], source=OTHER, tag=tag)
        COMM.Send([b"12345678", MPI.BYTE], dest=OTHER, tag=tag)
        request.Wait()

    def forget(self):
        COMM.send(
            {"ü": 1},
            dest=OTHER, tag=77)  # @forgotten


def leak():
    return [COMM.Dup() for _ in range(1)]  # @leaked


def go_wrong():
    COMM.Set_errhandler(MPI.ERRORS_ARE_FATAL)
    COMM.send(1, dest=99)  # @wrong


def crash():
    ctypes.string_at(16)  # @crash


def in_thread(tag):
    Solver().exchange(tag)
    COMM.isend(tag, dest=OTHER, tag=100 + tag)  # @thread


def main(mode):
    if mode == "leaks":
        solver = Solver()
        for tag in range(3):
            solver.exchange(tag)
        leak()
        if COMM.rank == 0:
            solver.forget()
    elif mode == "wrong":
        if COMM.rank == 0:
            go_wrong()
        COMM.barrier()
    elif mode == "crash":
        COMM.barrier()
        if COMM.rank == 1:
            sorted([2, 1], key=lambda _: crash())
        COMM.barrier()
    elif mode == "exit":
        if COMM.rank == 0:
            os._exit(3)  # @exit
        COMM.recv(source=0)
    elif mode == "threads":
        threads = [threading.Thread(target=in_thread, args=(tag,)) for tag in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


main(sys.argv[1])
