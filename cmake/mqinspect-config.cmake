# find_package(mqinspect): mpi_thread_level_check(), see MpiThreadLevel.cmake.
include("${CMAKE_CURRENT_LIST_DIR}/MpiThreadLevel.cmake")
