# MPI thread levels of programs with MPI and OpenMP, checked while they are built.
#
#   find_package(mqinspect REQUIRED)
#   mpi_thread_level_check(TARGET [LEVEL LEVEL] [STRICT_SINGLE] [LINK] [WERROR] [RUN_TIME]
#                          [SUPPRESSIONS FILE] [BASELINE FILE])
#
# compiles the sources of TARGET with the plugin, as far as GCC 12 compiles them: it warns, and
# leaves notes in the objects. Call it for libraries of the program, too.
#   LEVEL          single, funneled, serialized or multiple: in place of what the program requests
#   STRICT_SINGLE  warns of parallel regions in a process of MPI_THREAD_SINGLE
#   LINK           looks at the whole program once it is linked
#   WERROR         what is found fails the build
#   RUN_TIME       what may be wrong is looked at while the program runs, too
#   SUPPRESSIONS, BASELINE  as of mpi-thread-level-link(1); with LINK
#
# MPI_THREAD_LEVEL_PLUGIN, MPI_THREAD_LEVEL_CHECKS and MPI_THREAD_LEVEL_LINK name the plugin, the
# library of RUN_TIME and mpi-thread-level-link, if they are not where this file is installed with
# them.
include_guard(GLOBAL)

get_filename_component(_mpi_thread_level_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MPI_THREAD_LEVEL_PLUGIN "${_mpi_thread_level_prefix}/lib/mqinspect/mpi_thread_level.so"
    CACHE FILEPATH "GCC plugin that checks MPI thread levels")
set(MPI_THREAD_LEVEL_CHECKS
    "${_mpi_thread_level_prefix}/lib/mqinspect/libmpi_thread_level_checks.so"
    CACHE FILEPATH "Library that checks MPI thread levels in running programs")
set(MPI_THREAD_LEVEL_LINK "${_mpi_thread_level_prefix}/bin/mpi-thread-level-link"
    CACHE FILEPATH "Program that checks the MPI thread level of linked programs")

# 1 where the plugin can be loaded, while LANGUAGE is compiled.
function(_mpi_thread_level_condition variable language)
    set(version "$<${language}_COMPILER_VERSION>")
    string(CONCAT condition "$<AND:$<COMPILE_LANGUAGE:${language}>,"
        "$<${language}_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:${version},12>,"
        "$<VERSION_LESS:${version},13>>")
    set(${variable} "${condition}" PARENT_SCOPE)
endfunction()

function(_mpi_thread_level_link target)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
        message(FATAL_ERROR "mpi_thread_level_check: LINK is for what is linked, and ${target} "
            "is none of that")
    endif()
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND "${MPI_THREAD_LEVEL_LINK}" ${ARGN} "$<TARGET_FILE:${target}>"
        COMMENT "MPI thread level of ${target}" VERBATIM)
endfunction()

# As options, these are in front of all libraries: before libgomp, whose functions the library calls
# after its own.
function(_mpi_thread_level_run_time target)
    if(NOT EXISTS "${MPI_THREAD_LEVEL_CHECKS}")
        message(FATAL_ERROR "mpi_thread_level_check: no library ${MPI_THREAD_LEVEL_CHECKS}: set "
            "MPI_THREAD_LEVEL_CHECKS")
    endif()
    get_filename_component(folder "${MPI_THREAD_LEVEL_CHECKS}" DIRECTORY)
    target_link_options(${target} PUBLIC "SHELL:-Wl,--push-state,--no-as-needed"
        "${MPI_THREAD_LEVEL_CHECKS}" "SHELL:-Wl,--pop-state" "SHELL:-Wl,-rpath,${folder}")
endfunction()

function(mpi_thread_level_check target)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "LINK;RUN_TIME;STRICT_SINGLE;WERROR"
        "LEVEL;SUPPRESSIONS;BASELINE" "")
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "mpi_thread_level_check: unknown: ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT EXISTS "${MPI_THREAD_LEVEL_PLUGIN}")
        message(FATAL_ERROR "mpi_thread_level_check: no plugin ${MPI_THREAD_LEVEL_PLUGIN}: set "
            "MPI_THREAD_LEVEL_PLUGIN")
    endif()
    set(options "-fplugin=${MPI_THREAD_LEVEL_PLUGIN}")
    set(link_options "")
    if(ARG_LEVEL)
        list(APPEND options "-fplugin-arg-mpi_thread_level-level=${ARG_LEVEL}")
        list(APPEND link_options --level "${ARG_LEVEL}")
    endif()
    if(ARG_STRICT_SINGLE)
        list(APPEND options -fplugin-arg-mpi_thread_level-strict-single)
        list(APPEND link_options --strict-single)
    endif()
    if(ARG_WERROR)
        list(APPEND options -fplugin-arg-mpi_thread_level-errors)
        list(APPEND link_options -Werror)
    else()
        list(APPEND link_options --warn-only)
    endif()
    if(ARG_RUN_TIME)
        list(APPEND options -fplugin-arg-mpi_thread_level-check)
        _mpi_thread_level_run_time(${target})
    endif()
    foreach(file SUPPRESSIONS BASELINE)
        if(ARG_${file})
            get_filename_component(path "${ARG_${file}}" ABSOLUTE)
            string(TOLOWER "--${file}" option)
            list(APPEND link_options ${option} "${path}")
        endif()
    endforeach()
    foreach(language C CXX Fortran)
        _mpi_thread_level_condition(condition ${language})
        target_compile_options(${target} PRIVATE "$<${condition}:${options}>")
    endforeach()
    if(ARG_LINK)
        _mpi_thread_level_link(${target} ${link_options})
    endif()
endfunction()
