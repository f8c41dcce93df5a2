/* Functions that say whether they have a spin lock, and MPI called where they have not.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int word;
static atomic_int owner;

static bool try_flag(void) { return !atomic_flag_test_and_set(&flag); }

static int try_word(void) { return __sync_lock_test_and_set(&word, 1) == 0; }

static bool try_owner(void) {
    int expected = 0;
    return atomic_compare_exchange_strong(&owner, &expected, 1);
}

static bool is_busy(void) { return atomic_exchange(&owner, 1) != 0; }

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        while (try_flag()) {
        }
        MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);  /* expect: mpi-thread-level */
        atomic_flag_clear(&flag);
    }
#pragma omp parallel
    {
        while (try_word()) {
        }
        MPI_Send(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);  /* expect: mpi-thread-level */
        __sync_lock_release(&word);
    }
#pragma omp parallel
    {
        if (!try_owner()) {
            MPI_Send(0, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);  /* expect: mpi-thread-level */
            atomic_store(&owner, 0);
        }
        if (is_busy()) {
            MPI_Send(0, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);
            atomic_store(&owner, 0);
        }
    }
    MPI_Finalize();
}
