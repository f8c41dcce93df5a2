#include "trace_io/block_index.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "model/record_format.h"

namespace mqinspect::trace_io {
namespace {

using model::BlockHeader;
using model::kBlockBytes;

struct FoundBlock {
    std::uint32_t thread = 0;
    BlockPlace place;
};

// The layout of BlockHeader. Empty: a block that was taken and has no records yet, or damage.
std::optional<FoundBlock> read_block_header(const RecordFile& log,
                                            std::uint64_t offset,
                                            std::vector<std::string>& problems) {
    std::array<std::uint8_t, sizeof(BlockHeader)> bytes{};
    if (log.read(offset, bytes) != bytes.size()) {
        problems.push_back(fmt::format(
            "{}: offset {}: the file ends within a block; it was cut", log.path(), offset));
        return std::nullopt;
    }
    const auto magic = field<std::uint32_t>(bytes, 0);
    if (magic == 0) return std::nullopt;
    FoundBlock block;
    block.thread = field<std::uint32_t>(bytes, 4);
    block.place.offset = offset;
    block.place.sequence = field<std::uint64_t>(bytes, 8);
    block.place.ticks = field<std::uint64_t>(bytes, 16);
    block.place.first_event = field<std::uint64_t>(bytes, 24);
    block.place.used = field<std::uint32_t>(bytes, 32);
    block.place.open_calls = field<std::uint32_t>(bytes, 36);
    if (magic != model::kBlockMagic || block.place.used > kBlockBytes - sizeof(BlockHeader)) {
        problems.push_back(fmt::format(
            "{}: offset {}: {}; the block was left out",
            log.path(),
            offset,
            magic != model::kBlockMagic
                ? std::string("no block begins here")
                : fmt::format(
                      "a block of {} bytes with {} bytes in use", kBlockBytes, block.place.used)));
        return std::nullopt;
    }
    return block;
}

void order(ThreadBlocks& thread, const RecordFile& log, std::vector<std::string>& problems) {
    std::vector<BlockPlace>& blocks = thread.blocks;
    std::ranges::sort(blocks, [](const BlockPlace& a, const BlockPlace& b) {
        return a.sequence != b.sequence ? a.sequence < b.sequence : a.used > b.used;
    });
    // The process has ended while it copied a full block; the original may be empty already.
    const auto is_copy = [](const BlockPlace& a, const BlockPlace& b) {
        return a.sequence == b.sequence && (a.first_event == b.first_event || b.used == 0);
    };
    blocks.erase(std::unique(blocks.begin(), blocks.end(), is_copy), blocks.end());
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        if (blocks[i].sequence == blocks[i - 1].sequence + 1) continue;
        problems.push_back(fmt::format(
            "{}: offset {}: block {} of thread {} follows block {}; the thread's calls are read "
            "up to there",
            log.path(),
            blocks[i].offset,
            blocks[i].sequence,
            thread.thread,
            blocks[i - 1].sequence));
        blocks.resize(i);
    }
}

}  // namespace

std::vector<ThreadBlocks> index_blocks(const RecordFile& log, std::vector<std::string>& problems) {
    const std::uint64_t whole = log.size() / kBlockBytes;
    const std::uint64_t there = whole == 0 ? 0 : whole - 1;  // the first has the file's header
    std::uint64_t count = log.header().blocks;
    if (count > there) {
        problems.push_back(
            fmt::format("{}: offset {}: the file ends, and its header speaks of {} blocks, of "
                        "which {} are there; it was cut",
                        log.path(),
                        log.size(),
                        count,
                        there));
        count = there;
    }
    std::map<std::uint32_t, ThreadBlocks> threads;
    for (std::uint64_t number = 0; number < count; ++number) {
        const auto block = read_block_header(log, (number + 1) * kBlockBytes, problems);
        if (!block) continue;
        ThreadBlocks& thread = threads[block->thread];
        thread.thread = block->thread;
        thread.blocks.push_back(block->place);
    }
    std::vector<ThreadBlocks> ordered;
    for (auto& [id, thread] : threads) {
        order(thread, log, problems);
        ordered.push_back(std::move(thread));
    }
    return ordered;
}

}  // namespace mqinspect::trace_io
