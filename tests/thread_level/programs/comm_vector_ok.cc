// A communicator for each thread in a vector.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <array>
#include <vector>

class Channels {
public:
    explicit Channels(int count) : comms_(count) {
        for (auto& comm : comms_) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }

    double sum(double mine) const {
        double all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comms_[omp_get_thread_num()]);
        return all;
    }

private:
    std::vector<MPI_Comm> comms_;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::array<double, 4> sums{};
    Channels channels(4);
#pragma omp parallel num_threads(4)
    sums[omp_get_thread_num()] = channels.sum(omp_get_thread_num());
    MPI_Finalize();
}
