/* A launcher with MPIR that does what its arguments say, one after the other:
 *
 *   start=N       starts N processes and puts them into its table
 *   bad=KIND      puts an entry that cannot be true behind them: zero, twice, absent, foreign
 *   remote=N      puts N entries of other hosts behind them
 *   spawned, aborting    calls MPIR_Breakpoint in this state
 *   wait=FILE     until there is such a file
 *   end           ends its processes, and itself with 3 if it was being debugged, else 4
 *
 * Without "end" it ends with 0. Built also without the symbols of MPIR.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct MPIR_PROCDESC {
    char* host_name;
    char* executable_name;
    int pid;
};

enum { MAX_PROCESSES = 16 };

struct MPIR_PROCDESC* MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_debug_state;
volatile int MPIR_being_debugged;
const char* volatile MPIR_debug_abort_string = "no room";
int MPIR_i_am_starter;

static pid_t processes[MAX_PROCESSES];
static int started;
static char host[256];

/* Not empty, as that of a launcher that was compiled without optimization. */
__attribute__((noinline)) void MPIR_Breakpoint(void) {
    __asm__ volatile("nop");
}

static void add_entry(const char* name, int pid) {
    struct MPIR_PROCDESC* entry = &MPIR_proctable[MPIR_proctable_size++];
    entry->host_name = strdup(name);
    entry->executable_name = "./a.out";
    entry->pid = pid;
}

static void start_process(void) {
    const pid_t pid = fork();
    if (pid == 0) {
        for (;;)
            pause();
    }
    processes[started++] = pid;
    add_entry(host, pid);
}

static void wait_for(const char* file) {
    const struct timespec pause = {0, 1000000};
    while (access(file, F_OK) != 0)
        nanosleep(&pause, NULL);
}

static void end_processes(void) {
    for (int i = 0; i < started; ++i) {
        kill(processes[i], SIGKILL);
        waitpid(processes[i], NULL, 0);
    }
}

static void stop_in(int state) {
    MPIR_debug_state = state;
    MPIR_Breakpoint();
}

int main(int argc, char** argv) {
    gethostname(host, sizeof host - 1);
    MPIR_proctable = calloc(1 << 20, sizeof *MPIR_proctable);
    for (int i = 1; i < argc; ++i) {
        char* value = strchr(argv[i], '=');
        if (value != NULL) *value++ = '\0';
        if (strcmp(argv[i], "start") == 0) {
            for (int k = 0; k < atoi(value); ++k)
                start_process();
        } else if (strcmp(argv[i], "bad") == 0) {
            if (strcmp(value, "zero") == 0) add_entry(host, 0);
            if (strcmp(value, "twice") == 0) add_entry(host, processes[0]);
            if (strcmp(value, "absent") == 0) add_entry(host, 1000000000);
            if (strcmp(value, "foreign") == 0) add_entry(host, 1);
        } else if (strcmp(argv[i], "remote") == 0) {
            for (int k = 0; k < atoi(value); ++k)
                add_entry("node.elsewhere", 1000 + k);
        } else if (strcmp(argv[i], "spawned") == 0) {
            stop_in(1);
        } else if (strcmp(argv[i], "aborting") == 0) {
            stop_in(2);
        } else if (strcmp(argv[i], "wait") == 0) {
            wait_for(value);
        } else if (strcmp(argv[i], "end") == 0) {
            end_processes();
            return MPIR_being_debugged ? 3 : 4;
        }
    }
    end_processes();
    return 0;
}
