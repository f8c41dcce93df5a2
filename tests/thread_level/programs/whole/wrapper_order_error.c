/* Functions of other files that lock and unlock, called on many ways by one that does nothing but call:
   on one of them too late.
   requested: MPI_THREAD_SERIALIZED
   required: MPI_THREAD_MULTIPLE */

/* file: lock.c */
#include <omp.h>

static omp_lock_t lock;

void make_lock(void) { omp_init_lock(&lock); }

void lock_mpi(void) { omp_set_lock(&lock); }

void unlock_mpi(void) { omp_unset_lock(&lock); }

/* file: send.c */
#include <mpi.h>

void send(int to) {
    MPI_Send(0, 0, MPI_INT, to, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

/* file: main.c */
#include <mpi.h>

void make_lock(void);
void lock_mpi(void);
void unlock_mpi(void);
void send(int to);
int is_due(int event);

int is_due(int event) { return event % 3 == 0; }

static void send_due(int event) {
    if (is_due(event)) {
        lock_mpi();
        send(0);
        unlock_mpi();
    }
    switch (event) {
        case 1:
            lock_mpi();
            send(1);
            unlock_mpi();
            break;
        case 4:
            if (is_due(event + 1)) return;
            lock_mpi();
            send(2);
            unlock_mpi();
            break;
        case 7:
            while (is_due(event + 2)) {
                if (is_due(event + 3)) send(3);
                lock_mpi();
                unlock_mpi();
            }
            break;
        default:
            break;
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    make_lock();
#pragma omp parallel for
    for (int event = 0; event < 10; ++event)
        send_due(event);
    MPI_Finalize();
    return 0;
}
