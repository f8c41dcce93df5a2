# Compiles several sources of a target as one, where headers take most of the time and nobody edits:
# in CI. What such sources have for themselves needs names that differ.
option(MQI_UNITY "Compile sources of targets that allow it together" OFF)

# mqi_compile_together(TARGET [ALONE SOURCE...]): all sources but those.
function(mqi_compile_together target)
    cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
    if(NOT MQI_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
