/* What the compiler plugin would put around MPI calls, by hand, and an MPI library that only says
 * what a test wants of it. A site is known by its label, which stands where the function's name is.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <pthread.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#include "thread_level/checks/checks.h"

#ifdef __cplusplus
#define FROM_C extern "C"
#else
#define FROM_C extern
#endif

/* A program sets it in front of including this. */
#ifndef PROVIDED
#define PROVIDED 2
#endif
enum { SINGLE, FUNNELED, SERIALIZED, MULTIPLE };

static pthread_t main_thread;
static int is_initialized;

__attribute__((constructor)) static void mpi_init(void) {
    main_thread = pthread_self();
    is_initialized = 1;
}

FROM_C int PMPI_Initialized(int* flag) {
    return *flag = is_initialized, 0;
}
FROM_C int PMPI_Finalized(int* flag) {
    return *flag = 0, 0;
}
FROM_C int PMPI_Query_thread(int* provided) {
    return *provided = PROVIDED, 0;
}
FROM_C int PMPI_Is_thread_main(int* flag) {
    return *flag = pthread_equal(pthread_self(), main_thread) != 0, 0;
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define SITE(label, flags, form, procedure) \
    "1\t" flags "\t" form "\t" procedure "\t" label "\t" TEXT(__LINE__) "\t3\t" __FILE__

/* What an MPI call does. */
static void return_at_once(void) {}
static void (*mpi_work)(void) = return_at_once;

/* Comes back once two threads are in it at the same time. */
static int arrived;
__attribute__((unused)) static void meet(void) {
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 2)
        usleep(100);
}

/* A call of MPI_Send, of MPI_Allreduce, and of both where any thread may come first. */
#define CALL_AS(site, communicator)                  \
    do {                                             \
        mpi_thread_level_call(site, (communicator)); \
        mpi_work();                                  \
        mpi_thread_level_return(site);               \
    } while (0)
#define SEND(label) CALL_AS(SITE(label, "-", "i", "MPI_Send"), 1)
#define COLLECTIVE(label, communicator) \
    CALL_AS(SITE(label, "c", "i", "MPI_Allreduce"), communicator)
#define SEND_BY_CHANCE(label) CALL_AS(SITE(label, "s", "i", "MPI_Send"), 1)
#define COLLECTIVE_BY_CHANCE(label, communicator) \
    CALL_AS(SITE(label, "cs", "i", "MPI_Allreduce"), communicator)

#endif
