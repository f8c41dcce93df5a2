/// The stack of one rank with the variables of its frames: for somebody who asks for more
/// than the report says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/snapshot/thread_calls.h"
#include "inspector/target/process_view.h"
#include "inspector/target/stack.h"
#include "inspector/target/values.h"
#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

/// As it was when it was copied, of the thread that the report speaks of. Registers and
/// stacks are of that moment; what lies elsewhere is read when it is asked for, and may be newer
/// unless the rank stands still. Borrows the view and the memory: from Observer::stack_of they
/// live as long as the observer.
class RankStack {
public:
    /// `captured` has at least one thread.
    RankStack(const target::ProcessView& view,
              const target::Memory& memory,
              CapturedRank captured,
              ActivityReader& reader);

    /// Innermost first, as in model::RankSnapshot::stack.
    const std::vector<model::Frame>& frames() const { return frames_; }
    /// Why the stack may be incomplete, else empty.
    const std::string& problem() const { return stack_.problem; }
    /// The innermost frame of the user's code: the one whose line the report shows.
    std::size_t default_frame() const { return default_frame_; }

    /// Parameters and local variables of a frame, those of the innermost scope first. Empty
    /// where the code has no debug information. MPI handles are named as far as the snapshot, which
    /// may be null, knows them: "1140850688 (MPI_COMM_WORLD)".
    std::vector<target::ShownVariable> variables(
        std::size_t frame, const model::JobSnapshot* snapshot = nullptr) const;
    /// See target::evaluate_expression. InvalidArgument, too, for a frame that is not there.
    Result<target::ShownValue> evaluate(std::size_t frame,
                                        std::string_view expression,
                                        const model::JobSnapshot* snapshot = nullptr) const;

private:
    /// In stack_, or MergedFrame::kNone: it is Python's. One that is not there stays so.
    std::size_t native_frame(std::size_t frame) const {
        return frame < native_.size() ? native_[frame] : frame;
    }
    void name_handle(target::ShownValue& value, const model::JobSnapshot* snapshot) const;

    const target::ProcessView& view_;
    const target::Memory& memory_;
    target::CapturedThread thread_;
    target::UnwoundStack stack_;
    std::vector<model::Frame> frames_;
    std::vector<std::size_t> native_;  ///< of each frame the one in stack_, or MergedFrame::kNone
    std::size_t default_frame_ = 0;
};

}  // namespace mqinspect::snapshot
