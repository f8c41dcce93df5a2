/// The frames of a program in Python, which all have one machine code: the interpreter's.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "inspector/target/memory.h"
#include "inspector/target/process_view.h"
#include "model/job_snapshot.h"

namespace mqinspect::target {

/// What a thread executes, innermost first.
struct PythonStack {
    struct Frame {
        std::string function;
        model::SourceLocation location;
        bool is_entry = false;  ///< C code has called it, as cpython::Runs has it
    };
    std::vector<Frame> frames;
    std::string interpreter;  ///< path of the image whose machine code executes them
};

/// Finds the interpreters of processes; remembers per image. Borrows the images.
class PythonStacks {
public:
    /// Of the thread whose register fs.base this is, while it is stopped; empty: it executes none,
    /// or the interpreter's memory layout is not known (include/cpython_frames.h).
    PythonStack read(const ProcessView& view, const Memory& memory, std::uint64_t thread_pointer);

private:
    /// As linked.
    struct Symbols {
        std::uint64_t runtime = 0;  ///< 0: that is no interpreter
        std::uint64_t version = 0;
    };
    const Symbols& symbols(const Image& image);

    std::unordered_map<const Image*, Symbols> symbols_;
};

/// A frame of a stack, and the frame of machine code that it is.
struct MergedFrame {
    model::Frame frame;
    std::size_t native = kNone;

    static constexpr std::size_t kNone = SIZE_MAX;
};

/// The stack as the program's source has it: Python's frames in the place of the interpreter's.
/// Each call of its C function executes frames up to one that C code has called.
std::vector<MergedFrame> merge_python(std::vector<model::Frame> native, const PythonStack& python);

}  // namespace mqinspect::target
