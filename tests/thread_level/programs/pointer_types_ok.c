/* Pointers to functions of other types, or with as many arguments of another kind, do not mean those
   that call MPI.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>

struct Operations {
    double (*weigh)(double);
    void (*send)(int);
};

static int value;

static double half(double weight) {
    return weight / 2;
}

static void send(int rank) {
    MPI_Send(&value, 1, MPI_INT, rank, 1, MPI_COMM_SELF);
}

static struct Operations operations = {half, send};

int main(int argc, char** argv) {
    int provided;
    double weights[8] = {0};
    struct Operations* o = &operations;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 8; ++i) weights[i] = o->weigh(weights[i]);
#pragma omp master
        o->send(0);
    }
    MPI_Finalize();
}
