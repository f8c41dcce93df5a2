// The thread level that a function returns is too low for what is done then; and what another one
// returns is no level.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

class Environment {
public:
    Environment(int* argc, char*** argv) {
        MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level_);
    }
    ~Environment() { MPI_Finalize(); }
    int level() const { return level_; }
    int verbosity(int least) const { return verbosity_ < least ? least : verbosity_; }

private:
    int level_ = 0;
    int verbosity_ = 3;
};

static void send_all() {
#pragma omp parallel
    {
        int value = 0;
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

static void probe_all() {
#pragma omp parallel
    {
        int found = 0;
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    }
}

int main(int argc, char** argv) {
    Environment environment(&argc, &argv);
    if (environment.level() >= MPI_THREAD_SERIALIZED) send_all();
    if (environment.verbosity(1) >= MPI_THREAD_MULTIPLE) probe_all();
}
