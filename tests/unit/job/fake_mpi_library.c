/* The functions by which a process is known as an MPI process. */
#define EXPORT __attribute__((visibility("default")))

EXPORT int PMPI_Init(int* argc, char*** argv);
EXPORT int MPI_Init(int* argc, char*** argv);

int PMPI_Init(int* argc, char*** argv) {
    (void)argc;
    (void)argv;
    return 0;
}

int MPI_Init(int* argc, char*** argv) {
    return PMPI_Init(argc, argv);
}
