/* Relaxed order, a flag that was set before, one for each thread, two that send, one written early.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <mpi.h>

static _Atomic int turn;

static void relaxed(int tag) {
    atomic_bool done = false;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
            atomic_store_explicit(&done, true, memory_order_relaxed);
        }
#pragma omp section
        {
            while (!atomic_load_explicit(&done, memory_order_acquire)) {
            }
            MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
}

static void unfenced(int tag) {
    int flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp atomic write
            flag = 1;
        } else if (omp_get_thread_num() == 1) {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read
                seen = flag;
            }
            MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
}

static void still_set(int tag) {
    volatile int flag = 0;
    for (int i = 0; i < 2; ++i) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) {
                MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
                flag = 1;
            } else if (omp_get_thread_num() == 1) {
                while (flag == 0) {
                }
                MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
            }
        }
    }
}

static void several(int tag) {
    volatile int flag = 0;
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() != 0) {
            MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
            flag = 1;
        } else {
            while (flag == 0) {
            }
            MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
}

static void of_its_own(int tag) {
    atomic_int flag = 0;
#pragma omp parallel num_threads(2) firstprivate(tag) private(flag)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
            atomic_store(&flag, 1);
        } else {
            while (!atomic_load(&flag)) {
            }
            MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
}

static void early(int tag) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            turn = 1;
            MPI_Send(&tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        } else if (omp_get_thread_num() == 1) {
            while (turn != 1) {
            }
            MPI_Send(&tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    relaxed(0);
    unfenced(0);
    still_set(0);
    several(0);
    of_its_own(0);
    early(0);
    MPI_Finalize();
}
