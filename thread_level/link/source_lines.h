/// Lines of source files, as far as the files are there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mqinspect::thread_level::link {

class SourceLines {
public:
    /// nullptr: there is no such file or line. Lines count from 1.
    const std::string* line(const std::string& file, std::uint32_t number);
    /// The line, or that above it, has the comment "mpi-thread-level: ignore".
    bool is_ignored(const std::string& file, std::uint32_t number);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace mqinspect::thread_level::link
