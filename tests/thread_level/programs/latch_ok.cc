// Threads wait for each other by what C++20 has for that.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>

namespace {

int value;
std::binary_semaphore filled(0);
std::binary_semaphore emptied(0);

void send() {
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
}

void receive() {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void by_latch() {
    std::latch done(1);
    std::jthread thread([&done] {
        send();
        done.count_down();
    });
    done.wait();
    receive();
}

void by_latch_of_two() {
    std::latch all(2);
    std::jthread thread([&all] {
        send();
        all.arrive_and_wait();
    });
    all.arrive_and_wait();
    receive();
}

void by_barrier() {
    std::barrier both(2);
    std::thread thread([&] {
        for (int i = 0; i < 10; ++i) {
            both.arrive_and_wait();
            send();
            both.arrive_and_wait();
        }
    });
    for (int i = 0; i < 10; ++i) {
        receive();
        both.arrive_and_wait();
        both.arrive_and_wait();
    }
    thread.join();
}

void by_semaphores() {
    std::thread thread([] {
        for (int i = 0; i < 10; ++i) {
            filled.acquire();
            send();
            emptied.release();
        }
    });
    for (int i = 0; i < 10; ++i) {
        receive();
        filled.release();
        emptied.acquire();
    }
    thread.join();
}

void by_own_semaphore() {
    std::counting_semaphore<2> may_go(0);
    std::thread thread([&may_go] {
        may_go.acquire();
        send();
    });
    receive();
    may_go.release();
    thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_latch();
    by_latch_of_two();
    by_barrier();
    by_semaphores();
    by_own_semaphore();
    MPI_Finalize();
}
