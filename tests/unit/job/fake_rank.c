/* A rank without communication: says that it is there by a byte to the descriptor
 * in FAKE_READY_FD and waits for the end of its standard input. With FAKE_FORK it
 * has a child that is a copy of it.
 */
#include <stdlib.h>
#include <unistd.h>

extern int MPI_Init(int* argc, char*** argv);

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int has_copy = getenv("FAKE_FORK") != NULL && fork() != 0;
    const char* fd = getenv("FAKE_READY_FD");
    /* The copy speaks for both. */
    if (fd != NULL && !has_copy && write(atoi(fd), "r", 1) != 1) return EXIT_FAILURE;
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    return EXIT_SUCCESS;
}
