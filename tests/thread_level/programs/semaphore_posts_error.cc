// std::binary_semaphore: whoever releases it twice, or by 2, lets two threads in.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <semaphore>
#include <thread>

namespace {

std::counting_semaphore<4> twice(1);
std::counting_semaphore<4> by_two(1);
int value = 0;

void release_twice() {
    twice.acquire();
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
    twice.release();
    twice.release();
}

void release_two() {
    by_two.acquire();
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
    by_two.release(2);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread first(release_twice), second(release_twice);
    first.join();
    second.join();
    std::thread third(release_two), fourth(release_two);
    third.join();
    fourth.join();
    MPI_Finalize();
}
