// The rank of the process is in a member of an object, so that no two threads are on different
// sides of it.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

class Group {
public:
    explicit Group(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
    }
    int rank() const { return rank_; }
    void gather(int* values);
    void spread(int* values);

private:
    MPI_Comm comm_;
    int rank_ = -1;
    int size_ = 0;
};

void Group::gather(int* values) {
    if (rank_ == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm_, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 1, comm_);
    }
}

void Group::spread(int* values) {
    if (rank() > 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(values, 1, MPI_INT, 0, 2, comm_, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 1, 2, comm_);
    }
}

void copy_out(const Group& group, int* values) {
    if (group.rank() != 0) {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        return;
    }
#pragma omp master
    MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Group group(MPI_COMM_WORLD);
        int values[4] = {};
#pragma omp parallel
        {
            group.gather(values);
#pragma omp barrier
            group.spread(values);
#pragma omp barrier
            copy_out(group, values);
        }
    }
    MPI_Finalize();
}
