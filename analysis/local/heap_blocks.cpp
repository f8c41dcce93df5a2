#include "analysis/local/heap_blocks.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {
namespace {

constexpr std::string_view kFreedMemory = "memory that the program has freed.";

/// There may be more bytes than there are addresses, in a record that makes them up.
std::int64_t length_of(const ByteRange& range) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(range.high) -
                                     static_cast<std::uint64_t>(range.low));
}

}  // namespace

void HeapBlocks::note(const model::RecordedEvent& event) {
    if (event.numbers.size() < 4) return;
    const auto end = checked_sum(event.numbers[1], event.numbers[2]);
    if (!end) return;
    const Block block{
        event.event, event.numbers[0], {event.numbers[1], *end}, event.numbers[3] != 0};
    if (block.range.contains(block.address)) blocks_[event.thread].push_back(block);
}

bool HeapBlocks::check(const CallView& view, const std::vector<Access>& accesses) {
    const auto found = blocks_.find(view.call.thread);
    if (found == blocks_.end()) return true;
    // What a callback inside of the call is given comes behind its own.
    const auto is_earlier = [&](const Block& block) { return block.event < view.call.event; };
    const auto later = std::ranges::find_if_not(found->second, is_earlier);
    std::vector<Block> blocks(found->second.begin(), later);
    found->second.erase(found->second.begin(), later);
    if (blocks.empty() || reporter_.last() || spoilt_) return true;

    bool there = true;
    for (const Access& access : accesses) {
        const auto parameter = buffer_parameter(view, access);
        const Block* const block = parameter ? block_of(blocks, view, *parameter) : nullptr;
        if (block != nullptr) there = check_access(view, access, *block) && there;
    }
    const auto memory = given_memory(view, execution_);
    const Block* const block = memory ? block_of(blocks, view, memory->parameter) : nullptr;
    if (block != nullptr) there = check_given(view, *memory, *block) && there;
    return there;
}

const HeapBlocks::Block* HeapBlocks::block_of(const std::vector<Block>& blocks,
                                              const CallView& view,
                                              std::size_t parameter) const {
    const std::int64_t address = view.call.before[parameter].number;
    const auto found = std::ranges::find(blocks, address, &Block::address);
    return found == blocks.end() ? nullptr : &*found;
}

Finding* HeapBlocks::report(const CallView& view,
                            const Block& block,
                            Severity of_short,
                            bool writes) {
    // The lengths of what lies behind it may be written over.
    spoilt_ = spoilt_ || (writes && of_short == Severity::Error);
    Finding* const finding = reporter_.report(
        block.given_back ? FindingClass::UseAfterFree : FindingClass::InvalidArgument,
        block.given_back ? Severity::Error : of_short,
        process_,
        {{site_of(view.call)}});
    if (finding != nullptr) finding->spoils_memory = writes;
    return finding;
}

bool HeapBlocks::check_access(const CallView& view, const Access& access, const Block& block) {
    // A buffer may be named by an address from which displacements lead elsewhere.
    const bool fits = access.hull.high <= block.range.high && !block.given_back;
    if (fits || access.hull.empty() || !block.range.contains(access.hull.low)) return true;
    Finding* const finding =
        report(view,
               block,
               may_be_shorter(view, access) ? Severity::Warning : Severity::Error,
               access.writes);
    if (finding == nullptr) return false;
    finding->message = view.name() + (access.writes ? " puts " : " takes ") +
                       signatures_.describe(access.type, access.count) +
                       (access.writes ? " into " : " from ");
    if (block.given_back) {
        finding->message += kFreedMemory;
    } else {
        finding->message += "a block of the heap that is too short: that needs " +
                            bytes_text(length_of(access.hull)) + ", but there are " +
                            std::to_string(block.range.high - access.hull.low) + ".";
    }
    return false;
}

bool HeapBlocks::check_given(const CallView& view, const GivenMemory& memory, const Block& block) {
    const std::int64_t room = block.range.high - block.address;
    if (memory.bytes <= room && !block.given_back) return true;
    Finding* const finding = report(view, block, Severity::Error, memory.writes);
    if (finding == nullptr) return false;
    finding->message = view.name() + std::string{memory.use} + bytes_text(memory.bytes) + " of ";
    if (block.given_back) {
        finding->message += kFreedMemory;
    } else {
        finding->message +=
            "a block of the heap that has " + std::to_string(room) + " from there on.";
    }
    return false;
}

}  // namespace mqinspect::analysis
