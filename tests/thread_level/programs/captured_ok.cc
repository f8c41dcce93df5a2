// Local variables that lambdas refer to, under a mutex.
// required: MPI_THREAD_SERIALIZED
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
        MPI_Barrier(MPI_COMM_WORLD);
        std::lock_guard<std::mutex> hold(mutex);
        turn = 1;
        changed.notify_one();
    });
    MPI_Barrier(MPI_COMM_WORLD);
    {
        std::lock_guard<std::mutex> hold(mutex);
        ready = true;
    }
    changed.notify_one();
    {
        std::unique_lock<std::mutex> hold(mutex);
        while (turn != 1) changed.wait(hold);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    thread.join();
    MPI_Finalize();
}
