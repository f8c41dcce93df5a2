/* Each thread puts its number into a variable of its own, or into one of all threads where no other
   one can come in between.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided, me = -1, is_first, last;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel private(me)
    {
        me = omp_get_thread_num();
        if (me == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel firstprivate(me) private(is_first)
    {
        me = omp_get_thread_num();
        is_first = me == 0;
        if (is_first) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < 4; ++i) last = i;
#pragma omp critical
        {
            me = omp_get_thread_num();
            if (me == 0) MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
