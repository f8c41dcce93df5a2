/* Functions of the program's own, which MPI calls, make its calls fail.
 *
 *   ranks: 1
 *   find: warning | MPI error | 0 | MPI_Comm_dup LINE(copy)
 *   find: warning | MPI error | 0 | MPI_Wait LINE(wait)
 *   find: warning | MPI error | 0 | MPI_Comm_free LINE(free)
 */
#include "tests/checked/checked.h"

static int copy(MPI_Comm comm, int key, void* state, void* from, void* to, int* flag) {
    (void)comm, (void)key, (void)state, (void)from, (void)to;
    *flag = 0;
    return 77;
}

static int leave(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    return 78;
}

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return 79;
}

static int release(void* state) {
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    int key, value = 1;
    MPI_Comm own, second = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(copy, leave, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_attr(own, key, &value);
    MPI_Comm_dup(own, &second);  // @copy
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&own);  // @free
    if (second != MPI_COMM_NULL) MPI_Comm_free(&second);
    return finish();
}
