#define _GNU_SOURCE
#include "tests/unit/mqs_host/hostile_acts.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of a hostile process_vm_writev: -1, into the parent. */
static int write_memory(int* word) {
    int junk = -1;
    const struct iovec local = {&junk, sizeof junk};
    const struct iovec remote = {word, sizeof junk};
    return process_vm_writev(getppid(), &local, 1, &remote, 1, 0) < 0 ? -1 : 0;
}

static int write_through_proc(int* word) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    const int fd = open(path, O_RDWR);
    if (fd < 0) return -1;
    const int junk = -1;
    const ssize_t written = pwrite(fd, &junk, sizeof junk, (off_t)(uintptr_t)word);
    close(fd);
    return written < 0 ? -1 : 0;
}

static int make_file(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/mqi-hostile-%d", (int)getpid());
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return -1;
    unlink(path);
    return close(fd);
}

static int make_unnamed_file(void) {
    const int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    return fd < 0 ? -1 : close(fd);
}

static int write_to_inherited_files(void) {
    int written = -1;
    for (int fd = 3; fd < 256; ++fd) {
        if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) continue;
        struct stat status;
        if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) written = 0;
    }
    return written;
}

static int make_process(void) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child < 0 ? -1 : 0;
}

static void* nothing(void* argument) {
    return argument;
}

static int make_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) return -1;
    return pthread_join(thread, NULL);
}

static int run_program(void) {
    char program[] = "/bin/true";
    char* arguments[] = {program, NULL};
    return execv(program, arguments); /* a success ends the helper, which the test sees */
}

static void report(const char* when, const char* act, int result) {
    char line[128];
    const int length =
        snprintf(line, sizeof line, "%s %s: %s\n", when, act, result < 0 ? "refused" : "done");
    if (write(STDOUT_FILENO, line, (size_t)length) < 0) _exit(3);
}

void attempt_everything(const char* when, int* word) {
    const pid_t parent = getppid();
    report(when, "process_vm_writev", write_memory(word));
    report(when, "write to /proc/PID/mem", write_through_proc(word));
    report(when, "ptrace", (int)ptrace(PTRACE_SEIZE, parent, NULL, NULL));
    report(when, "kill", kill(parent, 0));
    report(when, "kill of the group", kill(0, 0));
    report(when, "tgkill", (int)syscall(SYS_tgkill, parent, parent, 0));
    report(when, "pidfd_open", (int)syscall(SYS_pidfd_open, parent, 0));
    report(when, "setpriority", setpriority(PRIO_PROCESS, (id_t)parent, 0));
    report(when, "prlimit", prlimit(parent, RLIMIT_CORE, &(struct rlimit){0, 0}, NULL));
    report(when, "fcntl F_SETOWN", fcntl(STDIN_FILENO, F_SETOWN, parent));
    report(when, "ioctl", ioctl(STDOUT_FILENO, FIONREAD, &(int){0}));
    report(when, "socket", socket(AF_INET, SOCK_STREAM, 0));
    report(when, "unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    report(when, "io_uring", (int)syscall(SYS_io_uring_setup, 1, NULL));
    report(when, "open for writing", make_file());
    report(when, "unnamed file", make_unnamed_file());
    report(when, "memfd_create", (int)syscall(SYS_memfd_create, "hostile", 0));
    report(when, "write to an inherited file", write_to_inherited_files());
    report(when, "unlink", unlink("/tmp/mqi-hostile-absent"));
    report(when, "shmget", shmget(IPC_PRIVATE, 4096, 0600));
    report(when, "fork", make_process());
    report(when, "thread", make_thread());
    report(when, "execve", run_program());
    report(when, "setsid", (int)setsid());
    report(when, "PR_SET_PDEATHSIG", prctl(PR_SET_PDEATHSIG, 0));
}
