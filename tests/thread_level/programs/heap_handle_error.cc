// Handles in objects that a smart pointer of all threads is for, or a pointer to what "new" makes.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <memory>

static MPI_Status statuses[4];

namespace {

struct Context {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

class Solver {
public:
    Solver() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
    void run() {
        MPI_Wait(&request_, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    }
    void meet() {
        MPI_Barrier(comm_);  // expect: mpi-concurrent-collectives
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

Solver* solver = nullptr;

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    auto shared = std::make_shared<Context>();
    auto unique = std::make_unique<Context>();
    auto* made = new Context;
    auto owned = std::make_unique<Solver>();
    solver = new Solver;
    MPI_Comm_dup(MPI_COMM_WORLD, &shared->comm);
#pragma omp parallel
    MPI_Barrier(shared->comm);  // expect: mpi-concurrent-collectives
#pragma omp parallel
    MPI_Wait(&unique->requests[1], MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
#pragma omp parallel
    MPI_Waitall(2, made->requests, statuses);  // expect: mpi-concurrent-request
#pragma omp parallel
    owned->run();
#pragma omp parallel
    solver->meet();
    MPI_Finalize();
}
