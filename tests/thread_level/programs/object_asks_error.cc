// Twin of object_asks_ok.cc: several threads have what is asked for.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

class Context {
public:
    explicit Context(int thread) : thread_(thread) {}
    bool is_master() const { return thread_ == 0; }
    int thread() const { return thread_; }

private:
    int thread_;
};

class Other {
public:
    explicit Other(int thread) : thread_(thread) {}
    bool is_other() const { return thread_ != 0; }

private:
    int thread_;
};

static double value;

static void share(int thread) {
    if (thread == 0)
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0,  // expect: mpi-concurrent-collectives
                  MPI_COMM_WORLD);
}

class Team {
public:
    void run() {
#pragma omp parallel
        {
            communicates_ = omp_get_thread_num();
            if (omp_get_thread_num() == communicates_)
                MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
        }
    }

private:
    int communicates_ = 0;
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Context context(omp_get_thread_num() / 2);
        if (context.is_master())
            MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
#pragma omp barrier
        share(context.thread());
    }
#pragma omp parallel
    {
        Other other(omp_get_thread_num());
        if (other.is_other())
            MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE,  // expect: mpi-concurrent-collectives
                          MPI_SUM, MPI_COMM_WORLD);
    }
    Team team;
    team.run();
    MPI_Finalize();
}
