/* Errors are returned, or given to handlers of the program's own, that are set late: each is found,
 * and the program goes on to its end, where it looks at what it was told.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Send LINE(returned)
 *   find: error | invalid argument | 0 | MPI_Send LINE(type)
 *   find: error | invalid argument | 0 | MPI_Send LINE(duplicate)
 *   find: error | invalid argument | 0 | MPI_Bcast LINE(handled)
 *   find: error | invalid argument | 1 | MPI_Recv LINE(left)
 */
#include <setjmp.h>

#include "tests/checked/checked.h"

static int handled, classes[2];
static jmp_buf behind;

static void count(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    MPI_Error_class(*code, &classes[handled++ % 2]);
}

static void leave(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
    longjmp(behind, 1);
}

static int class_of(int code) {
    int result = MPI_SUCCESS;
    MPI_Error_class(code, &result);
    return result;
}

static void expect(int what, const char* text) {
    if (what) return;
    printf("%s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Comm duplicate;
    MPI_Errhandler counting, leaving, there;
    MPI_Comm_create_errhandler(count, &counting);
    MPI_Comm_create_errhandler(leave, &leaving);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &there);
    expect(there == MPI_ERRORS_RETURN, "another handler than MPI_ERRORS_RETURN");
    MPI_Errhandler_free(&there);
    if (rank == 0) {
        const int code = MPI_Send(&value, 1, MPI_INT, 1, -5, MPI_COMM_WORLD);  // @returned
        expect(class_of(code) == MPI_ERR_TAG, "no MPI_ERR_TAG");
        MPI_Send(&value, 1, MPI_DATATYPE_NULL, 1, 0, MPI_COMM_WORLD);  // @type
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate); /* with the handler */
    if (rank == 0) {
        const int code = MPI_Send(&value, 1, MPI_INT, 7, 0, duplicate);  // @duplicate
        expect(class_of(code) == MPI_ERR_RANK, "no MPI_ERR_RANK");
    }

    MPI_Comm_set_errhandler(duplicate, counting);
    if (rank == 0) {
        const int code = MPI_Bcast(&value, -1, MPI_INT, 0, duplicate);  // @handled
        expect(class_of(code) == MPI_ERR_COUNT, "the call returns something else");
        expect(handled == 1 && classes[0] == MPI_ERR_COUNT, "the handler is not called once");
    }

    MPI_Comm_set_errhandler(duplicate, leaving);
    if (rank == 1) {
        if (setjmp(behind) == 0) {
            MPI_Recv(&value, 1, MPI_INT, 9, 0, duplicate, MPI_STATUS_IGNORE);  // @left
            expect(0, "the handler has not been called");
        }
    }

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(value == 1 - rank, "wrong message");
    MPI_Comm_free(&duplicate);
    MPI_Errhandler_free(&counting);
    MPI_Errhandler_free(&leaving);
    if (rank == 0) printf("to the end\n");
    return finish();
}
