/* What the first of several threads does, and the others wait for.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::once_flag once;

void work() {
    std::call_once(once, [] { MPI_Barrier(MPI_COMM_SELF); });
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread one(work);
    std::thread two(work);
    one.join();
    two.join();
    MPI_Finalize();
}
