/* A call of MPI behind a virtual function and a template, in a team.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

namespace {

struct Exchange {
    virtual ~Exchange() = default;
    virtual void run(MPI_Comm comm) = 0;
};
struct Halo : Exchange {
    void run(MPI_Comm comm) override {
        MPI_Barrier(comm); /* expect: mpi-thread-level */
    }
};

template <class Function>
void in_single(Function&& function) {
#pragma omp parallel
    {
#pragma omp single
        function();
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    Exchange* const exchange = new Halo;
    in_single([&] { exchange->run(MPI_COMM_WORLD); });
    delete exchange;
    MPI_Finalize();
}
