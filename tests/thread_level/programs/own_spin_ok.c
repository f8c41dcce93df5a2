/* Spin locks of the program's own, by functions that say whether they have it.
   required: MPI_THREAD_SERIALIZED */
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

static void send(int to) { MPI_Send(0, 0, MPI_INT, to, 0, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        while (!try_flag()) {
        }
        send(0);
        atomic_flag_clear(&flag);
    }
#pragma omp parallel
    {
        while (!try_word()) {
        }
        send(1);
        __sync_lock_release(&word);
    }
#pragma omp parallel
    {
        if (try_owner()) {
            send(2);
            atomic_store(&owner, 0);
        }
        if (!is_busy()) {
            send(3);
            atomic_store(&owner, 0);
        }
    }
    MPI_Finalize();
}
