/* Threads copy and release pointers that share objects; an object that calls MPI at its end is
   released by the thread that initialized MPI, behind the region. Others that threads give up call
   nothing.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>

#include <memory>
#include <vector>

namespace {

class Communicator {
public:
    Communicator() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    }
    ~Communicator() {
        MPI_Comm_free(&comm_);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

struct Part {
    virtual ~Part() = default;
};
struct Piece : Part {
    std::vector<double> values = std::vector<double>(10);
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    std::shared_ptr<Communicator> communicator = std::make_shared<Communicator>();
    std::shared_ptr<Communicator> other(new Communicator);
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
        const std::shared_ptr<Communicator> same = communicator;
        std::shared_ptr<Piece> piece = std::make_shared<Piece>();
        std::shared_ptr<Part> part(piece);
        sum += piece->values[0];
        piece.reset();
        part.reset(new Piece);
        part.reset();
    }
    communicator.reset();
    other.reset();
    MPI_Finalize();
    return static_cast<int>(sum);
}
