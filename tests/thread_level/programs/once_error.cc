/* What the first of several threads does, each for a flag of its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::once_flag first;
std::once_flag second;

void work_first() {
    std::call_once(first, [] {
        MPI_Barrier(MPI_COMM_SELF); /* expect: mpi-concurrent-collectives */
    });
}

void work_second() {
    std::call_once(second, [] { MPI_Barrier(MPI_COMM_SELF); });
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::thread one(work_first);
    std::thread two(work_second);
    one.join();
    two.join();
    MPI_Finalize();
}
