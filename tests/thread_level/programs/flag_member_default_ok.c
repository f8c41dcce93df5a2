// A flag in an object that has a value for programs without OpenMP, which is overwritten.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

typedef struct {
    bool is_master;
    int number;
} Context;

static void init(Context *context) {
    context->is_master = true;
    context->number = 0;
#ifdef _OPENMP
    context->is_master = omp_get_thread_num() == 0;
    context->number = omp_get_thread_num();
#endif
}

static void who(int *number, bool *is_master) {
    *number = omp_get_thread_num();
    *is_master = omp_get_thread_num() == 0;
}

static void sync(const Context *context) {
    if (context->is_master) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Context context;
        int number;
        bool is_master;
        init(&context);
        sync(&context);
        who(&number, &is_master);
        if (is_master) MPI_Barrier(MPI_COMM_WORLD);
        if (number == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
