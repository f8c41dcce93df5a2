// The thread level that a function returns, as a member of its class or of what it makes.
// required: MPI_THREAD_SINGLE
#include <mpi.h>

class Environment {
public:
    Environment(int* argc, char*** argv) {
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level_);
    }
    ~Environment() { MPI_Finalize(); }
    int level() const { return level_; }

private:
    int level_ = 0;
};

struct Facts {
    int rank;
    int level;
};

static Facts facts(const Environment& environment) {
    Facts all{0, environment.level()};
    MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
    return all;
}

static int level_of(const Environment& environment) {
    return facts(environment).level;
}

static void send_all() {
#pragma omp parallel
    {
        int value = 0;
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    }
}

int main(int argc, char** argv) {
    Environment environment(&argc, &argv);
    if (environment.level() >= MPI_THREAD_MULTIPLE) send_all();
    if (facts(environment).level == MPI_THREAD_MULTIPLE) send_all();
    if (level_of(environment) >= MPI_THREAD_MULTIPLE) send_all();
}
