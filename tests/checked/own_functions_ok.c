/* Functions of the program's own, which MPI calls, let its calls succeed.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

static int copy(MPI_Comm comm, int key, void* state, void* from, void* to, int* flag) {
    (void)comm, (void)key, (void)state, (void)from, (void)to;
    *flag = 0;
    return MPI_SUCCESS;
}

static int leave(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    return MPI_SUCCESS;
}

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
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
    MPI_Comm_dup(own, &second);
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&own);
    if (second != MPI_COMM_NULL) MPI_Comm_free(&second);
    return finish();
}
