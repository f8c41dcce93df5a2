/// Stacks: copied while the process stands, unwound afterwards; and the values
/// of variables in their frames.
#pragma once

#include <sys/user.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/target/memory.h"
#include "inspector/target/process_view.h"
#include "inspector/target/python_frames.h"
#include "model/job_snapshot.h"

namespace mqinspect::target {

/// Registers and stack bytes of one thread at one moment.
struct CapturedThread {
    pid_t tid = 0;
    user_regs_struct registers{};
    std::uint64_t stack_start = 0;  ///< the stack pointer, less the red zone
    std::vector<std::byte> stack;
    PythonStack python = {};  ///< as PythonStacks reads it
};

/// Copies at most `limit` bytes from the stack pointer upwards, as far as they
/// are mapped. Call while the thread is stopped.
Result<CapturedThread> capture_thread(const ProcessView& view,
                                      const Memory& memory,
                                      pid_t tid,
                                      const user_regs_struct& registers,
                                      std::size_t limit = std::size_t{256} << 10);

/// The captured stack over the rest of the process: what lies in the copy is as
/// it was at the stop, everything else is read now. Borrows both.
class CapturedMemory final : public Memory {
public:
    CapturedMemory(const CapturedThread& thread, const Memory& rest)
        : thread_(thread), rest_(rest) {}
    Result<Done> read(Address address, std::span<std::byte> destination) const override;

private:
    const CapturedThread& thread_;
    const Memory& rest_;
};

/// x86-64 DWARF numbering: 0 rax, 1 rdx, 2 rcx, 3 rbx, 4 rsi, 5 rdi, 6 rbp,
/// 7 rsp, 8-15 r8-r15, 16 the return address. Empty: not preserved up to here.
using FrameRegisters = std::array<std::optional<std::uint64_t>, 17>;

struct UnwoundFrame {
    Address pc = Address::Null;
    /// False for the innermost frame and for one that a signal interrupted.
    bool is_return_address = false;
    FrameRegisters registers;
    /// The canonical frame address (stack pointer of the caller), if known.
    std::optional<std::uint64_t> cfa;
};

/// Unwinds with the call frame information of the shared images (libdw), each
/// instruction's rules read once for all ranks; innermost frame first, at most
/// `max_frames`. `memory` may be the live process: the captured stack goes before
/// it. A stack that cannot be followed to its end gives the frames up to there and
/// sets `problem`, as do steps that had to use the frame pointer.
struct UnwoundStack {
    std::vector<UnwoundFrame> frames;
    std::string problem;
    std::uint64_t thread_pointer = 0;  ///< register fs.base
};
UnwoundStack unwind(const ProcessView& view,
                    const CapturedThread& thread,
                    const Memory& memory,
                    std::size_t max_frames = 256);

/// A formal parameter or local variable of one frame (inlined functions
/// included), as far as its location list says where it lives.
struct Variable {
    std::string name;
    std::vector<std::byte> bytes;    ///< its value, in the target's byte order
    std::optional<Address> address;  ///< empty: it lives in a register
    bool is_parameter = false;
    std::string type;  ///< as DWARF names it: "MPI_Comm", "MPIR_Request *"
};

/// The variable called `name` in the frame `stack.frames[index]`: the parameter of
/// the function itself, else of the innermost scope outwards. (Parameters of
/// inlined functions often have the same names, with other values.) MissingDebugInfo: there is none
/// of that name; BadAddress: it has no value here (optimised out), or the value cannot be read.
/// Knows the location operations that GCC and clang emit for x86-64, entry values
/// (through the caller's call site parameters) and pieces.
Result<Variable> read_variable(const ProcessView& view,
                               const UnwoundStack& stack,
                               std::size_t index,
                               const Memory& memory,
                               std::string_view name);

/// The first `count` integer and pointer arguments that the frame `caller` has passed to
/// `callee`, the function that it is in, by the calling convention of x86-64: from what
/// optimised code's debug information says of the call, else by following the caller's
/// instructions (straight_code.h). Empty values are not known; all are if the call in
/// the caller's code is not one of `callee`, which another function may have gone on to.
std::vector<std::optional<std::uint64_t>> passed_arguments(const ProcessView& view,
                                                           const UnwoundStack& stack,
                                                           std::size_t caller,
                                                           const Memory& memory,
                                                           Address callee,
                                                           std::size_t count);

/// What the debug information of the caller says that it has put into a register for
/// the call it is in; empty if it does not say.
std::optional<std::uint64_t> call_site_value(const ProcessView& view,
                                             const UnwoundStack& stack,
                                             std::size_t caller,
                                             const Memory& memory,
                                             unsigned dwarf_register);

/// Names of the parameters of the function at the frame, in order. Empty without
/// debug information.
std::vector<std::string> parameter_names(const ProcessView& view, const UnwoundFrame& frame);

}  // namespace mqinspect::target
