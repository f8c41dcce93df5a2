/* While receives and a send are pending a program loads from what is beside their buffers and from
 * what is being sent, and does what must not be disturbed: it starts processes and threads, blocks
 * signals and has one handled, jumps.
 *
 *   ranks: 2
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/checked/checked.h"

extern char** environ;
static volatile sig_atomic_t handled;

static void handle(int number) {
    handled += number;
}

static void* run(void* number) {
    *(int*)number = 7;
    return NULL;
}

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "not done: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void start_thread(void) {
    pthread_t thread;
    int number = 0;
    expect(pthread_create(&thread, NULL, run, &number) == 0, "pthread_create");
    pthread_join(thread, NULL);
    expect(number == 7, "thread");
}

static void start_processes(void) {
    int status = 1;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    expect(waitpid(child, &status, 0) == child && status == 0, "fork");
    char* words[] = {"true", NULL};
    pid_t spawned;
    expect(posix_spawnp(&spawned, "true", NULL, NULL, words, environ) == 0, "posix_spawn");
    expect(waitpid(spawned, &status, 0) == spawned && status == 0, "true");
}

static void have_signals(void) {
    sigset_t all, before;
    sigfillset(&all);
    signal(SIGUSR1, handle);
    sigprocmask(SIG_BLOCK, &all, &before);
    raise(SIGUSR1);
    sigprocmask(SIG_SETMASK, &before, NULL);
    expect(handled == SIGUSR1, "raise");
}

static void jump(void) {
    static jmp_buf place;
    static volatile int jumps;
    jumps = 0;
    if (setjmp(place) < 3) longjmp(place, ++jumps);
    expect(jumps == 3, "longjmp");
}

static void (*const doings[])(void) = {start_thread, start_processes, have_signals, jump};
enum { kDoings = sizeof doings / sizeof *doings };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    struct {
        int before, received, behind;
        char text[40];
    } all = {1, 0, 2, "a text that is sent"};
    char copy[40];
    MPI_Request requests[2];
    for (int i = 0; i < kDoings; ++i) {
        MPI_Irecv(&all.received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(all.text, 40, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
        memcpy(copy, all.text, sizeof copy);
        all.behind += all.before + (int)strlen(all.text);
        doings[i]();
        MPI_Send(&all.behind, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        MPI_Recv(copy, 40, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        expect(all.received == all.behind, "message");
    }
    return finish();
}
