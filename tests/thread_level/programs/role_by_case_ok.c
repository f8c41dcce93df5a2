/* What a thread is to do is set by a switch on its number, or in the other branch of a condition.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

enum duty { EXCHANGE = 1, COMPUTE, LOG };

static double sum;

static void log_line(int thread) { sum += thread; }

static void by_switch(void) {
#pragma omp parallel
    {
        enum duty duty;
        switch (omp_get_thread_num()) {
            case 0:
                duty = EXCHANGE;
                break;
            case 1:
                duty = LOG;
                break;
            default:
                duty = COMPUTE;
        }
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void by_two_switches(void) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        enum duty duty = COMPUTE;
        switch (thread) {
            case 0:
                log_line(thread);
                duty = EXCHANGE;
                break;
            case 1:
            case 2:
                duty = LOG;
                break;
        }
        switch (duty) {
            case EXCHANGE:
                MPI_Barrier(MPI_COMM_WORLD);
                break;
            default:
                break;
        }
    }
}

static void by_other_branch(int count) {
#pragma omp parallel
    {
        int talks;
        if (omp_get_thread_num() != 0 || count == 0)
            talks = 0;
        else
            talks = 1;
        if (talks) MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void by_both(int count) {
#pragma omp parallel
    {
        enum duty duty;
        if (omp_get_thread_num() == 0 && count > 1)
            duty = EXCHANGE;
        else
            duty = COMPUTE;
        if (duty == EXCHANGE) MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_switch();
    by_two_switches();
    by_other_branch(argc);
    by_both(argc);
    MPI_Finalize();
    return 0;
}
