// A flag in an object that is overwritten for some only, or with true.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

typedef struct {
    bool is_master;
} Context;

static void init(Context *context, int argc) {
    context->is_master = true;
    if (argc > 1) context->is_master = omp_get_thread_num() == 0;
}

static void sync(const Context *context) {
    if (context->is_master) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

typedef struct {
    bool is_on;
} State;

static void set(State *state) {
    state->is_on = omp_get_thread_num() == 0;
    state->is_on = true;
}

static void send(const State *state) {
    int value = 0;
    if (state->is_on)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

static void who(bool *is_master) { *is_master = omp_get_thread_num() < 2; }

static void receive(void) {
    int value = 0;
#pragma omp parallel
    {
        bool is_master;
        who(&is_master);
        if (is_master)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,  // expect: mpi-thread-level
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        Context context;
        init(&context, argc);
        sync(&context);
    }
#pragma omp parallel
    {
        State state;
        set(&state);
        send(&state);
    }
    receive();
    MPI_Finalize();
    return 0;
}
