/* A receive behind a function template, from a rank that computes.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
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

}  // namespace

int main(int argc, char** argv) {
    if (start(&argc, &argv) == 0) {
        receive_value<double>(1);
    } else {
        const double value = 1;
        compute_until_released();
        MPI_Send(&value, sizeof value, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
