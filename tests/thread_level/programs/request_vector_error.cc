/* An object's requests, for which all threads wait.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <vector>

namespace {

class Requests {
public:
    MPI_Request* next() {
        requests_.push_back(MPI_REQUEST_NULL);
        statuses_.emplace_back();
        return &requests_.back();
    }
    void wait() {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), /* expect: mpi-concurrent-request */
                    statuses_.data());
    }

private:
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    Requests requests;
#pragma omp parallel
    {
        int value = 0;
#pragma omp critical
        MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, requests.next());
        requests.wait();
    }
    MPI_Finalize();
}
