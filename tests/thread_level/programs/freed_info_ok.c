/* Info objects are for each thread, read by all, freed behind a barrier or one after the other: that needs no level, not even
   beside other calls. required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <pthread.h>

static MPI_Info shared_info;

static void behind_barrier(void) {
    MPI_Info info;
    MPI_Info_create(&info);
#pragma omp parallel
    {
        int keys;
        MPI_Info_get_nkeys(info, &keys);
#pragma omp single
        MPI_Info_set(info, "key", "value");
#pragma omp single
        MPI_Info_free(&info);
    }
}

static void of_each_thread(void) {
#pragma omp parallel
    {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "key", "value");
        MPI_Info_free(&info);
    }
}

static void by_main(MPI_Comm comm) {
    int size;
    MPI_Group group;
    MPI_Comm_group(comm, &group);
#pragma omp parallel
    {
#pragma omp master
        MPI_Group_size(group, &size);
#pragma omp master
        MPI_Group_free(&group);
    }
}

static void* run(void* argument) {
    MPI_Info_set(shared_info, "key", "value");
    return argument;
}

static void beside_thread(MPI_Comm comm) {
    pthread_t thread;
    MPI_Info_create(&shared_info);
    pthread_create(&thread, 0, run, 0);
    MPI_Barrier(comm);
    pthread_join(thread, 0);
    MPI_Info_free(&shared_info);
}

static void each_key(const char* const* values) {
    MPI_Info info;
    MPI_Info_create(&info);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Info_set(info, "one", "1");
#pragma omp section
        MPI_Info_set(info, "two", "2");
    }
#pragma omp parallel
    MPI_Info_set(info, "key", "value");
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) MPI_Info_set(info, values[i], values[i + 8]);
    MPI_Info_free(&info);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    behind_barrier();
    of_each_thread();
    by_main(MPI_COMM_WORLD);
    beside_thread(MPI_COMM_WORLD);
    each_key((const char* const*)argv);
    pthread_t thread;
    MPI_Info_create(&shared_info);
    pthread_create(&thread, 0, run, 0);
    MPI_Finalize();
    pthread_join(thread, 0);
    MPI_Info_free(&shared_info);
    return 0;
}
