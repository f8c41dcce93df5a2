/* A launcher with an MPIR process table that can be wrong in many ways.
 *
 * Usage: fake_launcher RANK_PROGRAM [key=value ...]
 *   ranks=N      processes to start (2)
 *   spawned=N    further processes, as MPI_Comm_spawn starts them (0)
 *   environment=0  without PMI variables
 *   wrapped=1    each rank in a shell
 *   forks=1      each rank has a child that is a copy of it
 *   table=good|empty|duplicate|swapped|zero|other_host|long|wild
 *   entries=N    length of the table if it is not the number of ranks
 *   kill=R       rank R is killed and reaped;  zombie=R  killed and not reaped
 *
 * When all ranks are there it prints their pids, spawned ones last, on one line;
 * it ends, with its ranks, at the end of its standard input.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct MPIR_PROCDESC {
    char* host_name;
    char* executable_name;
    int pid;
};

struct MPIR_PROCDESC* MPIR_proctable;
int MPIR_proctable_size;

enum { MAX_RANKS = 64 };

static const char* option(int argc, char** argv, const char* key, const char* fallback) {
    const size_t length = strlen(key);
    for (int i = 2; i < argc; ++i) {
        if (strncmp(argv[i], key, length) == 0 && argv[i][length] == '=') {
            return argv[i] + length + 1;
        }
    }
    return fallback;
}

static int number(int argc, char** argv, const char* key, int fallback) {
    const char* text = option(argc, argv, key, NULL);
    return text == NULL ? fallback : atoi(text);
}

static void set_number(const char* name, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

struct start {
    const char* program;
    int has_environment;
    int is_wrapped;
    int forks;
    int hold_fd;  /* becomes its standard input */
    int ready_fd; /* it writes here */
};

static pid_t start_rank(const struct start* how, int rank, int size, int is_spawned) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    if (how->has_environment) {
        set_number("PMI_RANK", rank);
        set_number("PMI_SIZE", size);
        set_number("MPI_LOCALNRANKS", size);
    }
    if (is_spawned) setenv("PMI_SPAWNED", "1", 1);
    if (how->forks) setenv("FAKE_FORK", "1", 1);
    set_number("FAKE_READY_FD", how->ready_fd);
    dup2(how->hold_fd, STDIN_FILENO);
    close(STDOUT_FILENO);
    if (how->is_wrapped) {
        char command[4096];
        snprintf(command, sizeof command, "%s; true", how->program);
        execl("/bin/sh", "sh", "-c", command, (char*)NULL);
    } else {
        execl(how->program, how->program, (char*)NULL);
    }
    _exit(127);
}

static void fill_table(int argc, char** argv, const pid_t* pids, int ranks) {
    const char* kind = option(argc, argv, "table", "good");
    const int size = number(argc, argv, "entries", ranks);
    if (strcmp(kind, "empty") == 0) return;
    struct MPIR_PROCDESC* table = calloc((size_t)size, sizeof *table);
    static char host[256];
    gethostname(host, sizeof host - 1);
    for (int i = 0; i < size; ++i) {
        table[i].host_name = host;
        table[i].executable_name = "./a.out";
        table[i].pid = i < ranks ? pids[i] : 0;
        if (strcmp(kind, "duplicate") == 0) table[i].pid = pids[0];
        if (strcmp(kind, "swapped") == 0) table[i].pid = pids[ranks - 1 - i];
        if (strcmp(kind, "zero") == 0 && i > 0) table[i].pid = 0;
        if (strcmp(kind, "other_host") == 0 && i > 0) {
            char* name = malloc(32);
            snprintf(name, 32, "node%d.elsewhere", i);
            table[i].host_name = name;
            table[i].pid = 1000000000 + i;
        }
    }
    MPIR_proctable = table;
    MPIR_proctable_size = size;
    if (strcmp(kind, "long") == 0) MPIR_proctable_size = 10000000;
    if (strcmp(kind, "wild") == 0) MPIR_proctable = (struct MPIR_PROCDESC*)16;
}

static void end_rank(pid_t pid, int is_reaped) {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    siginfo_t info;
    waitid(P_PID, (id_t)pid, &info, WEXITED | (is_reaped ? 0 : WNOWAIT));
}

int main(int argc, char** argv) {
    pid_t pids[2 * MAX_RANKS] = {0};
    int hold[2];
    int ready[2];
    const int ranks = number(argc, argv, "ranks", 2);
    const int spawned = number(argc, argv, "spawned", 0);
    if (argc < 2 || ranks > MAX_RANKS || spawned > MAX_RANKS) return EXIT_FAILURE;
    if (pipe(hold) != 0 || pipe(ready) != 0) return EXIT_FAILURE;
    const struct start how = {argv[1],
                              number(argc, argv, "environment", 1),
                              number(argc, argv, "wrapped", 0),
                              number(argc, argv, "forks", 0),
                              hold[0],
                              ready[1]};
    /* A rank that held the writing end itself would never see the end. */
    if (fcntl(hold[1], F_SETFD, FD_CLOEXEC) != 0) return EXIT_FAILURE;
    for (int i = 0; i < ranks; ++i)
        pids[i] = start_rank(&how, i, ranks, 0);
    for (int i = 0; i < spawned; ++i)
        pids[ranks + i] = start_rank(&how, i, spawned, 1);
    for (int i = 0; i < ranks + spawned; ++i) {
        char byte = 0;
        if (read(ready[0], &byte, 1) != 1) return EXIT_FAILURE;
    }
    const int to_kill = number(argc, argv, "kill", -1);
    const int to_leave = number(argc, argv, "zombie", -1);
    if (to_kill >= 0) end_rank(pids[to_kill], 1);
    if (to_leave >= 0) end_rank(pids[to_leave], 0);
    fill_table(argc, argv, pids, ranks);
    for (int i = 0; i < ranks + spawned; ++i)
        printf("%d ", pids[i]);
    printf("\n");
    fflush(stdout);
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    close(hold[1]);
    while (wait(NULL) > 0) {
    }
    return EXIT_SUCCESS;
}
