/* Members of a class that do not tell which thread it is.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

namespace {

class Team {
public:
    void exchange(int* value) const {
        if (is_there()) MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp barrier
        if (!is_first()) MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }

private:
    bool is_there() const {
        return omp_get_thread_num() >= 0;
    }
    bool is_first() const {
        return omp_get_thread_num() == 0;
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    const Team team;
#pragma omp parallel
    team.exchange(&value);
    MPI_Finalize();
}
