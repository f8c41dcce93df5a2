/* A function of a named structure is cast to one of `void *`, at once, by way of another type, or of
   a pointer to data.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int remote;
};

struct peer {
    int remote;
};

struct part {
    int remote;
};

typedef int (*hook_function)(void*);
typedef double (*word_function)(void*);
typedef void* (*text_function)(void*);

static int flag;

static int probe(const struct node* node) {
    return MPI_Iprobe(node->remote, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static double send(struct peer* peer) {
    return MPI_Send(peer, 1, MPI_INT, peer->remote, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void* receive(struct part* part) {
    MPI_Recv(part, 1, MPI_INT, part->remote, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void call_hook(hook_function* hooks, void* argument) {
    hooks[0](argument);
}

static void call_word(word_function* words, void* argument) {
    words[0](argument);
}

static void call_text(text_function* texts, void* argument) {
    texts[0](argument);
}

int main(int argc, char** argv) {
    int provided;
    struct node node = {0};
    void (*plain)(void) = (void (*)(void))send;
    void* data = (void*)receive;
    hook_function hooks[] = {(hook_function)probe};
    word_function words[] = {(word_function)plain};
    text_function texts[] = {(text_function)data};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    call_hook(hooks, &node);
#pragma omp parallel
    call_word(words, &node);
#pragma omp parallel
    call_text(texts, &node);
    MPI_Finalize();
}
