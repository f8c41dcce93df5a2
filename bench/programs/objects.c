/* Datatypes of one kind and communicators, made and freed: what is left is the cost of telling them
 * apart. The best of five parts, in processor time.
 * Usage: objects DATATYPES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char** argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 20000;
    const int few = count / 10;
    double datatypes = 1e18, communicators = 1e18;

    MPI_Init(&argc, &argv);
    for (int part = 0; part < 5; ++part) {
        double begin = processor_ns();
        for (int i = 0; i < count; ++i) {
            MPI_Datatype column;
            MPI_Type_vector(3, 1 + i % 7, 8, MPI_DOUBLE, &column);
            MPI_Type_commit(&column);
            MPI_Type_free(&column);
        }
        const double of_datatypes = processor_ns() - begin;
        begin = processor_ns();
        for (int i = 0; i < few; ++i) {
            MPI_Comm copy;
            MPI_Comm_dup(MPI_COMM_SELF, &copy);
            MPI_Comm_free(&copy);
        }
        const double of_communicators = processor_ns() - begin;
        if (of_datatypes < datatypes) datatypes = of_datatypes;
        if (of_communicators < communicators) communicators = of_communicators;
    }
    printf("%.1f ns per datatype, %.1f ns per communicator\n", datatypes / count,
           communicators / few);
    MPI_Finalize();
    return 0;
}
