/* The rank is in a member: copied from a variable, told by MPI itself, or asked of a function.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

struct halo {
    MPI_Comm comm;
    int rank;
    int size;
};

static int my_rank = -1;
static struct halo world;

static int get_rank(void) {
    return my_rank;
}

static void setup(struct halo* h) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &h->size);
    h->comm = MPI_COMM_WORLD;
    h->rank = rank;
}

static void by_pointer(struct halo* h, int* value) {
    if (h->rank == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, 1, h->comm, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(value, 1, MPI_INT, 0, 1, h->comm);
    }
}

static void by_function(int* value) {
    if (get_rank() == 0) {
#pragma omp critical
        MPI_Send(value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else if (omp_get_thread_num() == 0) {
        MPI_Recv(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    int provided;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    setup(&world);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
#pragma omp parallel
    {
        by_pointer(&world, &value);
#pragma omp barrier
        by_function(&value);
#pragma omp barrier
        if (world.rank == 0) {
            if (omp_get_thread_num() == 0)
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, world.comm, MPI_STATUS_IGNORE);
        } else {
#pragma omp critical
            MPI_Send(&value, 1, MPI_INT, 0, 3, world.comm);
        }
    }
    MPI_Finalize();
    return 0;
}
