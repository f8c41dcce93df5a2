/* A variable says that a team is at work, and what it calls does without MPI then.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>

static int in_region;
static int is_serial = 1;
static int members;
static double total;

static void notify(int value) {
    int other = 0;
    if (is_serial && value != 0)
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, &other, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

static void update(double x) {
    if (in_region) {
#pragma omp atomic
        total += x;
        return;
    }
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    total += x;
    notify(1);
}

static void step(int i) {
    if (i > 2) update(i);
    notify(i);
}

static void count(void) {
#pragma omp atomic
    members++;
    if (!in_region) {
        MPI_Bcast(&members, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp parallel
        {
#pragma omp atomic
            members--;
        }
    }
}

static void compute(int steps) {
#pragma omp parallel for
    for (int i = 0; i < steps; i++)
        step(i);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    step(3);
    is_serial = 0;
    in_region = 1;
#pragma omp parallel
    {
        update(1.);
        count();
    }
    if (argc > 1) compute(argc);
    in_region = 0;
    is_serial = 1;
    update(2.);
    count();
    MPI_Finalize();
    return 0;
}
