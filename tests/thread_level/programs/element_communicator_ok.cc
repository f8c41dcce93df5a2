// Elements of a vector that have communicators of their own, one for each thread.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <vector>

namespace {

struct Context {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::vector<double> sent, received;
};

class Transposer {
public:
    explicit Transposer(int threads) : contexts_(threads) {
        for (Context& context : contexts_) {
            MPI_Comm_dup(MPI_COMM_WORLD, &context.communicator);
            context.sent.resize(16);
            context.received.resize(16);
        }
    }
    void transpose() {
        Context& own = contexts_[omp_get_thread_num()];
        MPI_Alltoall(own.sent.data(), 1, MPI_DOUBLE, own.received.data(), 1, MPI_DOUBLE, own.communicator);
    }
    void close() {
        for (Context& context : contexts_) MPI_Comm_free(&context.communicator);
    }

private:
    std::vector<Context> contexts_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    Transposer transposer(omp_get_max_threads());
#pragma omp parallel
    transposer.transpose();
    transposer.close();
    MPI_Finalize();
}
