/* One function takes a lock, another one releases it, where a global variable says so.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static omp_lock_t lock;
static omp_lock_t locks[2];
static bool use_lock;

static void begin(void) {
    if (use_lock) omp_set_lock(&lock);
}

static void end(void) {
    if (use_lock) omp_unset_lock(&lock);
}

static void take(omp_lock_t* l) { omp_set_lock(l); }
static void give(omp_lock_t* l) { omp_unset_lock(l); }
static void take_number(int i) { omp_set_lock(&locks[i]); }
static void give_number(int i) { omp_unset_lock(&locks[i]); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    use_lock = omp_get_max_threads() > 1;
    omp_init_lock(&lock);
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        begin();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        end();
    }
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        take(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
        give(&lock);
    }
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        take_number(1);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        give_number(1);
    }
    MPI_Finalize();
}
