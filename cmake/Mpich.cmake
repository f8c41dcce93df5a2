# MQI_MPICH_PREFIX, MQI_MPIEXEC: the MPICH that the tests run jobs with.
# MQI_DEVICES: further ones that scripts/build-mpich has installed, by a name that can
# stand for a folder ("ch4_ofi"); MQI_MPICH_PREFIX_<name> is the prefix of each.
include_guard(GLOBAL)

# mpich_prefix(VARIABLE [DEVICE])
function(mpich_prefix variable)
    execute_process(COMMAND "${CMAKE_SOURCE_DIR}/scripts/mpich-prefix" ${ARGN}
        OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} "${prefix}" PARENT_SCOPE)
endfunction()

mpich_prefix(prefix)
if(NOT EXISTS "${prefix}/bin/mpicc")
    message(FATAL_ERROR "No MPICH in ${prefix}: run scripts/setup, or set MQI_MPICH to "
        "the prefix of one.")
endif()
set(MQI_MPICH_PREFIX "${prefix}" CACHE INTERNAL "")
set(MQI_MPIEXEC "${prefix}/bin/mpiexec" CACHE INTERNAL "")

set(devices "")
foreach(device ch3:sock ch4:ofi ch4:ucx ch3:nemesis/plain ch4:ofi/plain)
    mpich_prefix(prefix ${device})
    # Configures again once one is installed, or gone.
    get_filename_component(folder "${prefix}" DIRECTORY)
    get_filename_component(name "${prefix}" NAME)
    file(GLOB mark CONFIGURE_DEPENDS "${folder}/${name}/.complete")
    if(mark)
        string(REGEX REPLACE "[:/]" "_" name "${device}")
        list(APPEND devices ${name})
        set(MQI_MPICH_PREFIX_${name} "${prefix}" CACHE INTERNAL "")
    endif()
endforeach()
set(MQI_DEVICES "${devices}" CACHE INTERNAL "")
message(STATUS "MPICH: ${MQI_MPICH_PREFIX}; further devices: ${MQI_DEVICES}")
