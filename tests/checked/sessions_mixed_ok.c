/* Objects of sessions with those of the same session only; the empty group belongs to all.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void work(MPI_Session session, const char* tag, MPI_Group nobody) {
    const int root = 0;
    int result;
    MPI_Group all, one, both, of_comm;
    MPI_Comm comm, copy;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_incl(all, 1, &root, &one);
    MPI_Group_union(one, all, &both);
    MPI_Group_free(&both);
    MPI_Group_union(one, nobody, &both);
    MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_compare(comm, copy, &result);
    MPI_Comm_group(copy, &of_comm);
    MPI_Group_compare(of_comm, all, &result);
    MPI_Group_free(&of_comm);
    MPI_Group_free(&both);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
    int result;
    MPI_Session first, second;
    MPI_Group world, of_self, nobody;
    start(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(MPI_COMM_SELF, &of_self);
    MPI_Group_compare(world, of_self, &result);
    MPI_Group_difference(world, world, &nobody);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    work(first, "first", nobody);
    work(second, "second", nobody);
    MPI_Session_finalize(&first);
    MPI_Session_finalize(&second);
    MPI_Group_free(&world);
    MPI_Group_free(&of_self);
    return finish();
}
