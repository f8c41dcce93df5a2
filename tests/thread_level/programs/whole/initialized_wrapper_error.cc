// A library in which one file says whether MPI is initialized, and another one initializes it if it
// is not: that may be so here.
// required: MPI_THREAD_MULTIPLE
// requested: MPI_THREAD_SINGLE or MPI_THREAD_MULTIPLE
// verdict: not compliant

// file: asking.cc
#include <mpi.h>
namespace library {
bool is_initialized() {
    int flag = 0;
    MPI_Initialized(&flag);
    return flag != 0;
}
}  // namespace library

// file: session.cc
#include <mpi.h>
namespace library {
bool is_initialized();
void begin() {
    if (!is_initialized()) MPI_Init(nullptr, nullptr);
}
}  // namespace library

// file: program.cc
#include <mpi.h>
#include <omp.h>
namespace library {
void begin();
}
int main(int argc, char** argv) {
    if (argc > 1) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    library::begin();
#pragma omp parallel // expect: mpi-strict-single
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    MPI_Finalize();
}
