/// A rank that another debugger holds: a process that it has stopped, or a core file.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspector/snapshot/arguments.h"
#include "inspector/target/debug_symbols.h"
#include "inspector/target/memory.h"
#include "model/call.h"
#include "model/signal.h"

namespace mqinspect::debugger {

/// A frame as the debugger has unwound and named it.
struct HeldFrame {
    std::uint64_t pc = 0;
    std::string function;  ///< of an inlined function the one that it is inlined in
    std::string image;
    model::SourceLocation location;
    bool of_mpi_library = false;  ///< `image` is one of the files of the MPI library
    bool of_program = false;
};

struct HeldThread {
    std::vector<HeldFrame> frames;  ///< innermost first
};

/// Everything about it is asked of the debugger, which alone may stop it and read it.
class HeldProcess : public target::DebugSymbols, public target::Memory {
public:
    HeldProcess() = default;
    HeldProcess(const HeldProcess&) = delete;
    HeldProcess(HeldProcess&&) = delete;
    HeldProcess& operator=(const HeldProcess&) = delete;
    HeldProcess& operator=(HeldProcess&&) = delete;
    ~HeldProcess() override = default;

    /// What the user calls it: "inferior 2".
    virtual std::string name() const = 0;
    virtual pid_t pid() const = 0;
    /// False: it is dead, its memory a core file's.
    virtual bool alive() const = 0;

    /// The fatal signal that a dead one has received.
    virtual std::optional<model::Signal> signal() const { return std::nullopt; }

    /// The main thread first; of a process that a signal has ended that which received it.
    virtual std::vector<HeldThread> threads() const = 0;
    /// As snapshot::FrameVariables, of one of `threads()`.
    virtual snapshot::RawArgument variable(std::size_t thread,
                                           std::size_t frame,
                                           const std::string& name) const = 0;
    virtual std::vector<std::string> parameters(std::size_t thread, std::size_t frame) const = 0;

    /// Shares nothing with other processes: the debugger knows what it can share.
    LoadedFiles loaded_files() const final {
        const DebugSymbols* self = this;
        return {{self, 0}};
    }
};

}  // namespace mqinspect::debugger
