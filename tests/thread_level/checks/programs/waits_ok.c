/* One thread waits for the other by means that are no barriers of the team: nothing is said of
 * what is ordered so. */
#include <semaphore.h>

#include "program.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_set;

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
#pragma omp parallel num_threads(2)
    {
        const int is_first = omp_get_thread_num() == 0;
        if (is_first) {
            SEND("a");
            usleep(10000);
            pthread_mutex_lock(&mutex);
            is_set = 1;
            pthread_cond_signal(&condition);
            pthread_mutex_unlock(&mutex);
        } else {
            pthread_mutex_lock(&mutex);
            while (!is_set)
                pthread_cond_wait(&condition, &mutex);
            pthread_mutex_unlock(&mutex);
            SEND("b");
        }
#pragma omp barrier
        if (is_first) {
            SEND("c");
            sem_post(&semaphore);
        } else {
            sem_wait(&semaphore);
            SEND("d");
        }
#pragma omp barrier
        if (is_first) SEND("e");
        pthread_barrier_wait(&barrier);
        if (!is_first) SEND("f");
    }
    return 0;
}
