// Elements of a vector that all have one communicator, whichever of them a thread takes.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <vector>

namespace {

struct Context {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::vector<double> sent, received;
};

struct Plain {
    MPI_Comm communicator;
    int calls;
};

std::vector<Plain> plain;

class Transposer {
public:
    explicit Transposer(int threads) : contexts_(threads) {
        for (Context& context : contexts_) {
            context.communicator = MPI_COMM_WORLD;
            context.sent.resize(16);
            context.received.resize(16);
        }
    }
    void transpose() {
        Context& own = contexts_[omp_get_thread_num()];
        MPI_Alltoall(own.sent.data(), 1, MPI_DOUBLE, own.received.data(), 1, MPI_DOUBLE, own.communicator);  // expect: mpi-concurrent-collectives
    }

private:
    std::vector<Context> contexts_;
};

void step() {
    MPI_Barrier(plain[omp_get_thread_num()].communicator);  // expect: mpi-concurrent-collectives
}

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    Transposer transposer(omp_get_max_threads());
#pragma omp parallel
    transposer.transpose();
    for (int i = 0; i < omp_get_max_threads(); ++i) plain.push_back({MPI_COMM_WORLD, 0});
#pragma omp parallel
    step();
    MPI_Finalize();
}
