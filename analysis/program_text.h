/// What the text and the debug information of a program tell of its calls.
#pragma once

#include <cstddef>

#include "model/declared_buffer.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Answers are sure: what is not is not given.
class ProgramText {
public:
    ProgramText() = default;
    ProgramText(const ProgramText&) = delete;
    ProgramText& operator=(const ProgramText&) = delete;
    virtual ~ProgramText() = default;

    /// What the program declares of the buffer that a call's parameter is given; null: not known.
    /// Valid as long as this object.
    virtual const model::DeclaredBuffer* buffer(const model::RecordedCall& call,
                                                std::size_t parameter) = 0;

    /// True: the function that made the first call has returned when its thread, which is the same,
    /// makes the later one. What it had on the stack is no longer there.
    virtual bool has_returned(model::StackId call, model::StackId later) = 0;
};

}  // namespace mqinspect::analysis
