/* What asks for the number of the thread in a task, or in `single`, is thread 0 of the team.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>

#include <mpi.h>

static MPI_Request request = MPI_REQUEST_NULL;
static double part[16];
static int arrived;

static void make_progress(void) {
    if (omp_get_thread_num() > 0) return;
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
}

static void compute(int i) {
    part[i] *= 2;
    make_progress();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
#pragma omp single
        {
            if (omp_get_thread_num() == 0) MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
            for (int i = 0; i < 16; ++i) {
#pragma omp task
                compute(i);
            }
        }
#pragma omp master
        MPI_Send(part, 16, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
#pragma omp task
        {
            int own = omp_get_thread_num();
            if (own == 0) MPI_Send(part, 8, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
        }
#pragma omp for nowait
        for (int i = 0; i < 16; ++i)
            compute(i);
#pragma omp single nowait
#pragma omp taskloop
        for (int i = 0; i < 16; ++i)
            compute(i);
    }
    MPI_Finalize();
}
