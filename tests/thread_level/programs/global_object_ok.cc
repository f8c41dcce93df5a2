/* MPI is initialized by the constructor of a global object.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

namespace {

class Environment {
public:
    explicit Environment(int level) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, level, &provided);
        if (provided < level) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~Environment() { MPI_Finalize(); }
};

struct Greeting {
    Greeting() {
#pragma omp parallel
        {
#pragma omp single
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
};

const Environment environment(MPI_THREAD_SERIALIZED);
const Greeting greeting;

}  // namespace

int main() {
    double value = 0;
#pragma omp parallel
    {
#pragma omp single
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}
