/* As pointed_function_ok.c, but what pointers point to communicates, or can't be told.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

typedef void (*operation)(int*);
typedef int (*other_operation)(int*);
typedef double (*third_operation)(int*);
typedef long (*fourth_operation)(int*);

struct backend {
    operation send;
    operation compute;
};

static void send_value(int* value) {
    MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static int send_other(int* value) {
    return MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static double send_third(int* value) {
    return MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void add(int* value) {
    *value += 1;
}

static int add_other(int* value) {
    return *value + 1;
}

static double add_third(int* value) {
    return *value + 1;
}

static long send_fourth(int* value) {
    return MPI_Send(value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static long add_fourth(int* value) {
    return *value + 1;
}

static operation compute = add;
static other_operation handed = add_other;
static third_operation referred = add_third;
static fourth_operation filled[2];

/* What it is handed can't be told here. */
static void set(other_operation one) {
    handed = one;
}

static void set_by_address(third_operation* pointer) {
    *pointer = send_third;
}

static void fill(fourth_operation* pointers) {
    pointers[1] = send_fourth;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 1) compute = send_value;
    set(argc > 2 ? send_other : add_other);
    set_by_address(&referred);
    filled[0] = add_fourth;
    fill(filled);
#pragma omp parallel
    {
        int own = 0;
        compute(&own);
        handed(&own);
        referred(&own);
        filled[omp_get_thread_num() % 2](&own);
    }
    MPI_Finalize();
    return 0;
}
