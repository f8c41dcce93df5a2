// A packaged task that a worker executes, waited for before others call.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
int value;
std::mutex mutex;
std::queue<std::packaged_task<void()>> jobs;
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::packaged_task<void()> task([] { MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); });
    auto done = task.get_future();
    jobs.push(std::move(task));
    std::thread worker([] {
        std::packaged_task<void()> job;
        { std::lock_guard hold(mutex); job = std::move(jobs.front()); jobs.pop(); }
        job();
    });
    done.get();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    worker.join();
    MPI_Finalize();
}
