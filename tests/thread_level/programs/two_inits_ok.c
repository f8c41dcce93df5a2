/* MPI_Init where teams have one thread, MPI_Init_thread where they have more: how many there are is
   what the program gives its teams, by omp_set_num_threads() or by num_threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static int team_size = 1;

static void send(void) {
    int me = omp_get_thread_num();
    MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
}

static void start(int* argc, char*** argv) {
    int provided, threads = 1;
    if (*argc > 1) threads = atoi((*argv)[1]);
    omp_set_num_threads(threads);
    if (threads > 1) {
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(argc, argv);
    }
#pragma omp parallel
    send();
}

static void start_by_clause(int* argc, char*** argv) {
    int provided;
    const int threads = atoi((*argv)[2]);
    if (threads == 1) {
        MPI_Init(argc, argv);
    } else {
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
#pragma omp parallel num_threads(threads)
    send();
#pragma omp parallel num_threads(threads)
    send();
}

static void start_with(int* argc, char*** argv, int threads) {
    int provided;
    omp_set_num_threads(threads);
    if (threads == 1) {
        MPI_Init(argc, argv);
        return;
    }
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void start_by_option(int* argc, char*** argv) {
    int provided;
    team_size = (*argc - 4) / 2;
    if (team_size < 2) {
        MPI_Init(argc, argv);
    } else {
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    omp_set_num_threads(team_size);
#pragma omp parallel
    send();
}

int main(int argc, char** argv) {
    if (argc > 4)
        start_by_option(&argc, &argv);
    else if (argc > 3)
        start_with(&argc, &argv, atoi(argv[3]));
    else if (argc > 2)
        start_by_clause(&argc, &argv);
    else
        start(&argc, &argv);
    MPI_Finalize();
}
