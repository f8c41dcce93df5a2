// Threads that keep their number in a static member which each of them has for itself: the main
// thread has 0.
// required: MPI_THREAD_SINGLE
#include <mpi.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace {

class Context {
public:
    static void start(std::size_t number) {
        number_ = number;
        synchronize();
    }
    static void synchronize() {
        if (number_ == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (is_first()) MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    static bool is_first() { return number_ == 0; }

    static thread_local std::size_t number_;
};

thread_local std::size_t Context::number_ = 0;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < 4; ++i) threads.emplace_back(Context::start, i);
    Context::synchronize();
    for (std::thread& thread : threads) thread.join();
    MPI_Finalize();
}
