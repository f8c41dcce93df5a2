#include "trace_io/running.h"

#include <fstream>

namespace mqinspect::trace_io {

bool has_mapped(std::uint64_t pid, const std::string& file_name) {
    std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
    const std::string end = "/" + file_name;
    for (std::string line; std::getline(maps, line);)
        if (line.ends_with(end)) return true;
    return false;
}

}  // namespace mqinspect::trace_io
