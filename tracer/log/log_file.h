/// NAME.mqlog of model/record_format.h: blocks, and who has which.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/record_format.h"

#include "tracer/log/growing_file.h"
#include "tracer/log/memory.h"

namespace mqinspect::tracer {

/// A block that a thread writes into, of its own; null: there is none.
struct Block {
    model::BlockHeader* header = nullptr;
    std::size_t number = 0;

    std::uint8_t* records() const { return reinterpret_cast<std::uint8_t*>(header + 1); }
    std::uint8_t* end() const {
        return reinterpret_cast<std::uint8_t*>(header) + model::kBlockBytes;
    }
};

/// A thread writes into a mapping of one block all its life. When that is full it is copied to
/// another place of the file: to map each place anew would cost the kernel three times as much.
/// Thread-safe, but for create().
class LogFile {
public:
    /// `limit_bytes` 0: none. errno, or 0.
    int create(const char* path, const model::FileHeader& header, std::size_t limit_bytes);
    /// A block to fill; its header says so far only that it is none. Without a header: the file
    /// cannot grow, and error() says why.
    Block claim();
    /// Copies a full block, which may then be filled once more. False: the file cannot grow.
    bool keep(const Block& block);
    /// The thread ends; a ring may take the block for another.
    void give_back(const Block& block);
    /// Gives back the space that is not used. Claims must not follow.
    void close();
    int error() const { return error_.load(std::memory_order_relaxed); }
    model::FileHeader* header() const { return header_; }

private:
    std::size_t choose();
    void fail(int code);
    void now_there(std::size_t number);
    bool is_held(std::size_t number) const;
    void set_held(std::size_t number, bool held);

    static constexpr std::size_t kMaxHeld = 4096;
    GrowingFile file_;
    SpinLock lock_;
    model::FileHeader* header_ = nullptr;
    std::size_t limit_ = 0;  ///< in blocks, 0: none
    std::size_t count_ = 0;  ///< blocks in the file, also those that are being written
    std::size_t oldest_ = 0;
    std::size_t held_[kMaxHeld] = {};  ///< numbers of blocks that are being written
    std::size_t held_count_ = 0;
    std::atomic<int> error_{0};
};

}  // namespace mqinspect::tracer
