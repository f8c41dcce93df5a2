/* A function without notes is handed, by a call through a table, to a function that calls it: it is
   that one, and no other one of the type.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

typedef struct library library_t;
unsigned library_progress(library_t* library);

typedef void (*progress_function)(void* argument);

typedef struct table {
    void (*barrier)(void* group, progress_function progress, void* argument);
    void (*wait)(progress_function progress, void* argument);
} table_t;

typedef struct context {
    const table_t* table;
    library_t* library;
} context_t;

static void advance(progress_function progress, void* argument) {
    if (progress) progress(argument);
}

static void mpi_barrier(void* group, progress_function progress, void* argument) {
    (void)group;
#pragma omp barrier
#pragma omp master
    {
        MPI_Request request;
        int flag;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        do {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            progress(argument);
            advance(progress, argument);
        } while (!flag);
    }
#pragma omp barrier
}

static void mpi_wait(progress_function progress, void* argument) {
#pragma omp master
    advance(progress, argument);
}

void run_barrier(context_t* context) {
    context->table->barrier(0, (progress_function)library_progress, context->library);
    context->table->wait(0, 0);
    context->table->wait((progress_function)library_progress, context->library);
}

static struct {
    void (*barrier)(context_t* context);
} functions[2] = {{run_barrier}, {run_barrier}};

int main(int argc, char** argv) {
    static table_t table = {.barrier = mpi_barrier, .wait = mpi_wait};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    context_t context = {.table = &table};
#pragma omp parallel
    functions[argc > 1].barrier(&context);
    MPI_Finalize();
}
