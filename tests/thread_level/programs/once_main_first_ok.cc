// What initializes MPI is called once, as std::call_once has it: main is the first to do so, and
// threads that ask for it again find it done.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::once_flag once;

void initialize() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
}

void ensure() { std::call_once(once, initialize); }

void work(int tag) {
    std::call_once(once, [] { initialize(); });
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

}  // namespace

int main() {
    ensure();
    std::thread a(work, 1);
    std::thread b(work, 2);
    a.join();
    b.join();
    MPI_Finalize();
}
