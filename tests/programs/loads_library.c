/* Runs the main of a library that it loads for itself alone, as Python does with its modules: the
 * MPI library comes with that, and is in no other library's scope.
 * Usage: loads_library LIBRARY [ARGUMENT...] */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    int (*run)(int, char**) = NULL;
    void* library = argc < 2 ? NULL : dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == NULL ? NULL : dlsym(library, "main");
    if (symbol == NULL) {
        fprintf(stderr, "loads_library: %s\n", argc < 2 ? "no library" : dlerror());
        return 2;
    }
    memcpy(&run, &symbol, sizeof run);
    return run(argc - 1, argv + 1);
}
