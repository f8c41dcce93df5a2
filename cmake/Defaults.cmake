# Language level, warnings, sanitizers and output folders of every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Every target of ours links this.
add_library(mqi_defaults INTERFACE)
target_include_directories(mqi_defaults INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(mqi_defaults INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wdouble-promotion
    $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wsign-conversion -Wold-style-cast
        -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wduplicated-cond
        -Wduplicated-branches -Wlogical-op -Wuseless-cast>)
if(MQI_WERROR)
    target_compile_options(mqi_defaults INTERFACE -Werror)
endif()
if(MQI_SANITIZE)
    # The check of virtual tables opens a pipe, which the sandbox of a debugger DLL refuses.
    target_compile_options(mqi_defaults INTERFACE
        -fsanitize=${MQI_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    target_link_options(mqi_defaults INTERFACE -fsanitize=${MQI_SANITIZE})
endif()
target_compile_definitions(mqi_defaults INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
