# Where things go with `cmake --install`, and the Debian package that CPack makes of them
# (scripts/package). Below the prefix:
#   bin/            mqinspect, mqs-conformance, mpi-thread-level-link
#   lib/mqinspect/  the debugger DLL, and types/ for MPI libraries that come stripped
#                   and for thread levels the GCC plugin, and the library of its checks
#   lib/cmake/      mpi_thread_level_check() for find_package(mqinspect)
#   lib/python3/    the Python package
#   share/          manual pages, completion, gdb commands, documents
include_guard(GLOBAL)

install(TARGETS mqinspect mqs-conformance mpi-thread-level-link RUNTIME DESTINATION bin)
# Where mqinspect looks for it.
install(TARGETS mqs_mpich mqtrace LIBRARY DESTINATION lib/mqinspect)
if(TARGET mqtrace_openmpi)
    install(TARGETS mqtrace_openmpi LIBRARY DESTINATION lib/mqinspect)
endif()
if(TARGET mqi_types_open_mpi)
    # As a file: --strip would take away all that it is for.
    install(FILES $<TARGET_FILE:mqi_types_open_mpi> DESTINATION lib/mqinspect/types)
endif()

if(TARGET mpi_thread_level)
    install(TARGETS mpi_thread_level LIBRARY DESTINATION lib/mqinspect)
endif()
if(TARGET mpi_thread_level_checks)
    install(TARGETS mpi_thread_level_checks LIBRARY DESTINATION lib/mqinspect)
endif()
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/mqinspect-config-version.cmake"
    COMPATIBILITY SameMajorVersion)
install(FILES cmake/MpiThreadLevel.cmake cmake/mqinspect-config.cmake
    "${CMAKE_BINARY_DIR}/mqinspect-config-version.cmake" DESTINATION lib/cmake/mqinspect)

install(DIRECTORY "${CMAKE_BINARY_DIR}/python/" DESTINATION lib/python3/dist-packages
    PATTERN "__pycache__" EXCLUDE)
# The package finds the debugger DLL beside itself.
file(CREATE_LINK ../../../mqinspect/libmqs_mpich.so "${CMAKE_BINARY_DIR}/libmqs_mpich.link" SYMBOLIC)
install(FILES "${CMAKE_BINARY_DIR}/libmqs_mpich.link"
    DESTINATION lib/python3/dist-packages/mqinspect RENAME libmqs_mpich.so)
install(FILES gdb_scripts/mqinspect.py DESTINATION share/mqinspect/gdb_scripts)

install(FILES include/mqinspect_trace.h include/mpi_interface.h include/mqs_extensions.h include/type_donor.h
    DESTINATION include/mqinspect)
install(FILES docs/man/mqinspect.1 docs/man/mqs-conformance.1
    docs/man/mpi-thread-level-link.1 DESTINATION share/man/man1)
install(FILES README.md DESTINATION share/doc/mqinspect)
install(FILES LICENSE DESTINATION share/doc/mqinspect RENAME copyright)
install(DIRECTORY docs/ DESTINATION share/doc/mqinspect/docs PATTERN man EXCLUDE)

set(completions "${CMAKE_BINARY_DIR}/completions")
foreach(shell bash zsh)
    add_custom_command(OUTPUT "${completions}/${shell}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${completions}"
        COMMAND mqinspect completion ${shell} -o "${completions}/${shell}"
        DEPENDS mqinspect VERBATIM)
endforeach()
add_custom_target(mqi_completions ALL DEPENDS "${completions}/bash" "${completions}/zsh")
install(FILES "${completions}/bash" DESTINATION share/bash-completion/completions
    RENAME mqinspect)
install(FILES "${completions}/zsh" DESTINATION share/zsh/vendor-completions RENAME _mqinspect)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The mqinspect developers <mqinspect@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, procps, python3-pytest")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "explains hung MPI jobs
 mqinspect attach PID looks at the running processes of an MPI job and says which
 rank waits for which, in which call and at which line, and whether it is a
 deadlock. It brings a debugger library for the message queues of MPICH, commands
 for gdb and a Python package.")
include(CPack)
