#include "thread_level/facts/library_functions.h"

#include <gtest/gtest.h>

namespace mqinspect::thread_level {
namespace {

TEST(LibraryFunctions, KnowsTheLibrariesOfPrograms) {
    for (const char* symbol : {"printf",
                               "malloc",
                               "qsort",
                               "strtol",
                               "zero",
                               "pthread_self",
                               "sin",
                               "sinf",
                               "pow",
                               "lgamma_r",
                               "__memcpy_chk",
                               "__printf_chk",
                               "_ZNSo3putEc",
                               "_ZSt4endlIcE",
                               "_Znwm",
                               "_ZdlPvm",
                               "__cxa_begin_catch",
                               "_gfortran_st_write",
                               "omp_get_thread_num",
                               "omp_get_wtime_",
                               "omp_init_lock",
                               "__builtin_unreachable",
                               "abort",
                               "_exit",
                               "write",
                               "xdr",
                               "mq_receive",
                               "aio_read",
                               "inotify_add_watch",
                               "cnd_wait",
                               "getpwnam_r",
                               "__cmsg_nxthdr",
                               "strtod_l",
                               "GOMP_atomic_start"}) {
        const bool is_a_programs =
            std::string_view(symbol) == "zero" || std::string_view(symbol) == "xdr";
        EXPECT_EQ(!is_a_programs, is_harmless_library_function(symbol)) << symbol;
    }
}

TEST(LibraryFunctions, NotWhatCommunicatesWaitsOrStartsThreads) {
    for (const char* symbol : {"",
                               "MPI_Send",
                               "mpi_send_",
                               "exchange",
                               "pthread_create",
                               "pthread_join",
                               "pthread_mutex_lock",
                               "_ZNSt6thread4joinEv",
                               "omp_set_lock",
                               "omp_set_nest_lock_",
                               "omp_unset_lock",
                               "omp_test_lock",
                               "GOMP_parallel",
                               "GOMP_barrier",
                               "GOMP_task",
                               "GOMP_taskwait",
                               "clone",
                               "thrd_create",
                               "_ZN5Solver3runEv",
                               "_ZdvRK3FooS1_",
                               "__strings_MOD_exchange"}) {
        EXPECT_FALSE(is_harmless_library_function(symbol)) << symbol;
    }
}

}  // namespace
}  // namespace mqinspect::thread_level
