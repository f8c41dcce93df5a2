/* Members of a class that ask for the thread number.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

namespace {

class Team {
public:
    void exchange() const {
        if (is_first()) MPI_Barrier(MPI_COMM_WORLD);
        if (number() == 0) MPI_Barrier(MPI_COMM_WORLD);
        const bool first = is_first();
        if (first) MPI_Barrier(MPI_COMM_WORLD);
        if (!is_first()) return;
        MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    bool is_first() const {
        return omp_get_thread_num() == 0;
    }
    int number() const {
        return omp_get_thread_num();
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    const Team team;
#pragma omp parallel
    team.exchange();
    MPI_Finalize();
}
