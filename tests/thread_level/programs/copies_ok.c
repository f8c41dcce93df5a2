/* Variables that are copies of each other, round and round: none is a thread number.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>

struct node {
    struct node* next;
    int number;
};

static int walk(struct node* first, int count) {
    struct node *a = first, *b = first, *c = first;
    int i = count, j = count, k = count;
    while (count-- > 0) {
        if (a == b) a = c;
        if (b == c) b = a;
        if (c == a) c = b;
        if (i == j) i = k;
        if (j == k) j = i;
        if (k == i) k = j;
        if (i == 0) j = k;
        if (j == 0) k = i;
        if (k == 0) i = j;
        if (a == 0) b = c;
        if (b == 0) c = a;
        if (c == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    return i + j + k + (a ? a->number : 0);
}

int main(int argc, char** argv) {
    struct node only = {0, 0};
    MPI_Init(&argc, &argv);
    walk(&only, argc);
    MPI_Finalize();
}
