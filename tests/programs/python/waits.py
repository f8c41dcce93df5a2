"""Four ranks wait for each other; with "ok" the last one is still busy. Usage: waits.py MODE [ok]"""

import sys
import time

from mpi4py import MPI

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
NEXT = (RANK + 1) % SIZE


def receives():
    return [COMM.Irecv([bytearray(8), MPI.BYTE], source=NEXT, tag=tag) for tag in range(3)]


def sub_communicator():
    sub = COMM.Split(RANK % 2, RANK)
    busy_if_ok()
    if RANK == 0 or "ok" in sys.argv:
        sub.Barrier()
    COMM.Barrier()


def first_and_others(first):
    if RANK == 0:
        first()
    else:
        COMM.recv(source=0)


def busy_if_ok():
    while "ok" in sys.argv and RANK == SIZE - 1:
        time.sleep(0.001)


MODES = {
    "send": lambda: COMM.Send([bytearray(1 << 20), MPI.BYTE], dest=NEXT),
    "ssend": lambda: COMM.ssend(1, dest=NEXT),
    "recv": lambda: COMM.Recv([bytearray(8), MPI.BYTE], source=NEXT, tag=3),
    "wait": lambda: COMM.irecv(source=NEXT).wait(),
    "waitall": lambda: MPI.Request.Waitall(receives()),
    "waitany": lambda: MPI.Request.Waitany(receives()),
    "any": lambda: COMM.recv(),
    "probe": lambda: COMM.Probe(source=NEXT),
    "bcast": lambda: COMM.bcast(None, root=1) if RANK == 0 else COMM.Barrier(),
    "gather": lambda: first_and_others(lambda: COMM.gather(1, root=0)),
    "ibarrier": lambda: first_and_others(lambda: COMM.Ibarrier().Wait()),
    "sub": sub_communicator,
}

# What the others can go on from when the last one comes, too, where that is something else.
RIGHT = {
    "bcast": lambda: COMM.bcast(None, root=SIZE - 1),
    "gather": lambda: COMM.allgather(1),
    "ibarrier": lambda: COMM.Ibarrier().Wait(),
}

mode = MODES[sys.argv[1]]
if "ok" in sys.argv:
    mode = RIGHT.get(sys.argv[1], mode)
if sys.argv[1] != "sub":
    busy_if_ok()
mode()
