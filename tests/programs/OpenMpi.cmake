# Some of the scenarios once more with Open MPI, if Debian's packages are there. Included
# by CMakeLists.txt, whose list of outputs it extends.
find_program(MQI_OPENMPI_CC mpicc.openmpi)
find_program(MQI_OPENMPI_FORTRAN mpifort.openmpi)
set(open_mpi_dir "${binary_dir}/open_mpi")
function(open_mpi_program name source flags)
    set(compiler "${MQI_OPENMPI_CC}" "-I${CMAKE_SOURCE_DIR}")
    if(source MATCHES "\\.f90$")
        file(MAKE_DIRECTORY "${open_mpi_dir}/${name}.modules")
        set(compiler "${MQI_OPENMPI_FORTRAN}" -J "${open_mpi_dir}/${name}.modules")
    endif()
    add_custom_command(OUTPUT "${open_mpi_dir}/${name}"
        COMMAND ${compiler} -g ${flags} -Wall -Wextra
            -o "${open_mpi_dir}/${name}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
        DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" "${CMAKE_CURRENT_SOURCE_DIR}/scenario.h"
            "${CMAKE_CURRENT_SOURCE_DIR}/indirect_call.h"
        COMMENT "Open MPI program ${name}"
        VERBATIM)
    set(program_outputs ${program_outputs} "${open_mpi_dir}/${name}" PARENT_SCOPE)
endfunction()
if(MQI_OPENMPI_CC)
    file(MAKE_DIRECTORY "${open_mpi_dir}")
    open_mpi_program(recorded recorded.c -O2)
    open_mpi_program(guarded_buffers guarded_buffers.c -O2)
    mqi_loaded_program("${open_mpi_dir}" "${MQI_OPENMPI_CC}")
    foreach(situation recv_ring ssend_pair send_pair wrong_tag wrong_communicator any_source
            any_source_subcomm waitall_partial waitall_any waitany waitsome
            isend_wait issend_wait sendrecv_ring sendrecv_chain probe mprobe indirect_call persistent
            barrier_all_but_one allgather_alltoall bcast_allreduce_order bcast_roots
            intercomm_ibarrier intercomm_ibcast ibcast two_collectives
            gather_root_missing comm_split split_barrier dup_order intercomm
            victim_chain self_send proc_null bsend rsend scan iallreduce ibarrier
            cart_halo derived_datatypes master_two_groups threads)
        foreach(twin deadlock ok)
            open_mpi_program(${situation}_${twin} ${situation}_${twin}.c -O0)
        endforeach()
    endforeach()
    foreach(name finalize_early_hang_up finalize_early_ok
            endless_loop_ok message_traffic_ok collective_traffic_ok test_polling_ok
            foreign_hang waitall_mixed_deadlock)
        open_mpi_program(${name} ${name}.c -O0)
    endforeach()
    foreach(name recv_ring_deadlock waitall_mixed_deadlock send_pair_deadlock)
        open_mpi_program(${name}_o2 ${name}.c -O2)
    endforeach()
    foreach(name fortran_ring_deadlock fortran_ring_ok fortran_requests_deadlock
            fortran_requests_ok)
        open_mpi_program(${name} ${name}.f90 -O0)
        open_mpi_program(${name}_o2 ${name}.f90 -O2)
    endforeach()
endif()
