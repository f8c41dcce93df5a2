// Local variables that lambdas refer to: one is set too early, another one to what nobody waits for.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false;
    int turn = 0;
    std::thread thread([&] {
        {
            std::unique_lock<std::mutex> hold(mutex);
            changed.wait(hold, [&] { return ready; });
        }
        MPI_Send(&argc, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
        {
            std::lock_guard<std::mutex> hold(mutex);
            turn = 1;
            changed.notify_one();
        }
        MPI_Send(&argc, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    });
    {
        std::lock_guard<std::mutex> hold(mutex);
        ready = true;
    }
    changed.notify_one();
    MPI_Recv(&provided, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    {
        std::unique_lock<std::mutex> hold(mutex);
        while (turn != 1) changed.wait(hold);
    }
    MPI_Recv(&provided, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    thread.join();
    MPI_Finalize();
}
