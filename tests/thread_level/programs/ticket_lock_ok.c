/* Ticket locks of the program's own, that functions are handed.
   required: MPI_THREAD_SERIALIZED */
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

static void ticket_lock(struct ticket* lock) {
    const unsigned mine = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->serving, memory_order_acquire) != mine) {
    }
}

static void ticket_unlock(struct ticket* lock) {
    atomic_fetch_add_explicit(&lock->serving, 1, memory_order_release);
}

static void built_in_lock(struct plain* lock) {
    const unsigned mine = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);
    while (mine != __atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)) {
    }
}

static void built_in_unlock(struct plain* lock) {
    const unsigned served = __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);
    __atomic_store_n(&lock->serving, served + 1, __ATOMIC_RELEASE);
}

static void capture_lock(struct plain* lock) {
    unsigned mine, served;
#pragma omp atomic capture
    mine = lock->next++;
    do {
#pragma omp atomic read acquire
        served = lock->serving;
    } while (served != mine);
}

static void capture_unlock(struct plain* lock) {
#pragma omp atomic update release
    lock->serving++;
}

static void send(int to) { MPI_Send(0, 0, MPI_INT, to, 0, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        ticket_lock(&ticket);
        send(0);
        ticket_unlock(&ticket);
    }
#pragma omp parallel
    {
        built_in_lock(&built_in);
        send(1);
        built_in_unlock(&built_in);
    }
#pragma omp parallel
    {
        capture_lock(&captured);
        send(2);
        capture_unlock(&captured);
    }
    MPI_Finalize();
}
