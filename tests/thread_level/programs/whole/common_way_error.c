/* Many calls that one call in a region leads to: the link step tells one of them, and how many there
   are; of a long way, the calls at both ends.
   requested: MPI_THREAD_FUNNELED
   required: MPI_THREAD_MULTIPLE */

/* file: parts.h */
void step12(int x);

/* file: parts.c */
#include "parts.h"

#include <mpi.h>

static double value;

static void send(int tag) {
    MPI_Send(&value, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void part0(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void part1(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void part2(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void part3(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void part4(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void part5(void) { MPI_Recv(&value, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

void step12(int x) {
    send(x);
    part0();
    part1();
    part2();
    part3();
    part4();
    part5();
}

/* file: main.c */
#include <mpi.h>

#include "parts.h"

static void step11(int x) { step12(x - 1); }
static void step10(int x) { step11(x - 1); }
static void step9(int x) { step10(x - 1); }
static void step8(int x) { step9(x - 1); }
static void step7(int x) { step8(x - 1); }
static void step6(int x) { step7(x - 1); }
static void step5(int x) { step6(x - 1); }
static void step4(int x) { step5(x - 1); }
static void step3(int x) { step4(x - 1); }
static void step2(int x) { step3(x - 1); }
static void step1(int x) { step2(x - 1); }

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    step1(argc);
    MPI_Finalize();
}
