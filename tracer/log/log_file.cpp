#include "tracer/log/log_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kFirstWindow = 4 * model::kBlockBytes;
constexpr std::size_t kLargestWindow = 128 * model::kBlockBytes;
constexpr std::size_t kLeastBlocks = 4;

/// A process that has written much will write more.
std::size_t window_of(std::size_t size) {
    return std::clamp(
        size / model::kBlockBytes / 4 * model::kBlockBytes, kFirstWindow, kLargestWindow);
}

std::size_t offset_of(std::size_t block) {
    return (block + 1) * model::kBlockBytes;
}

}  // namespace

int LogFile::create(const char* path, const model::FileHeader& header, std::size_t limit_bytes) {
    if (limit_bytes != 0) {
        limit_ = std::max(limit_bytes / model::kBlockBytes, kLeastBlocks + 1) - 1;
    }
    if (const int code = file_.create(path)) return code;
    if (const int code = file_.grow(model::kBlockBytes, kFirstWindow)) return code;
    header_ = static_cast<model::FileHeader*>(file_.map(nullptr, 0, model::kBlockBytes));
    if (header_ == nullptr) return errno;
    header_->format = header.format;
    header_->tick_shift = header.tick_shift;
    header_->pid = header.pid;
    header_->start_ns = header.start_ns;
    header_->magic = header.magic;
    return 0;
}

bool LogFile::is_held(std::size_t number) const {
    return std::find(held_, held_ + held_count_, number) != held_ + held_count_;
}

void LogFile::set_held(std::size_t number, bool held) {
    if (held && held_count_ < kMaxHeld) held_[held_count_++] = number;
    if (held) return;
    auto* const end = held_ + held_count_;
    auto* const place = std::find(held_, end, number);
    if (place != end) *place = held_[--held_count_];
}

/// The number of a block that may be written; error_ is set if there is none.
std::size_t LogFile::choose() {
    if (limit_ != 0 && count_ >= limit_ && held_count_ < count_ && held_count_ < kMaxHeld) {
        while (is_held(oldest_))
            oldest_ = (oldest_ + 1) % count_;
        const std::size_t number = oldest_;
        oldest_ = (oldest_ + 1) % count_;
        header_->lost_blocks.fetch_add(1, std::memory_order_relaxed);
        return number;
    }
    const std::size_t bytes = offset_of(count_ + 1);
    const std::size_t window = limit_ == 0 ? window_of(file_.size()) : kFirstWindow;
    if (const int code = file_.grow(bytes, window)) {
        header_->full.store(static_cast<std::uint32_t>(code), std::memory_order_relaxed);
        error_.store(code, std::memory_order_relaxed);
    }
    return count_;
}

Block LogFile::claim() {
    const Locked locked(lock_);
    if (error() != 0) return {};
    const std::size_t number = choose();
    if (error() != 0) return {};
    void* pages = file_.map(nullptr, offset_of(number), model::kBlockBytes);
    if (pages == nullptr) {
        error_.store(errno, std::memory_order_relaxed);
        header_->full.store(static_cast<std::uint32_t>(errno), std::memory_order_relaxed);
        return {};
    }
    // One call instead of a page fault for each page; kernels before 5.14 do not know it.
    madvise(pages, model::kBlockBytes, MADV_POPULATE_WRITE);
    auto* header = static_cast<model::BlockHeader*>(pages);
    header->magic = 0;
    header->used.store(0, std::memory_order_release);
    if (number == count_) {
        ++count_;
        header_->blocks.store(count_, std::memory_order_release);
    }
    set_held(number, true);
    return {header, number};
}

void LogFile::give_back(const Block& block) {
    if (block.header == nullptr) return;
    munmap(block.header, model::kBlockBytes);
    const Locked locked(lock_);
    set_held(block.number, false);
}

void LogFile::close() {
    const Locked locked(lock_);
    if (header_ != nullptr) file_.truncate(offset_of(count_));
}

}  // namespace mqinspect::tracer
