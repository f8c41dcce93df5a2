// Twin of captured_number_ok.cc: what they have is the same for several threads.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static double value;

struct Share {
    int thread;
    void operator()() const {
        if (thread == 0)
            MPI_Bcast(&value, 1, MPI_DOUBLE, 0,  // expect: mpi-concurrent-collectives
                      MPI_COMM_WORLD);
    }
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int thread = omp_get_thread_num() / 2;
        bool is_other = omp_get_thread_num() != 0;
        auto by_value = [thread] {
            if (thread == 0)
                MPI_Bcast(&value, 1, MPI_DOUBLE, 0,  // expect: mpi-concurrent-collectives
                          MPI_COMM_WORLD);
        };
        auto by_reference = [&] {
            if (thread == 0)
                MPI_Bcast(&value, 1, MPI_DOUBLE, 0,  // expect: mpi-concurrent-collectives
                          MPI_COMM_WORLD);
        };
        auto of_flag = [&] {
            if (is_other)
                MPI_Bcast(&value, 1, MPI_DOUBLE, 0,  // expect: mpi-concurrent-collectives
                          MPI_COMM_WORLD);
        };
        Share share{thread};
        by_value();
#pragma omp barrier
        by_reference();
#pragma omp barrier
        of_flag();
#pragma omp barrier
        share();
    }
    MPI_Finalize();
}
