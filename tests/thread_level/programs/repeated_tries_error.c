// A lock is tried some times, and a later condition does not tell whether it has been got.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int not_looked_at(int tries) {
    int flag;
    while (tries > 0) {
        if (pthread_mutex_trylock(&lock) == 0) break;
        tries--;
    }
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    pthread_mutex_unlock(&lock);
    return flag;
}

static int once_too_often(int tries) {
    int flag;
    while (tries > 0) {
        if (pthread_mutex_trylock(&lock) == 0) break;
        tries--;
    }
    if (tries < 0) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    pthread_mutex_unlock(&lock);
    return flag;
}

static int other_way_round(int tries) {
    int flag;
    int result = 1;
    while (result != 0 && tries > 0) {
        result = pthread_mutex_trylock(&lock);
        tries--;
    }
    if (result == 0) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    return flag;
}

static int set_anew(int tries) {
    int flag = 0;
    int got = 0;
    for (int i = 0; i < tries; i++) {
        if (pthread_mutex_trylock(&lock) == 0) {
            got = 1;
            break;
        }
        got = i > 3;
    }
    if (got) {
        MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
        pthread_mutex_unlock(&lock);
    }
    return flag;
}

static int released(int tries) {
    int flag = 0;
    const int result = pthread_mutex_trylock(&lock);
    if (result == 0) {
        flag = tries;
        pthread_mutex_unlock(&lock);
    }
    if (result == 0)
        MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    return flag;
}

static void* run(void* sum) {
    *(int*)sum += not_looked_at(5) + once_too_often(6) + other_way_round(7) + set_anew(8) + released(9);
    return sum;
}

int main(int argc, char** argv) {
    int provided;
    int sums[2] = {0, 0};
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
}
