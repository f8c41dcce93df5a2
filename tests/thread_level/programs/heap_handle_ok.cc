// Handles in objects on the heap that each thread makes for itself, or takes for itself.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

class Solver {
public:
    Solver() { MPI_Comm_dup(MPI_COMM_SELF, &comm_); }
    void run() {
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        MPI_Barrier(comm_);
    }
    MPI_Request request_ = MPI_REQUEST_NULL;

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::vector<std::unique_ptr<Solver>> all(64);
    auto first = std::make_unique<Solver>();
    auto second = std::make_shared<Solver>();
#pragma omp parallel
    {
        auto own = std::make_unique<Solver>();
        auto shared = std::make_shared<Solver>();
        auto* made = new Solver;
        own->run();
        shared->run();
        made->run();
        MPI_Wait(&own->request_, MPI_STATUS_IGNORE);
        MPI_Wait(&made->request_, MPI_STATUS_IGNORE);
        all[omp_get_thread_num()]->run();
        MPI_Wait(&all[omp_get_thread_num()]->request_, MPI_STATUS_IGNORE);
        delete made;
    }
#pragma omp parallel sections
    {
#pragma omp section
        first->run();
#pragma omp section
        second->run();
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        auto* each = new Solver;
        threads.emplace_back([each] { each->run(); });
    }
    for (auto& thread : threads) thread.join();
    MPI_Finalize();
}
