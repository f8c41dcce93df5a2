/* Threads that start with one or the other function of a generic lambda.
   requested: MPI_THREAD_FUNNELED
   required: MPI_THREAD_SINGLE
   verdict: compliant, as far as the notes tell */

/* file: main.cc */
#include <mpi.h>

#include <memory>
#include <thread>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    const auto work = [](auto number) { return number + 1; };
    const auto first = std::make_unique<std::thread>(work, 1);
    const auto second = std::make_unique<std::thread>(work, 1.0);
    MPI_Barrier(MPI_COMM_WORLD);
    first->join();
    second->join();
    MPI_Finalize();
}
