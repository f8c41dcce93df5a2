#include "tracer/log/log_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kLeastBlocks = 4;

std::size_t offset_of(std::size_t block) {
    return (block + 1) * model::kBlockBytes;
}

}  // namespace

int LogFile::create(const char* path, const model::FileHeader& header, std::size_t limit_bytes) {
    if (limit_bytes != 0) {
        limit_ = std::max(limit_bytes / model::kBlockBytes, kLeastBlocks + 1) - 1;
    }
    if (const int code = file_.create(path)) return code;
    if (const int code = file_.grow(model::kBlockBytes, model::kBlockBytes)) return code;
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

/// The number of a block that may be written, which is held from here on.
std::size_t LogFile::choose() {
    std::size_t number = count_;
    if (limit_ != 0 && count_ >= limit_ && held_count_ < count_ && held_count_ < kMaxHeld) {
        while (is_held(oldest_))
            oldest_ = (oldest_ + 1) % count_;
        number = oldest_;
        oldest_ = (oldest_ + 1) % count_;
        header_->lost_blocks.fetch_add(1, std::memory_order_relaxed);
    } else {
        ++count_;
    }
    set_held(number, true);
    return number;
}

void LogFile::fail(int code) {
    header_->full.store(static_cast<std::uint32_t>(code), std::memory_order_relaxed);
    error_.store(code, std::memory_order_relaxed);
}

void LogFile::now_there(std::size_t number) {
    file_.has_grown(offset_of(number + 1));
    if (number >= header_->blocks.load(std::memory_order_relaxed))
        header_->blocks.store(number + 1, std::memory_order_release);
}

Block LogFile::claim() {
    const Locked locked(lock_);
    if (error() != 0) return {};
    const std::size_t number = choose();
    const std::size_t end = offset_of(number + 1);
    if (const int code = file_.grow(end, model::kBlockBytes)) {
        fail(code);
        return {};
    }
    void* pages = file_.map(nullptr, offset_of(number), model::kBlockBytes);
    if (pages == nullptr) {
        fail(errno);
        return {};
    }
    // One call instead of a page fault for each page; kernels before 5.14 do not know it.
    madvise(pages, model::kBlockBytes, MADV_POPULATE_WRITE);
    auto* header = static_cast<model::BlockHeader*>(pages);
    header->magic = 0;
    header->used.store(0, std::memory_order_release);
    now_there(number);
    return {header, number};
}

/// The header comes last: what is killed in between leaves a place that is no block.
bool LogFile::keep(const Block& block) {
    std::size_t number = 0;
    bool again = false;
    {
        const Locked locked(lock_);
        if (error() != 0) return false;
        const std::size_t count = count_;
        number = choose();
        again = number < count;
    }
    constexpr std::uint32_t no_magic = 0;
    constexpr std::size_t header_bytes = sizeof(model::BlockHeader);
    const std::size_t place = offset_of(number);
    int code = again ? file_.write({{place, &no_magic, sizeof no_magic}}) : 0;
    if (code == 0) {
        code =
            file_.write({{place + header_bytes, block.records(), model::kBlockBytes - header_bytes},
                         {place, block.header, header_bytes}});
    }
    const Locked locked(lock_);
    set_held(number, false);
    if (code != 0) {
        fail(code);
        return false;
    }
    now_there(number);
    return true;
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
