/* Threads of a team take turns by semaphores.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <semaphore.h>

static sem_t ping;
static sem_t pong;
static int value;

/* The first section begins. */
static void sections(void) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        for (int i = 0; i < 10; ++i) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
            sem_post(&ping);
            sem_wait(&pong);
        }
#pragma omp section
        for (int i = 0; i < 10; ++i) {
            sem_wait(&ping);
            MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            sem_post(&pong);
        }
    }
}

/* A semaphore is 1 at first. */
static void numbers(int rounds) {
    sem_t even;
    sem_t odd;
    sem_init(&even, 0, 1);
    sem_init(&odd, 0, 0);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < rounds; ++i) {
                sem_wait(&even);
                MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
                sem_post(&odd);
            }
        } else {
            for (int i = 0; i < rounds; ++i) {
                sem_wait(&odd);
                MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
                sem_post(&even);
            }
        }
    }
}

/* Each round is a branch of its own. */
static void branches(int rounds) {
    sem_t request;
    sem_t answer;
    sem_init(&request, 0, 0);
    sem_init(&answer, 0, 0);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < rounds; ++i) {
        if (omp_get_thread_num() == 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
            sem_post(&request);
            sem_wait(&answer);
        } else {
            sem_wait(&request);
            MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            sem_post(&answer);
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    sections();
    numbers(10);
    branches(10);
    MPI_Finalize();
    return 0;
}
