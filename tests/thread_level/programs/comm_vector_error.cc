// A communicator for each thread in a vector, but all threads take the first one.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <array>
#include <vector>

class Channels {
public:
    explicit Channels(int count) : comms_(count) {
        for (auto& comm : comms_) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &common_);
    }

    double sum(double mine) const {
        double all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, common_);  // expect: mpi-concurrent-collectives
        return all;
    }

private:
    std::vector<MPI_Comm> comms_;
    MPI_Comm common_;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::array<double, 100> sums{};
    Channels channels(4);
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) sums[i] = channels.sum(i);
    MPI_Finalize();
}
