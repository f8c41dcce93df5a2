// Tasks take the lock of the thread that has made them around its communicator: those with one
// communicator exclude each other. required: MPI_THREAD_MULTIPLE ways: all
#include <mpi.h>
#include <omp.h>

#include <vector>

static void in_vectors() {
    std::vector<MPI_Comm> comms;
    std::vector<omp_lock_t> locks;
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
#pragma omp single
        {
            for (int i = 0; i < omp_get_num_threads(); i++) {
                comms.emplace_back();
                MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
                locks.emplace_back();
                omp_init_lock(&locks[i]);
            }
        }
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(thread)
            {
                omp_set_lock(&locks[thread]);
                MPI_Barrier(comms[thread]);
                omp_unset_lock(&locks[thread]);
            }
        }
    }
    for (auto& lock : locks) omp_destroy_lock(&lock);
    for (auto& comm : comms) MPI_Comm_free(&comm);
}

static void in_arrays(MPI_Comm* comms, omp_lock_t* locks) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(thread)
            {
                omp_set_lock(&locks[thread]);
                MPI_Barrier(comms[thread]);
                omp_unset_lock(&locks[thread]);
            }
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    in_vectors();
    std::vector<MPI_Comm> comms(omp_get_max_threads());
    std::vector<omp_lock_t> locks(omp_get_max_threads());
    for (int i = 0; i < omp_get_max_threads(); ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        omp_init_lock(&locks[i]);
    }
    in_arrays(comms.data(), locks.data());
    MPI_Finalize();
    return 0;
}
