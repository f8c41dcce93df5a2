// One thread waits for another one that has waited for a third.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <future>
#include <latch>
#include <thread>

namespace {

double field[16];

void load(std::promise<void> loaded) {
    MPI_Recv(field, 16, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    loaded.set_value();
}

void store(std::future<void> computed) {
    computed.get();
    MPI_Send(field, 16, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
}

void by_promises() {
    std::promise<void> loaded;
    std::promise<void> computed;
    auto is_loaded = loaded.get_future();
    auto is_computed = computed.get_future();
    std::thread loader(load, std::move(loaded));
    std::thread storer(store, std::move(is_computed));
    is_loaded.get();
    MPI_Barrier(MPI_COMM_SELF);
    computed.set_value();
    loader.join();
    storer.join();
}

void by_latches() {
    std::latch first(1);
    std::latch second(1);
    std::latch third(1);
    std::jthread one([&] {
        MPI_Send(field, 1, MPI_DOUBLE, 0, 3, MPI_COMM_SELF);
        first.count_down();
    });
    std::jthread two([&] {
        first.wait();
        second.count_down();
    });
    std::jthread three([&] {
        second.wait();
        MPI_Send(field, 1, MPI_DOUBLE, 0, 4, MPI_COMM_SELF);
        third.count_down();
    });
    third.wait();
    MPI_Send(field, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_promises();
    by_latches();
    MPI_Finalize();
}
