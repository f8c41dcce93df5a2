/* Packaged tasks that two threads work off, that one works off beside a call, or that are started
   as threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

template <class Result>
class Queue {
public:
    explicit Queue(int count) {
        for (int i = 0; i < count; ++i)
            threads_.emplace_back([this] { run(); });
    }

    ~Queue() {
        for (auto& thread : threads_)
            thread.join();
    }

    std::future<Result> post(std::packaged_task<Result()> task) {
        auto done = task.get_future();
        const std::lock_guard<std::mutex> hold(mutex_);
        tasks_.push(std::move(task));
        return done;
    }

private:
    void run() {
        for (;;) {
            std::packaged_task<Result()> task;
            {
                const std::lock_guard<std::mutex> hold(mutex_);
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::mutex mutex_;
    std::queue<std::packaged_task<Result()>> tasks_;
    std::vector<std::thread> threads_;
};

void by_two() {
    Queue<int> queue(2);
    std::vector<std::future<int>> all;
    for (int i = 0; i < 4; ++i)
        all.push_back(queue.post(std::packaged_task<int()>([i] {
            return MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        })));
}

class Worker {
public:
    Worker() : thread_([this] { run(); }) {}
    ~Worker() { thread_.join(); }
    void post(std::packaged_task<double()> task) {
        const std::lock_guard<std::mutex> hold(mutex_);
        tasks_.push(std::move(task));
    }

private:
    void run() {
        const std::lock_guard<std::mutex> hold(mutex_);
        for (; !tasks_.empty(); tasks_.pop())
            tasks_.front()();
    }

    std::mutex mutex_;
    std::queue<std::packaged_task<double()>> tasks_;
    std::thread thread_;
};

void beside_call() {
    double x = 0;
    Worker worker;
    worker.post(std::packaged_task<double()>([&x] {
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        return x;
    }));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Tasks of that type are called, too. */
void as_threads() {
    std::packaged_task<long()> here([] { return 0L; });
    here();
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        std::packaged_task<long()> task([i] {
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
            return 1L;
        });
        threads.emplace_back(std::move(task));
    }
    for (auto& thread : threads)
        thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_two();
    beside_call();
    as_threads();
    MPI_Finalize();
}
