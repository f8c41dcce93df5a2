// Each object has the identity of the thread that made it.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>

namespace {

class Worker {
public:
    Worker() : owner_(std::this_thread::get_id()) {}
    bool is_owner() const { return std::this_thread::get_id() == owner_; }
    void send(int value) const {
        if (!is_owner()) return;
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);  // expect: mpi-thread-level
    }

private:
    std::thread::id owner_;
};

void work(int value) { Worker().send(value); }

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread first(work, 1);
    std::thread second(work, 2);
    first.join();
    second.join();
    MPI_Finalize();
    return 0;
}
