/* Synchronous sends of a vector and of a structure, head to head.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Ssend LINE(vector)
 * wait: 1 all 0 MPI_Ssend LINE(structure)
 */
#include <stddef.h>

#include "tests/programs/scenario.h"

struct Particle {
    double position[3];
    char kind;
};

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    double matrix[8][8] = {{0}};
    struct Particle particles[2] = {{{0}, 'a'}, {{0}, 'b'}};
    if (rank == 0) {
        MPI_Datatype column;
        MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        MPI_Type_set_name(column, "column");
        MPI_Ssend(matrix, 1, column, 1, 0, MPI_COMM_WORLD);  // @vector
    } else {
        const int lengths[2] = {3, 1};
        const MPI_Aint offsets[2] = {0, offsetof(struct Particle, kind)};
        const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_CHAR};
        MPI_Datatype particle;
        MPI_Type_create_struct(2, lengths, offsets, types, &particle);
        MPI_Type_create_resized(particle, 0, sizeof(struct Particle), &particle);
        MPI_Type_commit(&particle);
        MPI_Ssend(particles, 2, particle, 0, 0, MPI_COMM_WORLD);  // @structure
    }
    return finish();
}
