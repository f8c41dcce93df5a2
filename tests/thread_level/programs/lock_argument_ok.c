/* One function that takes and releases a lock, as its argument says; only with several threads.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <string.h>

enum action { INIT, SET, UNSET };

static omp_lock_t lock;
static int use_lock;

static void operate(enum action what) {
    switch (what) {
        case INIT:
            omp_init_lock(&lock);
            break;
        case SET:
            omp_set_lock(&lock);
            break;
        case UNSET:
            omp_unset_lock(&lock);
            break;
    }
}

static void hold(int set) {
    if (set)
        omp_set_lock(&lock);
    else
        omp_unset_lock(&lock);
}

static void by_name(const char* what, omp_lock_t* l) {
    if (strcmp(what, "init") == 0)
        omp_init_lock(l);
    else if (strncmp(what, "set", 3) == 0)
        omp_set_lock(l);
    else if (strcmp(what, "unset") == 0)
        omp_unset_lock(l);
}

static void send(int* value) {
    MPI_Send(value, 1, MPI_INT, 0, *value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    use_lock = omp_get_max_threads() > 1 && provided < MPI_THREAD_MULTIPLE;
    operate(INIT);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        if (use_lock) operate(SET);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        send(&value);
        if (use_lock) operate(UNSET);
    }
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        for (int round = 0; round < 3; ++round) {
            hold(1);
            MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
            hold(0);
        }
    }
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        by_name("set", &lock);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        by_name("unset", &lock);
    }
    MPI_Finalize();
}
