// What throws has not initialized MPI, and nothing comes behind that but a word.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static int count_of(int argc, char** argv) {
    if (argc < 2) throw std::invalid_argument("no count");
    return std::stoi(argv[1]);
}

int main(int argc, char** argv) {
    int count = 0;
    try {
        count = count_of(argc, argv);
    } catch (const std::exception& error) {
        int rank = 0;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0) std::cerr << error.what() << '\n';
        MPI_Finalize();
        return 1;
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<double> values(static_cast<std::size_t>(count), 1.0);
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < count; ++i) sum += values[i];
#pragma omp master
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    std::cout << sum << '\n';
    MPI_Finalize();
}
