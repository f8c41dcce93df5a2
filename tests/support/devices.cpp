#include "tests/support/devices.h"

#include <stdexcept>

namespace mqinspect::testing {
namespace {

struct Device {
    const char* name;
    const char* mpiexec;
};

constexpr Device kDevices[] = {
    {"", MQI_MPIEXEC},
#include "devices.inc"
};

}  // namespace

std::vector<std::string> further_devices() {
    std::vector<std::string> names;
    for (const Device& device : kDevices) {
        if (device.name[0] != '\0') names.emplace_back(device.name);
    }
    return names;
}

std::string mpiexec_of(const std::string& device) {
    for (const Device& known : kDevices) {
        if (device == known.name) return known.mpiexec;
    }
    throw std::invalid_argument("no device " + device);
}

std::string program_path(const std::string& program, const std::string& device) {
    const std::string folder = device.empty() ? "/" : "/" + device + "/";
    return MQI_PROGRAMS + folder + program;
}

}  // namespace mqinspect::testing
