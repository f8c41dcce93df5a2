/* What looks like ticket locks that functions are handed, but keeps nobody out.
   required: MPI_THREAD_MULTIPLE */
#include <stdatomic.h>

#include <mpi.h>

struct ticket {
    atomic_uint next;
    atomic_uint serving;
};

struct plain {
    unsigned next;
    unsigned serving;
};

static struct ticket ticket;
static struct plain built_in;
static struct plain captured;

/* Waits for the number of the next one. */
static void ticket_lock(struct ticket* lock) {
    const unsigned mine = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->next, memory_order_acquire) != mine) {
    }
}

static void ticket_unlock(struct ticket* lock) {
    atomic_fetch_add_explicit(&lock->serving, 1, memory_order_release);
}

/* Draws without counting. */
static void built_in_lock(struct plain* lock) {
    const unsigned mine = __atomic_load_n(&lock->next, __ATOMIC_RELAXED);
    while (mine != __atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)) {
    }
}

static void built_in_unlock(struct plain* lock) {
    const unsigned served = __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);
    __atomic_store_n(&lock->serving, served + 1, __ATOMIC_RELEASE);
}

/* Looks once. */
static void capture_lock(struct plain* lock) {
    unsigned mine, served;
#pragma omp atomic capture
    mine = lock->next++;
#pragma omp atomic read acquire
    served = lock->serving;
    if (served != mine) served = mine;
}

static void capture_unlock(struct plain* lock) {
#pragma omp atomic update release
    lock->serving++;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        ticket_lock(&ticket);
        MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        ticket_unlock(&ticket);
    }
#pragma omp parallel
    {
        built_in_lock(&built_in);
        MPI_Send(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        built_in_unlock(&built_in);
    }
#pragma omp parallel
    {
        capture_lock(&captured);
        MPI_Send(0, 0, MPI_INT, 2, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        capture_unlock(&captured);
    }
    MPI_Finalize();
}
