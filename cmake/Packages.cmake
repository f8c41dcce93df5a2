# The libraries that we build on; all from Debian.

find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw>=0.188)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(MQI_TESTS)
    find_package(GTest REQUIRED)
endif()
if(MQI_BENCH)
    find_package(benchmark REQUIRED)
endif()
