// A guard asks a static member whether MPI is initialized.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>
class Guard {
    bool mine = false;
    static bool initialized() { int flag; MPI_Initialized(&flag); return flag; }
public:
    Guard() { if (!initialized()) { MPI_Init(nullptr, nullptr); mine = true; } }
    ~Guard() { if (mine) MPI_Finalize(); }
};
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Guard guard;
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
