// A pool that counts a job as done before it is, and threads that count down before they send.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

std::mutex library;

void send(int to) {
    const std::lock_guard<std::mutex> hold(library);
    MPI_Send(&to, 1, MPI_INT, 0, to, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

class Pool {
public:
    Pool() {
        for (int i = 0; i < 2; ++i)
            threads_.emplace_back([this] { run(); });
    }

    ~Pool() {
        {
            const std::lock_guard<std::mutex> hold(mutex_);
            is_over_ = true;
        }
        more_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }

    void submit(std::function<void()> job) {
        {
            const std::lock_guard<std::mutex> hold(mutex_);
            ++pending_;
            jobs_.push(std::move(job));
        }
        more_.notify_one();
    }

    void wait_for_all() {
        std::unique_lock<std::mutex> hold(mutex_);
        done_.wait(hold, [this] { return pending_ == 0; });
    }

private:
    void run() {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> hold(mutex_);
                more_.wait(hold, [this] { return is_over_ || !jobs_.empty(); });
                if (jobs_.empty()) return;
                job = std::move(jobs_.front());
                jobs_.pop();
            }
            {
                const std::lock_guard<std::mutex> hold(mutex_);
                --pending_;
            }
            done_.notify_one();
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable more_;
    std::condition_variable done_;
    std::queue<std::function<void()>> jobs_;
    std::vector<std::thread> threads_;
    int pending_ = 0;
    bool is_over_ = false;
};

// The same with an atomic number, of which each thread takes one away.
std::atomic<int> running{0};

void once(int to) {
    running.fetch_sub(1);
    send(to);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int number = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Pool pool;
        for (int i = 0; i < 8; ++i)
            pool.submit([i] { send(i); });
        pool.wait_for_all();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    running = 2;
    std::thread first(once, 1);
    std::thread second(once, 2);
    while (running.load() > 0)
        std::this_thread::yield();
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    first.join();
    second.join();
    MPI_Finalize();
    return 0;
}
