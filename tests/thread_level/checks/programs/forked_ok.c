/* without: OpenMP
   The child has a report of its own, and the thread that the parent has in a call is not in it. */
#include <sys/wait.h>

#include "program.h"

static void* send(void* unused) {
    mpi_work = meet;
    SEND("a");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) == 0)
        usleep(100);
    const pid_t child = fork();
    mpi_work = return_at_once;
    if (child == 0) {
        SEND("b");
        return 0;
    }
    waitpid(child, NULL, 0);
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    SEND("c");
    return 0;
}
