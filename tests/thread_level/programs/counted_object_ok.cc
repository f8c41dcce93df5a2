// Threads that start with an object that has the number in it: a lambda or a function object that is
// made for the thread, what std::bind makes; or with a converted number. One of them calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

static void run(int me) {
    int value = me;
    if (me == 0) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

class Worker {
public:
    explicit Worker(int id, double part) : part_(part), id_(id) {}
    void operator()() const {
        double value = part_;
        if (id_ == 1) MPI_Send(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }

private:
    double part_;
    int id_;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread([i] { run(i); }));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread(std::bind(run, i)));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread(Worker(i, 0.5)));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(Worker(i, 0.25));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads(4);
        for (std::size_t i = 0; i < threads.size(); ++i)
            threads[i] = std::thread(run, static_cast<int>(i));
        for (auto& thread : threads) thread.join();
    }
    {
        std::thread threads[4];
        for (int i = 0; i < 4; ++i) threads[i] = std::thread([i] { run(i); });
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::unique_ptr<std::thread>> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(new std::thread([i] { run(i); }));
        for (auto& thread : threads) thread->join();
    }
    {
        std::vector<std::future<void>> parts;
        for (int i = 0; i < 4; ++i)
            parts.push_back(std::async(std::launch::async, [i] { run(i); }));
        for (auto& part : parts) part.get();
    }
    MPI_Finalize();
}
