// One thread waits for another one that has not always waited for a third.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <latch>
#include <thread>

namespace {

double field[16];

void too_early() {
    std::latch first(1);
    std::latch second(1);
    std::jthread one([&] {
        MPI_Send(field, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
        first.count_down();
    });
    std::jthread two([&] {
        second.count_down();
        first.wait();
    });
    second.wait();
    MPI_Send(field, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
}

void not_always(bool waits) {
    std::latch first(1);
    std::latch second(1);
    std::jthread one([&] {
        MPI_Send(field, 1, MPI_DOUBLE, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
        first.count_down();
    });
    std::jthread two([&] {
        if (waits) first.wait();
        second.count_down();
    });
    second.wait();
    MPI_Send(field, 1, MPI_DOUBLE, 0, 4, MPI_COMM_SELF);
}

void by_another() {
    std::latch first(1);
    std::latch both(2);
    std::jthread one([&] {
        MPI_Send(field, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF);
        first.count_down();
    });
    std::jthread two([&] {
        first.wait();
        both.count_down();
    });
    std::jthread three([&] { both.count_down(); });
    both.wait();
    first.wait();
    std::jthread four([&] { MPI_Send(field, 1, MPI_DOUBLE, 0, 6, MPI_COMM_SELF); });  // expect: mpi-thread-level
    MPI_Send(field, 1, MPI_DOUBLE, 0, 7, MPI_COMM_SELF);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    too_early();
    not_always(argc > 1);
    by_another();
    MPI_Finalize();
}
