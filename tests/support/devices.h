/// The further devices of MPICH that tests run jobs with, where they are installed.
#pragma once

#include <string>
#include <vector>

namespace mqinspect::testing {

/// Their names, such as "ch4_ofi". The device that the project uses has an empty one.
std::vector<std::string> further_devices();

std::string mpiexec_of(const std::string& device);

/// An executable of tests/programs.
std::string program_path(const std::string& program, const std::string& device);

}  // namespace mqinspect::testing
