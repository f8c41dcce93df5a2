/* The flag that decides who starts a thread is another one when it decides who calls MPI; or what it decides does not
   exclude the other, or was decided by another call of the function.
   required: MPI_THREAD_MULTIPLE
   ways: all */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static double x, y;
static pthread_t kept;

static void* serve(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_written(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_order(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_two(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_round(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_argument(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_kept(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* serve_low(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

void change(int* flag);

static void by_address(int value) {
    pthread_t thread;
    int flag = value;
    if (!flag) pthread_create(&thread, NULL, serve, NULL);
    change(&flag);
    if (flag) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
}

static void written_between(int value) {
    pthread_t thread;
    int flag = 0;
    if (value > 3) flag = 1;
    if (!flag) pthread_create(&thread, NULL, serve_written, NULL);
    if (value > 2) flag = 1;
    if (flag) MPI_Send(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
}

/* Both may hold. */
static void by_order(int limit) {
    pthread_t thread;
    int count = limit * 2;
    if (count > 4) pthread_create(&thread, NULL, serve_order, NULL);
    if (count <= 6) MPI_Send(&y, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    if (count > 4) pthread_join(thread, NULL);
}

static void by_two(int a, int b) {
    pthread_t thread;
    int first = a * 2, second = b + 1;
    if (first < second) pthread_create(&thread, NULL, serve_two, NULL);
    if (second >= first) MPI_Send(&y, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    if (first < second) pthread_join(thread, NULL);
}

/* The next round may be of the other kind. */
static void in_loop(int rounds) {
    pthread_t thread;
    for (int i = 0; i < rounds; i++) {
        const int mode = i % 3;
        if (mode == 1) pthread_create(&thread, NULL, serve_round, NULL);
        if (mode == 2) MPI_Send(&y, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    pthread_join(thread, NULL);
}

static void by_argument(int mode) {
    pthread_t thread;
    if (mode == 1) pthread_create(&thread, NULL, serve_argument, NULL);
    mode = mode + 1;
    if (mode != 1) MPI_Send(&y, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
}

/* Of 256 the lower byte is 0. */
static void by_low_byte(int value) {
    pthread_t thread;
    int bits = value * 2;
    if (!(signed char) bits) pthread_create(&thread, NULL, serve_low, NULL);
    if (bits) MPI_Send(&y, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
    if (!(signed char) bits) pthread_join(thread, NULL);
}

/* The thread of an earlier call is still there. */
static void start_or_send(int value) {
    int flag = value % 2;
    if (flag) pthread_create(&kept, NULL, serve_kept, NULL);
    if (!flag) MPI_Send(&y, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_address(argc);
    written_between(argc);
    by_order(argc);
    by_two(argc, argc + 1);
    in_loop(argc);
    by_argument(argc);
    by_low_byte(argc);
    start_or_send(1);
    start_or_send(2);
    pthread_join(kept, NULL);
    MPI_Finalize();
    return 0;
}
