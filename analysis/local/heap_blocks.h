/// Buffers against the blocks of the heap that they lie in.
///
/// There must be as much memory as the call says (MPI 4.0, 3.2.2), and the program must have it
/// still. The recorder looks at some of the calls of each place (EventKind::HeapBlock). A block may
/// have a few bytes more than the program has asked for.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/findings.h"
#include "analysis/local/buffers.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

class HeapBlocks {
public:
    /// All of them must outlive it.
    HeapBlocks(model::ProcessId process,
               const model::Execution& execution,
               const TypeSignatures& signatures,
               Reporter& reporter)
        : process_(process), execution_(execution), signatures_(signatures), reporter_(reporter) {}

    /// EventKind::HeapBlock; for the next call of its thread.
    void note(const model::RecordedEvent& event);
    /// What the call touches, see collect_accesses; and memory that it gives to MPI for later.
    /// Nothing, if something is wrong with the call already. False: that is reported.
    bool check(const CallView& view, const std::vector<Access>& accesses);

private:
    struct Block {
        std::uint64_t event = 0;  ///< RecordedEvent::event
        std::int64_t address = 0;
        ByteRange range;
        bool given_back = false;
    };
    /// Null: not known. `parameter`: the subscript of the buffer.
    const Block* block_of(const std::vector<Block>& blocks,
                          const CallView& view,
                          std::size_t parameter) const;
    /// `of_short`: the severity, if the block is not long enough.
    Finding* report(const CallView& view, const Block& block, Severity of_short, bool writes);
    bool check_access(const CallView& view, const Access& access, const Block& block);
    bool check_given(const CallView& view, const GivenMemory& memory, const Block& block);

    model::ProcessId process_;
    const model::Execution& execution_;
    const TypeSignatures& signatures_;
    Reporter& reporter_;
    bool spoilt_ = false;  ///< from here on what the heap looks like means nothing
    std::map<int, std::vector<Block>> blocks_;  ///< by thread
};

}  // namespace mqinspect::analysis
