/// Lines of the user's source files, each file read once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/call.h"

namespace mqinspect::report {

/// Only ordinary files that are named like source are opened: the paths come from the recorded
/// run.
class SourceFiles {
public:
    /// The line at this place without its indentation; empty if it cannot be read.
    std::string line(const model::SourceLocation& location);
    /// The same place, but of a statement of Fortran that goes on over several lines the first one.
    model::SourceLocation begin_of_statement(model::SourceLocation location);
    /// "solver.c(90): MPI_Barrier(comm);", as far as it is known. Precondition: it has a line.
    std::string place(const model::SourceLocation& location);
    /// All of them; empty if it cannot be read. Valid as long as this object.
    const std::vector<std::string>& lines_of(const std::string& file);
    /// This line and those behind it, `count` at most, with their indentation against each other.
    std::vector<std::string> fragment(const model::SourceLocation& location, int count);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace mqinspect::report
