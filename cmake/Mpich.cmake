# MQI_MPICH_PREFIX, MQI_MPIEXEC: the MPICH that the tests run jobs with.
include_guard(GLOBAL)

execute_process(COMMAND "${CMAKE_SOURCE_DIR}/scripts/mpich-prefix"
    OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS "${prefix}/bin/mpicc")
    message(FATAL_ERROR "No MPICH in ${prefix}: run scripts/setup, set MQI_MPICH, "
        "or configure with -DMQI_TESTS=OFF.")
endif()
set(MQI_MPICH_PREFIX "${prefix}" CACHE INTERNAL "")
set(MQI_MPIEXEC "${prefix}/bin/mpiexec" CACHE INTERNAL "")
