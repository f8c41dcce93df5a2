// Whichever thread comes first initializes MPI: main does so on some ways only, or has come to
// another flag.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <cstdio>
#include <mutex>
#include <thread>

namespace {

std::once_flag once;
std::once_flag greeting;

void ensure() {
    std::call_once(once, [] {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);  // expect: mpi-init-in-parallel
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    });
}

void work(int tag) {
    ensure();
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

}  // namespace

int main(int count, char**) {
    if (count > 1) ensure();
    std::call_once(greeting, [] { std::puts("starting"); });
    std::thread a(work, 1);
    std::thread b(work, 2);
    a.join();
    b.join();
    MPI_Finalize();
}
