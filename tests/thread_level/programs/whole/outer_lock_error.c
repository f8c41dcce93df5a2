/* As outer_lock_ok.c, but threads that meet have locks of their own: several threads at a time call what the lock is a
   variable of, or it is another one each time that it is made. */
/* required: MPI_THREAD_MULTIPLE */
/* file: threads.c */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include "all.h"

typedef struct of_team { int me; pthread_mutex_t *lock; } of_team;
static void *run_team(void *data) {
    of_team *mine = data;
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* expect: mpi-thread-level */
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
/* A team calls it. */
void called_by_team(void) {
    pthread_mutex_t lock;
    pthread_t threads[4];
    of_team *all = calloc(4, sizeof *all);
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 4; i++) {
        all[i].me = i;
        all[i].lock = &lock;
        pthread_create(&threads[i], NULL, run_team, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    free(all);
}

typedef struct of_threads { int me; pthread_mutex_t *lock; } of_threads;
static void *run_threads(void *data) {
    of_threads *mine = data;
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* expect: mpi-thread-level */
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
/* Two threads of the program's own call it. */
void called_by_threads(void) {
    pthread_mutex_t lock;
    pthread_t threads[4];
    of_threads all[4];
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 4; i++) {
        all[i].me = i;
        all[i].lock = &lock;
        pthread_create(&threads[i], NULL, run_threads, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

typedef struct of_each { int me; pthread_mutex_t *lock; } of_each;
static void *run_each(void *data) {
    of_each *mine = data;
    int size;
    pthread_mutex_lock(mine->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* expect: mpi-thread-level */
    pthread_mutex_unlock(mine->lock);
    return NULL;
}
/* Each thread gets another one. */
void one_for_each(void) {
    pthread_t threads[4];
    of_each all[4];
    for (int i = 0; i < 4; i++) {
        pthread_mutex_t *lock = malloc(sizeof *lock);
        pthread_mutex_init(lock, NULL);
        all[i].me = i;
        all[i].lock = lock;
        pthread_create(&threads[i], NULL, run_each, &all[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

typedef struct of_inner { omp_lock_t *lock; int value; } of_inner;
static void send_all(of_inner *mine) {
    omp_set_lock(mine->lock);
    MPI_Send(&mine->value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    omp_unset_lock(mine->lock);
}
/* Each thread of a team has a lock. */
void send_of_team(void) {
    omp_lock_t lock;
    of_inner mine;
    mine.lock = &lock;
    mine.value = 1;
    omp_init_lock(&lock);
    send_all(&mine);
    omp_destroy_lock(&lock);
}
/* file: all.h */
void called_by_team(void);
void called_by_threads(void);
void one_for_each(void);
void send_of_team(void);
/* file: main.c */
#include <mpi.h>
#include <pthread.h>
#include "all.h"
static void *run(void *data) {
    called_by_threads();
    return data;
}
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    called_by_team();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    one_for_each();
#pragma omp parallel
    send_of_team();
    MPI_Finalize();
    return 0;
}
