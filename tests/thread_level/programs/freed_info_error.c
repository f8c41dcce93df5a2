/* An info object or a group is freed beside its use, or twice; a value is set by chance. required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static MPI_Info shared_info;

static void beside_set(void) {
    MPI_Info info;
    MPI_Info_create(&info);
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        MPI_Info_set(info, "key", "value"); /* expect: mpi-concurrent-request */
#pragma omp single
        MPI_Info_free(&info);
    }
}

static void by_all(void) {
    MPI_Info_create(&shared_info);
#pragma omp parallel
    MPI_Info_free(&shared_info); /* expect: mpi-concurrent-request */
}

static void beside_use(MPI_Comm comm) {
    int size;
    MPI_Group group;
    MPI_Comm_group(comm, &group);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Group_size(group, &size);
#pragma omp section
        MPI_Group_free(&group); /* expect: mpi-concurrent-request */
    }
}

static void by_chance(const char* const* values) {
    MPI_Info info;
    MPI_Info_create(&info);
#pragma omp parallel num_threads(2)
    MPI_Info_set(info, "key", values[omp_get_thread_num()]); /* expect: mpi-concurrent-request */
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Info_set(info, "key", "1");
#pragma omp section
        MPI_Info_set(info, "key", "2"); /* expect: mpi-concurrent-request */
    }
    MPI_Info_free(&info);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    beside_set();
    by_all();
    beside_use(MPI_COMM_WORLD);
    by_chance((const char* const*)argv);
    MPI_Finalize();
    return 0;
}
