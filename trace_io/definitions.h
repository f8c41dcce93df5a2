/// The definitions of one process, as its .mqdef file has them: with the numbers that the
/// process has given.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/execution.h"

#include "trace_io/record_file.h"

namespace mqinspect::trace_io {

struct ClockPoint {
    std::uint64_t ticks = 0;
    std::uint64_t realtime_ns = 0;
};

struct WorldDefinition {
    std::int64_t rank = 0;
    std::int64_t size = 0;
    std::uint64_t key = 0;
    std::int64_t thread_provided = 0;
    std::int64_t thread_required = 0;
};

struct SpawnDefinition {
    std::int64_t communicator = 0;
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
};

struct ImageDefinition {
    std::string path;
    std::string build_id;
    std::string script_function;
};

struct DatatypeDefinition {
    model::RecordedDatatype datatype;  ///< without types and id
    std::vector<std::int64_t> types;
};

struct OperatorDefinition {
    std::string name;
    bool commutes = true;
    std::int64_t image = 0;  ///< plus 1; 0: none
    std::uint64_t offset = 0;
};

struct WindowDefinition {
    std::int64_t communicator = 0;
    model::RecordedWindow::Part part;  ///< without the process
    std::string kind;
};

struct FileDefinition {
    std::int64_t communicator = 0;
    std::string name;
    std::string path;  ///< absolute; empty: not known
    std::int64_t device = 0;
    std::int64_t number = 0;
};

struct StackFrame {
    std::int64_t image = 0;  ///< plus 1; 0: none
    std::uint64_t offset = 0;
};

struct ThreadDefinition {
    std::int64_t os_id = 0;
    bool main = false;
};

/// The kind of a thing, its number, and perhaps its name.
struct Remark {
    model::DefinitionKind kind{};
    std::int64_t id = 0;
    std::string name;
};

/// Things by their numbers; a number that was left out has nothing.
template <class T>
using ById = std::vector<std::optional<T>>;

struct Definitions {
    std::string host;
    std::string executable;
    std::vector<std::string> command_line;
    std::string mpi_library;
    std::string recorder;
    std::vector<ClockPoint> clock;
    std::optional<WorldDefinition> world;
    std::uint64_t job = 0;  ///< 0: not told
    std::vector<SpawnDefinition> spawns;
    std::map<std::string, std::int64_t, std::less<>> constants;
    ById<model::Procedure> procedures;
    ById<ImageDefinition> images;
    ById<std::vector<StackFrame>> stacks;
    ById<model::CommunicatorRecord> communicators;
    ById<DatatypeDefinition> datatypes;
    ById<OperatorDefinition> operators;
    ById<WindowDefinition> windows;
    ById<FileDefinition> files;
    ById<std::string> texts;
    ById<ThreadDefinition> threads;
    std::vector<model::RecordedErrorCode> error_codes;  ///< without the process
    std::vector<Remark> names;
    std::vector<Remark> freed;
};

/// All that is whole. What is damaged ends the reading, with a line in `problems`; kinds that
/// we do not know are passed over.
Definitions read_definitions(const RecordFile& file, std::vector<std::string>& problems);

}  // namespace mqinspect::trace_io
