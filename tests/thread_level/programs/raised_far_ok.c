/* A number that is raised far behind where it is set: the compiler has to get over it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int count(void);
void use(int number);

#define TEN(what) what; what; what; what; what; what; what; what; what; what

int main(int argc, char** argv) {
    int provided = 0;
    int number = count();
    TEN(TEN(use(1)));
    TEN(TEN(use(2)));
    TEN(TEN(use(3)));
    number = number + 1;
    use(number);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 1) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
