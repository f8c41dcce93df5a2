/* Constructors and functions put the number of the thread that they are handed into members.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>

#include <omp.h>

namespace {

class Worker {
public:
    Worker(int number, int all) : number_(number), all_(all) {}
    void share() const {
        if (number_ == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    int all() const { return all_; }

private:
    int number_;
    int all_;
};

struct Part {
    int number;
};

void begin(Part* part, int number) {
    part->number = number;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const Worker worker(omp_get_thread_num(), omp_get_num_threads());
        worker.share();
        Part part;
        begin(&part, omp_get_thread_num());
#pragma omp barrier
        if (part.number == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
