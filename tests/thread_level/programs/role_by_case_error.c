/* Several cases set the role, one falls into another, a jump leads there, or it is that of all the
   others.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum duty { EXCHANGE = 1, COMPUTE, LOG };

static double sum;

static void of_two_cases(void) {
#pragma omp parallel
    {
        enum duty duty;
        switch (omp_get_thread_num()) {
            case 0:
            case 1:
                duty = EXCHANGE;
                break;
            default:
                duty = COMPUTE;
        }
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void falls_through(void) {
#pragma omp parallel
    {
        enum duty duty = COMPUTE;
        switch (omp_get_thread_num()) {
            case 1:
                sum = 1;
                /* fall through */
            case 0:
                duty = EXCHANGE;
                break;
            default:
                break;
        }
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void of_the_others(void) {
#pragma omp parallel
    {
        enum duty duty;
        switch (omp_get_thread_num()) {
            case 0:
                duty = COMPUTE;
                break;
            default:
                duty = EXCHANGE;
        }
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void behind_a_jump(int count) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        enum duty duty = COMPUTE;
        if (thread == 0) goto talks;
        if (count > 1) {
            sum = thread;
            goto talks;
        }
        goto done;
    talks:
        duty = EXCHANGE;
    done:
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void by_either(int count) {
#pragma omp parallel
    {
        int talks;
        if (omp_get_thread_num() != 0 && count > 1)
            talks = 0;
        else
            talks = 1;
        if (talks) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    of_two_cases();
    falls_through();
    of_the_others();
    behind_a_jump(argc);
    by_either(argc);
    MPI_Finalize();
    return 0;
}
