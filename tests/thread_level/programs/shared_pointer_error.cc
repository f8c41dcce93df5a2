/* A thread gives up what pointers share, by one to a base class: the object calls MPI at its end.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <memory>

namespace {

struct Part {
    virtual ~Part() = default;
};

class Communicator : public Part {
public:
    Communicator() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    }
    ~Communicator() override {
        MPI_Comm_free(&comm_); /* expect: mpi-thread-level */
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    std::shared_ptr<Part> part = std::make_shared<Communicator>();
#pragma omp parallel
    {
#pragma omp single
        part.reset();
    }
    MPI_Finalize();
}
