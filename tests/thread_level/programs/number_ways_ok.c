/* The thread number as programs get at it: in a variable with a value before, from a function that
   is handed something, in a switch with one case.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

struct team {
    int size;
};

static int number_in(const struct team* team) {
    (void)team;
    return omp_get_thread_num();
}

static int is_first(const struct team* team) {
    return team->size >= 0 && omp_get_thread_num() == 0;
}

int main(int argc, char** argv) {
    int provided = 0;
    struct team team = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        int number = 0;
#ifdef _OPENMP
        number = omp_get_thread_num();
#endif
        const int inside = omp_in_parallel() ? omp_get_thread_num() : 0;
        if (number == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (inside == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (number_in(&team) == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (!number_in(&team)) MPI_Barrier(MPI_COMM_WORLD);
        switch (omp_get_thread_num()) {
            case 0:
                MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    if (is_first(&team)) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
