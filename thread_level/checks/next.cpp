#include "thread_level/checks/next.h"

#include <dlfcn.h>

#include <cstdlib>

#include "thread_level/checks/message.h"

namespace mqinspect::thread_level::checks {
namespace {

[[noreturn]] void fail(const char* name) {
    say("no library has the function that the program calls", name, 0);
    std::abort();
}

}  // namespace

void* find_next(const char* name) {
    void* const function = dlsym(RTLD_NEXT, name);
    if (function == nullptr) fail(name);
    return function;
}

void* find_in_openmp(const char* name) {
    void* function = dlsym(RTLD_NEXT, name);
    if (function == nullptr) {
        void* const library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_GLOBAL);
        if (library != nullptr) function = dlsym(library, name);
    }
    if (function == nullptr) fail(name);
    return function;
}

}  // namespace mqinspect::thread_level::checks
