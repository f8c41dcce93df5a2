/* Functions of other files around calls of MPI that may be locks: the link step tells. */
/* required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct gate;
extern struct gate *gates[2];
void take(void);
void give(void);
void enter(struct gate *gate);
void leave(struct gate *gate);
void fill(double *values);
void empty(double *values);

static void send(int value) {
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void send_in(struct gate *gate, int value) {
    enter(gate);
    MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    leave(gate);
}

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        take();
        send(i);
        if (i % 2 == 0) {
            give();
            continue;
        }
        give();
    }
#pragma omp parallel
    send_in(gates[1], omp_get_thread_num());
#pragma omp parallel
    {
        double values[4] = {0};
        fill(values);
        empty(values);
    }
    MPI_Finalize();
    return 0;
}
