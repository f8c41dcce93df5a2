/// Object files with notes, made by the system's compiler and assembler as the plugin would.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/child_process.h"

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::link {

class NotedObjects {
public:
    std::filesystem::path path(std::string_view name) const { return folder_.path() / name; }
    void write(std::string_view name, std::string_view text) const;

    /// Compiles `code` to an object that has a note of the unit; nullptr: none. The source is
    /// `name` with .c for .o.
    void compile(const std::string& name,
                 const std::string& code,
                 const Unit* unit,
                 const std::vector<std::string>& options = {}) const;
    /// Runs a command in the folder; fails the test if the command does.
    void run(const std::vector<std::string>& words) const;

private:
    testing::TemporaryDirectory folder_;
};

/// A hybrid program: "solver.c", whose main asks for FUNNELED and calls MPI_Bcast by one thread of
/// a team, any of them.
Unit hybrid_unit();
inline constexpr char kHybridCode[] =
    "/* 1 */\n"
    "int main(void) {\n"
    "\tMPI_Init_thread();\n"
    "#pragma omp parallel\n"
    "#pragma omp single\n"
    "\tMPI_Bcast(buffer);\n"
    "}\n";

}  // namespace mqinspect::thread_level::link
