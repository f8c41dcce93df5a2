/* What looks like the thread number, and is another one: each case is for several threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct team {
    int size;
};

static int half_in(const struct team* team) {
    (void)team;
    return omp_get_thread_num() / 2;
}

int main(int argc, char** argv) {
    int provided = 0;
    struct team team = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        int number = 0;
        number = omp_get_num_threads();
        if (number == 2) MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp barrier
        if (half_in(&team) == 0) MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
#pragma omp barrier
        switch (omp_get_thread_num() % 2) {
            case 0:
                MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
    }
    MPI_Finalize();
    return 0;
}
