// The program's own guards in a std::optional.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <mutex>
#include <optional>
namespace {
int value;
std::mutex library;
class Hold {
public:
    explicit Hold(std::mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    ~Hold() { mutex_.unlock(); }
    Hold(const Hold&) = delete;
private:
    std::mutex& mutex_;
};
}
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        std::optional<Hold> hold;
        hold.emplace(library);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        hold.reset();
    }
#pragma omp parallel
    {
        std::optional<Hold> hold(std::in_place, library);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
    MPI_Finalize();
}
