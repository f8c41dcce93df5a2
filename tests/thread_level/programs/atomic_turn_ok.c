/* Threads of a team hand MPI on by <stdatomic.h>, GCC's atomics, `omp atomic` and flushed variables.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <mpi.h>

static _Atomic int turn;
static int builtin;

static void send(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

static void local_atomic(void) {
    atomic_bool done;
    atomic_init(&done, false);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            send(1);
            atomic_store_explicit(&done, true, memory_order_release);
        }
#pragma omp section
        {
            while (!atomic_load_explicit(&done, memory_order_acquire)) {
            }
            send(2);
        }
    }
}

static void omp_atomic(void) {
    int flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            send(1);
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        } else if (omp_get_thread_num() == 1) {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read acquire
                seen = flag;
            }
            send(2);
        }
    }
}

static void flushed(void) {
    volatile int flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            send(1);
#pragma omp flush
            flag = 1;
        } else if (omp_get_thread_num() == 1) {
            while (flag == 0) {
            }
#pragma omp flush
            send(2);
        }
    }
}

static void to_and_fro(void) {
#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 10; ++i) {
            if (omp_get_thread_num() == 0) {
                while (turn != 0) {
                }
                send(1);
                turn = 1;
            } else if (omp_get_thread_num() == 1) {
                while (turn != 1) {
                }
                send(2);
                turn = 0;
            }
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    local_atomic();
    omp_atomic();
    flushed();
    to_and_fro();
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            send(1);
            __atomic_store_n(&builtin, 1, __ATOMIC_RELEASE);
            while (__atomic_load_n(&builtin, __ATOMIC_ACQUIRE) != 2) {
            }
            send(3);
        } else if (omp_get_thread_num() == 1) {
            while (__atomic_load_n(&builtin, __ATOMIC_ACQUIRE) != 1) {
            }
            send(2);
            __atomic_store_n(&builtin, 2, __ATOMIC_RELEASE);
        }
    }
    MPI_Finalize();
}
