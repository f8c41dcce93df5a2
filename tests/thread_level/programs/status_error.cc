// A macro that ends MPI in front of the end of the process, with a status that can be any.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

#include <cstdlib>

static bool active = false;

#define LEAVE(code)                     \
    do {                                \
        int status = (code);            \
        if (active && status == 0) {    \
            MPI_Finalize(); /* expect: mpi-finalize */ \
            active = false;             \
        }                               \
        std::exit(status);              \
    } while (false)

static void check(int value, int code) {
    if (value < 0) LEAVE(code);
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
        check(sum, argc);
    }
    LEAVE(EXIT_SUCCESS);
}
