#include "trace_io/run_end.h"

#include <fstream>

namespace mqinspect::trace_io {

namespace {

constexpr const char* kHead = "mqinspect-run-end";
constexpr int kVersion = 1;

std::string path_in(const std::string& folder) {
    return folder + "/run" + kRunEndSuffix;
}

}  // namespace

bool write_run_end(const std::string& folder, std::uint64_t ns) {
    std::ofstream file(path_in(folder), std::ios::trunc);
    file << kHead << ' ' << kVersion << ' ' << ns << '\n';
    return file.flush().good();
}

std::optional<std::uint64_t> read_run_end(const std::string& folder) {
    std::ifstream file(path_in(folder));
    std::string head;
    int version = 0;
    std::uint64_t ns = 0;
    const bool read = static_cast<bool>(file >> head >> version >> ns);
    return read && head == kHead && version == kVersion ? std::optional(ns) : std::nullopt;
}

}  // namespace mqinspect::trace_io
