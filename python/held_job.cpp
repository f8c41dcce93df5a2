#include "python/held_job.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "inspector/debugger/held_job.h"

#include "python/failure.h"
#include "python/text.h"

namespace mqinspect::python {

namespace {

namespace py = pybind11;
using debugger::HeldFrame;
using debugger::HeldThread;
using target::Address;

/// None is an empty text.
std::string text_or_empty(const py::handle& value) {
    return value.is_none() ? std::string() : from_python(value);
}

HeldFrame frame_of(const py::handle& frame) {
    HeldFrame result;
    result.pc = frame.attr("pc").cast<std::uint64_t>();
    result.function = text_or_empty(frame.attr("function"));
    result.image = text_or_empty(frame.attr("image"));
    result.location.file = text_or_empty(frame.attr("file"));
    result.location.line = frame.attr("line").cast<std::optional<int>>().value_or(0);
    result.of_mpi_library = frame.attr("of_mpi_library").cast<bool>();
    result.of_program = frame.attr("of_program").cast<bool>();
    return result;
}

std::optional<model::Signal> signal_of(const py::handle& signal) {
    if (signal.is_none()) return std::nullopt;
    model::Signal result;
    result.number = signal.attr("number").cast<int>();
    result.name = model::signal_name(result.number);
    result.address = signal.attr("address").cast<std::optional<std::uint64_t>>();
    result.sender_pid = signal.attr("sender_pid").cast<std::optional<int>>();
    return result;
}

target::TypeLayout layout_of(const py::handle& type) {
    target::TypeLayout layout;
    layout.name = from_python(type.attr("name"));
    layout.size = type.attr("size").cast<std::uint64_t>();
    for (const py::handle field : type.attr("fields")) {
        layout.fields.push_back({.name = from_python(field.attr("name")),
                                 .offset = field.attr("offset").cast<std::int64_t>(),
                                 .size = field.attr("size").cast<std::uint64_t>()});
    }
    return layout;
}

/// Names are read at once: they are asked for in a forked copy of this process, too, where
/// nothing may touch Python.
class PythonProcess final : public debugger::HeldProcess {
public:
    explicit PythonProcess(py::object process)
        : process_(std::move(process)),
          name_(from_python(process_.attr("name"))),
          pid_(process_.attr("pid").cast<pid_t>()),
          alive_(process_.attr("alive").cast<bool>()),
          signal_(signal_of(process_.attr("signal"))),
          mpi_library_(text_or_empty(process_.attr("mpi_library"))),
          program_(text_or_empty(process_.attr("program"))) {}

    std::string name() const override { return name_; }
    pid_t pid() const override { return pid_; }
    bool alive() const override { return alive_; }
    std::optional<model::Signal> signal() const override { return signal_; }
    std::string mpi_library() const override { return mpi_library_; }
    std::string program() const override { return program_; }

    std::optional<Address> find_symbol(std::string_view name) const override {
        const py::object found = process_.attr("find_symbol")(to_python(std::string(name)));
        if (found.is_none()) return std::nullopt;
        return Address{found.cast<std::uint64_t>()};
    }

    const target::TypeLayout* find_type(std::string_view name) const override {
        const auto [entry, is_new] = types_.try_emplace(std::string(name));
        if (is_new) {
            const py::object found = process_.attr("find_type")(to_python(entry->first));
            if (!found.is_none()) entry->second.emplace(layout_of(found));
        }
        return entry->second ? &*entry->second : nullptr;
    }

    Result<Done> read(Address address, std::span<std::byte> destination) const override {
        const std::uint64_t at = to_integer(address);
        const py::object found = process_.attr("read_memory")(at, destination.size());
        if (found.is_none()) return unreadable(at);
        const auto bytes = found.cast<py::buffer>().request();
        const auto count = static_cast<std::size_t>(bytes.size * bytes.itemsize);
        if (count != destination.size()) return unreadable(at);
        if (count != 0) std::memcpy(destination.data(), bytes.ptr, count);
        return Done{};
    }

    std::vector<HeldThread> threads() const override {
        std::vector<HeldThread> threads;
        for (const py::handle thread : process_.attr("threads")()) {
            HeldThread& held = threads.emplace_back();
            for (const py::handle frame : thread)
                held.frames.push_back(frame_of(frame));
        }
        return threads;
    }

    snapshot::RawArgument variable(std::size_t thread,
                                   std::size_t frame,
                                   const std::string& name) const override {
        snapshot::RawArgument argument{name, {}, {}, {}};
        const py::object found = process_.attr("variable")(thread, frame, name);
        if (found.is_none()) return argument;
        argument.type = from_python(found.attr("type"));
        argument.value = found.attr("value").cast<std::optional<std::int64_t>>();
        return argument;
    }

    std::vector<std::string> parameters(std::size_t thread, std::size_t frame) const override {
        return process_.attr("parameters")(thread, frame).cast<std::vector<std::string>>();
    }

private:
    static Error unreadable(std::uint64_t address) {
        return Error{ErrorCode::BadAddress,
                     fmt::format("memory at 0x{:x} cannot be read", address)};
    }

    py::object process_;
    std::string name_;
    pid_t pid_;
    bool alive_;
    std::optional<model::Signal> signal_;
    std::string mpi_library_;
    std::string program_;
    mutable std::map<std::string, std::optional<target::TypeLayout>, std::less<>> types_;
};

session::Findings look(const py::iterable& processes, const std::string& dll, bool internal) {
    std::deque<PythonProcess> held;
    std::vector<const debugger::HeldProcess*> pointers;
    for (const py::handle process : processes)
        pointers.push_back(&held.emplace_back(py::reinterpret_borrow<py::object>(process)));
    debugger::HeldJobOptions options;
    options.dll = dll;
    options.show_internal = internal;
    return value_or_throw(debugger::look_at_held(pointers, options));
}

}  // namespace

void bind_held_job(py::module_& module) {
    module.def("look_at_held",
               &look,
               py::arg("processes"),
               py::kw_only(),
               py::arg("dll"),
               py::arg("internal"));
}

}  // namespace mqinspect::python
