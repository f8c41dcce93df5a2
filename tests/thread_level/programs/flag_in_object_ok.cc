// An object of each thread whose constructor asks for the number.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

namespace {

void by_number(int id) {
    if (id == 0) MPI_Barrier(MPI_COMM_WORLD);
}

class Worker {
public:
    Worker() : id_(omp_get_thread_num()), is_first_(id_ == 0) {}

    bool is_first() const { return is_first_; }
    int id() const { return id_; }
    void wait() const {
        if (is_first_) MPI_Barrier(MPI_COMM_WORLD);
    }
    void hand_on() const { by_number(id_); }

private:
    int id_;
    bool is_first_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Worker worker;
        worker.wait();
        worker.hand_on();
        if (worker.is_first()) MPI_Barrier(MPI_COMM_WORLD);
        by_number(worker.id());
    }
    MPI_Finalize();
    return 0;
}
