// Threads wait for each other in the wrong places.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>

namespace {

int value;

void by_latch() {
    std::latch done(1);
    std::jthread thread([&done] {
        done.count_down();
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    done.wait();
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void by_half_a_latch() {
    std::latch done(1);
    std::jthread first([&done] {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    std::jthread second([&done] { done.count_down(); });
    done.wait();
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void by_barrier() {
    std::barrier both(2);
    std::thread thread([&] {
        for (int i = 0; i < 10; ++i) {
            both.arrive_and_wait();
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
            both.arrive_and_wait();
        }
    });
    for (int i = 0; i < 10; ++i) {
        both.arrive_and_wait();
        both.arrive_and_wait();
        both.arrive_and_wait();
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    thread.join();
}

void by_semaphore() {
    std::counting_semaphore<2> may_go(1);
    std::thread thread([&may_go] {
        may_go.acquire();
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    may_go.release();
    thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_latch();
    by_half_a_latch();
    by_barrier();
    by_semaphore();
    MPI_Finalize();
}
