// Objects that threads make with their numbers, and ask whether they communicate; and one that all
// share, which has the number of the thread that does.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

class Context {
public:
    explicit Context(int thread) : thread_(thread) {}
    bool is_master() const { return thread_ == 0; }
    bool is_other() const { return thread_ != 0; }
    int thread() const { return thread_; }

private:
    int thread_;
};

static double value;

static void share(int thread) {
    if (thread == 0) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

class Team {
public:
    explicit Team(int threads) : communicates_(threads - 1) {}

    void run() {
#pragma omp parallel
        {
            if (omp_get_thread_num() == communicates_) MPI_Barrier(MPI_COMM_WORLD);
        }
    }

private:
    int communicates_;
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Context context(omp_get_thread_num());
        if (context.is_master()) MPI_Barrier(MPI_COMM_WORLD);
        if (!context.is_other()) MPI_Barrier(MPI_COMM_WORLD);
        if (context.thread() == 0) MPI_Barrier(MPI_COMM_WORLD);
        share(context.thread());
    }
    Team team(omp_get_max_threads());
    team.run();
    MPI_Finalize();
}
