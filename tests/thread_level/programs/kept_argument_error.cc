/* Constructors and functions put into members what they are handed: the number of the thread, and
   other ones.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <omp.h>

namespace {

class Worker {
public:
    explicit Worker(int number) : number_(number) {}
    void share() const {
        if (number_ == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }

private:
    int number_;
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
        const Worker worker(omp_get_thread_num() / 2);
        worker.share();
        Part part;
        begin(&part, omp_get_thread_num());
        part.number -= omp_get_thread_num();
#pragma omp barrier
        if (part.number == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
    return 0;
}
