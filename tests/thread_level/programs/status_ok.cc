// A macro that ends MPI in front of the end of the process, unless there has been an error.
// required: MPI_THREAD_SINGLE
#include <mpi.h>
#include <omp.h>

#include <cstdlib>

static bool active = false;

#define LEAVE(code)                     \
    do {                                \
        int status = (code);            \
        if (active && status == 0) {    \
            MPI_Finalize();             \
            active = false;             \
        }                               \
        std::exit(status);              \
    } while (false)

static void check(int value) {
    if (value < 0) LEAVE(EXIT_FAILURE);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    active = true;
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += omp_get_thread_num();
        check(sum);
    }
    LEAVE(EXIT_SUCCESS);
}
