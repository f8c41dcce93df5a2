/* Pointers to functions of one type, each with its own functions: threads call by those that only
   compute.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>
#include <stdlib.h>

#include <mpi.h>

typedef void (*operation)(int*);

struct backend {
    operation send;
    operation compute;
};

static void send_value(int* value) {
    MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void add(int* value) {
    *value += 1;
}

static void twice(int* value) {
    *value *= 2;
}

static operation communicate = send_value;
static operation compute = add;
static operation steps[2] = {add, twice};
static struct backend table = {send_value, add};

static void choose(int number) {
    compute = number > 1 ? twice : add;
}

static struct backend* make(void) {
    struct backend* made = malloc(sizeof *made);
    made->send = send_value;
    made->compute = twice;
    return made;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    choose(argc);
    struct backend* backend = make();
#pragma omp parallel
    {
        int own = 0;
        compute(&own);
        steps[omp_get_thread_num() % 2](&own);
        table.compute(&own);
        backend->compute(&own);
#pragma omp master
        backend->send(&own);
    }
    communicate(&value);
    table.send(&value);
    free(backend);
    MPI_Finalize();
    return 0;
}
