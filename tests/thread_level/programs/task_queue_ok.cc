/* Packaged tasks that one thread works off, one after the other: all of MPI is called by that thread.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

namespace {

class Communication {
public:
    Communication() : thread_([this] { run(); }) {}

    ~Communication() {
        {
            const std::lock_guard<std::mutex> hold(mutex_);
            ended_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    std::future<int> post(std::packaged_task<int()> task) {
        auto done = task.get_future();
        {
            const std::lock_guard<std::mutex> hold(mutex_);
            tasks_.push(std::move(task));
        }
        changed_.notify_one();
        return done;
    }

    std::future<int> sum(double* x) {
        return post(std::packaged_task<int()>([x] {
            return MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }));
    }

    std::future<int> share(double* x) {
        return post(std::packaged_task<int()>(
            [x] { return MPI_Bcast(x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }));
    }

private:
    void run() {
        for (;;) {
            std::packaged_task<int()> task;
            {
                std::unique_lock<std::mutex> hold(mutex_);
                changed_.wait(hold, [this] { return ended_ || !tasks_.empty(); });
                if (tasks_.empty()) break;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::packaged_task<int()>> tasks_;
    bool ended_ = false;
    std::thread thread_;
};

/* What keeps functions without a result. */
class Jobs {
public:
    Jobs() : thread_([this] { run(); }) {}

    ~Jobs() {
        {
            const std::lock_guard<std::mutex> hold(mutex_);
            ended_ = true;
        }
        thread_.join();
    }

    template <class Work>
    void add(Work work) {
        const auto task = std::make_shared<std::packaged_task<double()>>(std::move(work));
        const std::lock_guard<std::mutex> hold(mutex_);
        jobs_.push([task] { (*task)(); });
    }

private:
    void run() {
        for (;;) {
            std::function<void()> job;
            {
                const std::lock_guard<std::mutex> hold(mutex_);
                if (ended_ && jobs_.empty()) break;
                if (jobs_.empty()) continue;
                job = std::move(jobs_.front());
                jobs_.pop();
            }
            job();
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }

    std::mutex mutex_;
    std::queue<std::function<void()>> jobs_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    double a = 1;
    double b = 2;
    {
        Communication communication;
        communication.share(&a).get();
        MPI_Barrier(MPI_COMM_WORLD);
        auto first = communication.sum(&a);
        auto second = communication.sum(&b);
        auto third = communication.share(&b);
        first.wait();
        second.wait();
        third.wait();
    }
    {
        Jobs jobs;
        for (int i = 0; i < 4; ++i) {
            jobs.add([&a] {
                MPI_Allreduce(MPI_IN_PLACE, &a, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
                return a;
            });
        }
    }
    MPI_Finalize();
}
