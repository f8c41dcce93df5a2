# Compiles the headers that most sources include once, instead of once for each source. It
# changes nothing else: every source still includes what it uses, which scripts/lint sees, as
# it compiles without.

# A compiler cache does better, and does not know its way about them.
option(MQI_PRECOMPILE "Precompile common headers" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_LAUNCHER)
    set(MQI_PRECOMPILE OFF)
endif()

set(mqi_common_headers
    <algorithm> <array> <cstdint> <cstring> <map> <memory> <optional> <set> <span> <string>
    <string_view> <tuple> <unordered_map> <utility> <vector>)

# mqi_add_headers(NAME HEADERS HEADER... [LIBRARIES LIBRARY...]): NAME is what targets with
# the same compiler flags can reuse.
function(mqi_add_headers name)
    cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES" ${ARGN})
    set(source "${CMAKE_BINARY_DIR}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${name} OBJECT "${source}")
    target_link_libraries(${name} PRIVATE mqi_defaults ${ARG_LIBRARIES})
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# Static libraries of a folder and of those below it that have no compiler flags of their own.
function(mqi_precompile_headers folder)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(libraries ${target} LINK_LIBRARIES)
        get_target_property(flags ${target} COMPILE_OPTIONS)
        if(NOT type STREQUAL "STATIC_LIBRARY" OR NOT mqi_defaults IN_LIST libraries OR flags)
            continue()
        endif()
        if(fmt::fmt IN_LIST libraries)
            target_precompile_headers(${target} REUSE_FROM mqi_headers_and_fmt)
        else()
            target_precompile_headers(${target} REUSE_FROM mqi_headers)
        endif()
    endforeach()
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(below IN LISTS folders)
        mqi_precompile_headers("${below}")
    endforeach()
endfunction()

# Not for optimized libraries: GCC 12 then gives false warnings about the insides of
# std::string, as it no longer knows them to be a system header's.
set(MQI_PRECOMPILE_LIBRARIES OFF)
if(MQI_PRECOMPILE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(MQI_PRECOMPILE_LIBRARIES ON)
    mqi_add_headers(mqi_headers HEADERS ${mqi_common_headers})
    mqi_add_headers(mqi_headers_and_fmt HEADERS ${mqi_common_headers} <fmt/format.h>
                    LIBRARIES fmt::fmt)
endif()
