/* A ring of receives behind a template, a lambda and a class, which an optimizing
 * compiler inlines: the line is that of the call, not of the caller.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

namespace {

template <class T>
inline T receive_value(int source) {
    T value{};
    MPI_Status status;
    MPI_Recv(&value, sizeof value, MPI_BYTE, source, 0, MPI_COMM_WORLD, &status);  // @receive
    return value;
}

class Neighbour {
public:
    explicit Neighbour(int rank) : rank_(rank) {}
    double ask() const {
        const auto question = [this] { return receive_value<double>(rank_); };
        return question() + 1;
    }

private:
    int rank_;
};

}  // namespace

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const double value = Neighbour(1 - rank).ask();
    MPI_Send(&value, sizeof value, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    return finish();
}
