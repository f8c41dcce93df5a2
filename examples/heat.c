/* Three workers pass the edges of a heat plate around a ring; a fourth rank
 * collects what they report. It passed every test with small plates, where MPI
 * buffers the edges. With large ones each worker waits in MPI_Send until its
 * neighbour receives, and the neighbour waits in MPI_Send. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_EDGE = 1, TAG_RESIDUAL = 2, COLLECTOR = 3, ROW = 100000 };

static void exchange_edges(const double *edge, double *halo, MPI_Comm ring) {
    int rank, size;
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    MPI_Send(edge, ROW, MPI_DOUBLE, (rank + 1) % size, TAG_EDGE, ring);
    MPI_Recv(halo, ROW, MPI_DOUBLE, (rank + size - 1) % size, TAG_EDGE, ring, MPI_STATUS_IGNORE);
}

static void work(MPI_Comm ring) {
    double *edge = calloc(ROW, sizeof *edge);
    double *halo = calloc(ROW, sizeof *halo);
    exchange_edges(edge, halo, ring);
    MPI_Send(&halo[0], 1, MPI_DOUBLE, COLLECTOR, TAG_RESIDUAL, MPI_COMM_WORLD);
    free(edge);
    free(halo);
}

static void collect(int workers) {
    double residual = 0;
    for (int worker = 0; worker < workers; ++worker) {
        double part;
        MPI_Recv(&part, 1, MPI_DOUBLE, worker, TAG_RESIDUAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        residual += part;
    }
    printf("residual %g\n", residual);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != COLLECTOR + 1) {
        fprintf(stderr, "heat needs %d ranks\n", COLLECTOR + 1);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm ring;
    MPI_Comm_split(MPI_COMM_WORLD, rank == COLLECTOR, rank, &ring);
    MPI_Comm_set_name(ring, rank == COLLECTOR ? "collector" : "ring");
    if (rank == COLLECTOR) {
        collect(COLLECTOR);
    } else {
        work(ring);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
