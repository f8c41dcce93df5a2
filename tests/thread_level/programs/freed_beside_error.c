/* A communicator, a window and a file are freed, or an epoch is ended, while others use them; groups
   that threads make at a time have one tag.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static MPI_Comm comm;
static MPI_Comm other;
static MPI_Win window;
static MPI_File file;

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Group group;
    MPI_Comm one, two;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
#pragma omp section
        MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Win_flush_all(window);
#pragma omp section
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &one);
#pragma omp section
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &two); /* expect: mpi-concurrent-collectives */
#pragma omp section
        MPI_Comm_free(&comm); /* expect: mpi-concurrent-request */
#pragma omp section
        MPI_File_close(&file); /* expect: mpi-concurrent-request */
#pragma omp section
        MPI_Win_unlock_all(window); /* expect: mpi-concurrent-request */
    }
#pragma omp parallel
    MPI_Comm_free(&other); /* expect: mpi-concurrent-collectives */
    MPI_Win_free(&window);
    MPI_Finalize();
}
