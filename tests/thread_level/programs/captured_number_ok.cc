// Lambdas and function objects that have the number of the thread, or whether it is 0.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

static double value;

struct Share {
    int thread;
    void operator()() const {
        if (thread == 0) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        bool is_master = omp_get_thread_num() == 0;
        auto by_value = [thread] {
            if (thread == 0) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        };
        auto by_reference = [&] {
            if (thread == 0) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        };
        auto of_flag = [=] {
            if (is_master) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        };
        auto of_referred_flag = [&is_master] {
            if (is_master) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        };
        Share share{thread};
        by_value();
        by_reference();
        of_flag();
        of_referred_flag();
        share();
    }
    MPI_Finalize();
}
