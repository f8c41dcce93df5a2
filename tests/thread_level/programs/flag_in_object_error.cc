// An object of each thread whose constructor gets something else than the number.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

namespace {

void by_number(int id) {
    if (id == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

class Worker {
public:
    Worker(int group, bool is_first)
        : group_(omp_get_thread_num() % group), is_first_(is_first || group_ == 0) {}

    void wait() const {
        if (is_first_) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    }
    void hand_on() const { by_number(group_); }

private:
    int group_;
    bool is_first_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Worker worker(argc, argc > 2);
        worker.wait();
#pragma omp barrier
        worker.hand_on();
    }
    MPI_Finalize();
    return 0;
}
