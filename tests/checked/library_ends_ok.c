/* A thread of a library ends the process, which has no part in it: here the C library's exit is all
 * that the thread consists of.
 *
 *   ranks: 1
 */
#include <pthread.h>
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    pthread_t thread;
    pthread_create(&thread, NULL, (void* (*)(void*))(void (*)(void))exit, NULL);
    for (;;) pause();
}
