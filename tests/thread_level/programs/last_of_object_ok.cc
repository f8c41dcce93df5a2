// Function objects that threads start with, with their number and how many there are: one calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <thread>
#include <vector>

struct Task {
    int number;
    int threads;
    void operator()() const {
        int value = number;
        if (number == threads - 1) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(Task{i, 4});
        for (auto& thread : threads) thread.join();
    }
    {
        const int count = static_cast<int>(std::thread::hardware_concurrency());
        std::vector<std::thread> threads;
        for (int i = 0; i < count; ++i) threads.push_back(std::thread(Task{i, count}));
        for (auto& thread : threads) thread.join();
    }
    MPI_Finalize();
}
