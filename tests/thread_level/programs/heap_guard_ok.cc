// Guards of a lock that are on the heap.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <memory>
#include <mutex>
#include <optional>
static std::mutex mutex;
static int value;
class Guard {
public:
    explicit Guard(std::mutex& m) : mutex_(m) { mutex_.lock(); }
    ~Guard() { mutex_.unlock(); }
private:
    std::mutex& mutex_;
};
static void send(int tag) { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF); }
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        auto* hold = new std::lock_guard<std::mutex>(mutex);
        send(1);
        delete hold;
    }
#pragma omp parallel
    {
        const auto hold = std::make_unique<std::unique_lock<std::mutex>>(mutex);
        send(2);
    }
#pragma omp parallel
    {
        std::unique_ptr<Guard> hold(new Guard(mutex));
        send(3);
    }
#pragma omp parallel
    {
        std::optional<std::lock_guard<std::mutex>> hold;
        hold.emplace(mutex);
        send(4);
    }
    MPI_Finalize();
}
