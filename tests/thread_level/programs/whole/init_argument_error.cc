/* Which of two calls initializes MPI is said by an argument, which is a constant. */
/* required: MPI_THREAD_SERIALIZED */ /* requested: MPI_THREAD_SINGLE */
/* file: environment.h */
struct Environment {
    Environment(int* argc, char*** argv, bool threaded);
    ~Environment();
};
/* file: environment.cc */
#include <mpi.h>
#include "environment.h"
Environment::Environment(int* argc, char*** argv, bool threaded) {
    if (threaded) {
        int provided = 0;
        MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
        if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(argc, argv);
    }
}
Environment::~Environment() {
    MPI_Finalize();
}
/* file: main.cc */
#include <mpi.h>
#include "environment.h"
int main(int argc, char** argv) {
    const Environment environment(&argc, &argv, false);
#pragma omp parallel  /* expect: mpi-strict-single */
#pragma omp single
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return 0;
}
