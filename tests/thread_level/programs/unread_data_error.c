/* As unread_data_ok.c, but the calls differ, or somebody looks at the data. required: MPI_THREAD_SERIALIZED
   ways: all */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void other_count(void) {
#pragma omp parallel
    {
#pragma omp task
        {
            int* buffer = malloc(20 * sizeof(int));
#pragma omp critical
            MPI_Bcast(buffer, 10, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-collective-order */
            free(buffer);
        }
#pragma omp task
        {
            int* buffer = malloc(20 * sizeof(int));
#pragma omp critical
            MPI_Bcast(buffer, 20, MPI_INT, 0, MPI_COMM_WORLD);
            free(buffer);
        }
    }
}

static void other_type(void) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            double mine[4], sums[4];
#pragma omp critical
            MPI_Allreduce(mine, sums, 4, MPI_DOUBLE, MPI_SUM,
                          MPI_COMM_WORLD);
        }
#pragma omp section
        {
            float mine[4], sums[4];
#pragma omp critical
            MPI_Allreduce(mine, sums, 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
        }
    }
}

static void printed(void) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, 0, MPI_COMM_WORLD);
        }
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, 0, MPI_COMM_WORLD); /* expect: mpi-collective-order */
            puts(text);
        }
    }
}

static int copied(int value) {
    int got = 0;
#pragma omp parallel sections shared(got)
    {
#pragma omp section
        {
            int* buffer = malloc(sizeof(int));
            *buffer = value;
#pragma omp critical
            MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
            got = *buffer;
            free(buffer);
        }
#pragma omp section
        {
            int* buffer = malloc(sizeof(int));
#pragma omp critical
            MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-collective-order */
            free(buffer);
        }
    }
    return got;
}

static void other_root(int root) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, root, MPI_COMM_WORLD);
        }
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, root + 1, MPI_COMM_WORLD); /* expect: mpi-collective-order */
        }
    }
}

/* Their tag says nothing of their data. */
static void made_communicators(MPI_Comm local) {
    MPI_Comm one, other;
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1, 0, &one);
        }
#pragma omp section
        {
#pragma omp critical
            MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 2, 0, &other); /* expect: mpi-collective-order */
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    other_count();
    other_type();
    printed();
    printf("%d\n", copied(argc));
    other_root(argc);
    made_communicators(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
