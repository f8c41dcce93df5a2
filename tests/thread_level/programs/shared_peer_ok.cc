// Each thread has an object with a peer of its own.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <thread>
#include <vector>

class Channel {
public:
    explicit Channel(int peer) : peer_(peer) {}
    int peer() const { return peer_; }
    void send() { MPI_Send(&value_, 1, MPI_INT, peer_, 1, MPI_COMM_WORLD); }
    void send_to_peer() { MPI_Send(&value_, 1, MPI_INT, peer(), 2, MPI_COMM_WORLD); }

private:
    int peer_;
    int value_ = 0;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<Channel> channels;
    for (int i = 0; i < 8; ++i) channels.emplace_back(i);
#pragma omp parallel num_threads(8)
    {
        Channel channel(omp_get_thread_num());
        channel.send();
#pragma omp barrier
        channels[omp_get_thread_num()].send_to_peer();
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([peer = i] {
            int value = 0;
            MPI_Send(&value, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
        });
    for (std::thread& thread : threads) thread.join();
    MPI_Finalize();
}
