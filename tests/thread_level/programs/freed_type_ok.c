/* Datatypes that are freed when nobody uses them any more, or are of each thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static void behind_barrier(int peer) {
    int data[4] = {0};
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        MPI_Send(data, 1, type, peer, 0, MPI_COMM_WORLD);
#pragma omp single
        MPI_Type_free(&type);
    }
}

static void of_each_thread(int peer) {
#pragma omp parallel
    {
        int data[4] = {0};
        MPI_Datatype type;
        MPI_Type_contiguous(4, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Sendrecv(data, 1, type, peer, 0, data, 1, type, peer, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
}

static void another_one(int peer) {
    int data[4] = {0};
    MPI_Datatype type;
    MPI_Datatype other;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_dup(type, &other);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Send(data, 1, type, peer, 0, MPI_COMM_WORLD);
#pragma omp section
        MPI_Type_free(&other);
    }
    MPI_Type_free(&type);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    behind_barrier(argc);
    of_each_thread(argc);
    another_one(argc);
    MPI_Finalize();
    return 0;
}
