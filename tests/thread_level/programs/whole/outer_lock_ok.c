/* A lock that is a variable of the function which starts and joins the threads, or that it makes, and that a member of
   what each thread gets points to: whoever calls the function, one call of it starts all those threads. */
/* required: MPI_THREAD_SERIALIZED */
/* file: threads.c */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include "all.h"

typedef struct on_heap { int me; pthread_mutex_t *lock; } on_heap;
static void count_heap(on_heap *mine) {
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_mutex_unlock(mine->lock);
}
static void *run_heap(void *data) {
    count_heap(data);
    return NULL;
}
/* The elements are on the heap. */
void elements_on_heap(void) {
    pthread_mutex_t lock;
    pthread_t threads[4];
    on_heap *all = calloc(4, sizeof *all);
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 4; i++) {
        all[i].me = i;
        all[i].lock = &lock;
        pthread_create(&threads[i], NULL, run_heap, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    free(all);
}

typedef struct on_stack { pthread_mutex_t *lock; int value; } on_stack;
static void *run_stack(void *data) {
    on_stack *mine = data;
    pthread_mutex_lock(mine->lock);
    MPI_Send(&mine->value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
void elements_on_stack(void) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[4];
    on_stack all[4];
    for (int i = 0; i < 4; i++) {
        all[i].lock = &lock;
        pthread_create(&threads[i], NULL, run_stack, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

typedef struct lock_on_heap { int me; pthread_mutex_t *lock; } lock_on_heap;
static void *run_made(void *data) {
    lock_on_heap *mine = data;
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
/* The lock is on the heap, too. */
void lock_is_made(void) {
    pthread_mutex_t *lock = malloc(sizeof *lock);
    lock_on_heap *all = malloc(4 * sizeof *all);
    pthread_t threads[4];
    pthread_mutex_init(lock, NULL);
    for (int i = 0; i < 4; i++) {
        all[i].me = i;
        all[i].lock = lock;
        pthread_create(&threads[i], NULL, run_made, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    free(all);
    free(lock);
}

typedef struct of_helper { int me; pthread_mutex_t *lock; } of_helper;
static void *run_helped(void *data) {
    of_helper *mine = data;
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
static void start(pthread_t *threads, of_helper *all) {
    for (int i = 0; i < 4; i++) {
        all[i].me = i;
        pthread_create(&threads[i], NULL, run_helped, &all[i]);
    }
}
/* Another function starts the threads. */
void starts_below(void) {
    pthread_mutex_t lock;
    pthread_t threads[4];
    of_helper all[4];
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 4; i++)
        all[i].lock = &lock;
    start(threads, all);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

typedef struct of_team { omp_lock_t *lock; int value; } of_team;
static void send_all(of_team *mine) {
    omp_set_lock(mine->lock);
    MPI_Send(&mine->value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    omp_unset_lock(mine->lock);
}
/* A team. */
void team_below(void) {
    omp_lock_t lock;
    of_team common;
    common.lock = &lock;
    common.value = 1;
    omp_init_lock(&lock);
#pragma omp parallel
    send_all(&common);
    omp_destroy_lock(&lock);
}
/* file: all.h */
void elements_on_heap(void);
void elements_on_stack(void);
void lock_is_made(void);
void starts_below(void);
void team_below(void);
/* file: main.c */
#include <mpi.h>
#include "all.h"
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    elements_on_heap();
    elements_on_stack();
    elements_on_stack();
    lock_is_made();
    starts_below();
#pragma omp parallel
    {
#pragma omp master
        team_below();
    }
    MPI_Finalize();
    return 0;
}
