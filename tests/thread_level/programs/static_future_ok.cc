/* Futures with static storage: who has waited for one does not meet the thread that it is of.
   required: MPI_THREAD_SERIALIZED */
#include <future>
#include <mpi.h>

static std::future<int> count;
static std::shared_future<void> shared;
static std::future<void> now;

static void send(int tag) {
    int x = 0;
    MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

static void begin() {
    count = std::async(std::launch::async, [] {
        send(1);
        return 1;
    });
}

static int end() {
    return count.get();
}

static void share() {
    shared = std::async(std::launch::async, [] { send(2); }).share();
    shared.wait();
    MPI_Barrier(MPI_COMM_WORLD);
    shared = std::async(std::launch::async, [] { send(3); });
    shared.get();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void hand_on() {
    auto made = std::async(std::launch::async, [] { send(4); });
    now = std::move(made);
    now.get();
    static std::future<void> inner = std::async(std::launch::async, [] { send(5); });
    inner.wait();
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    begin();
    MPI_Bcast(&argc, end(), MPI_INT, 0, MPI_COMM_SELF);
    share();
    hand_on();
    MPI_Finalize();
}
