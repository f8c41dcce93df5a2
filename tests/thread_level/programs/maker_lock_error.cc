// As maker_lock_ok.cc, but tasks have released the lock, or come without it.
// required: MPI_THREAD_MULTIPLE ways: all
#include <mpi.h>
#include <omp.h>

static void without(MPI_Comm* comms, omp_lock_t* locks) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(thread)
            {
                omp_set_lock(&locks[thread]);
                omp_unset_lock(&locks[thread]);
                MPI_Barrier(comms[thread]);  // expect: mpi-concurrent-collectives
            }
        }
    }
}

static void one_of_two(MPI_Comm* comms, omp_lock_t* locks) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
#pragma omp task firstprivate(thread)
        {
            omp_set_lock(&locks[thread]);
            MPI_Barrier(comms[thread]);  // expect: mpi-concurrent-collectives
            omp_unset_lock(&locks[thread]);
        }
#pragma omp task firstprivate(thread)
        MPI_Barrier(comms[thread]);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm* comms = new MPI_Comm[omp_get_max_threads()];
    omp_lock_t* locks = new omp_lock_t[omp_get_max_threads()];
    for (int i = 0; i < omp_get_max_threads(); ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        omp_init_lock(&locks[i]);
    }
    without(comms, locks);
    one_of_two(comms, locks);
    MPI_Finalize();
    return 0;
}
