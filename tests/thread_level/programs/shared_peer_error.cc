// The peer is a member of the object that all threads call a member function of.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

class Channel {
public:
    explicit Channel(int peer) : peer_(peer) {}
    int peer() const { return peer_; }
    void send() {
        MPI_Send(&value_, 1, MPI_INT, peer_, 1, MPI_COMM_WORLD);  // expect: mpi-message-order
    }
    void send_to_peer() {
        MPI_Send(&value_, 1, MPI_INT, peer(), 2, MPI_COMM_WORLD);  // expect: mpi-message-order
    }

private:
    int peer_;
    int value_ = 0;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    Channel channel(1);
#pragma omp parallel
    {
        channel.send();
#pragma omp barrier
        channel.send_to_peer();
    }
    MPI_Finalize();
}
