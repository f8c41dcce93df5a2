// A function of another file in a std::function, which a third calls in a region, by one thread.
// required: MPI_THREAD_SERIALIZED
// file: tell.cc
#include <mpi.h>
void tell(int i) {
    MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}
// file: in_team.cc
#include <functional>
void in_team(const std::function<void(int)>& work) {
#pragma omp parallel
#pragma omp single
    work(1);
}
// file: main.cc
#include <mpi.h>
#include <functional>
void in_team(const std::function<void(int)>& work);
void tell(int i);
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    in_team(tell);
    MPI_Finalize();
}
