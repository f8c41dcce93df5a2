/* Futures with static storage: each is of its own thread, and only who has waited for that does not
   meet it. One may be of a promise, too, which ends no thread.
   required: MPI_THREAD_MULTIPLE */
#include <future>
#include <mpi.h>
#include <thread>

static std::future<void> first, second;
static std::future<void> told;
static int prepared;

static void begin() {
    first = std::async(std::launch::async, [] { prepared = 1; });
    second = std::async(std::launch::async, [] {
        int x = 0;
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    });
}

static void tell() {
    std::promise<void> promise;
    told = promise.get_future();
    std::thread teller([&promise] {
        promise.set_value();
        MPI_Barrier(MPI_COMM_SELF); /* expect: mpi-thread-level */
    });
    told.wait();
    MPI_Barrier(MPI_COMM_WORLD);
    teller.join();
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    begin();
    first.get();
    MPI_Barrier(MPI_COMM_WORLD);
    second.get();
    tell();
    MPI_Finalize();
}
