#include "tracer/log/definitions.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mqinspect::tracer {

namespace {

/// Addresses only; where a limit (ulimit -v) refuses them, less must do.
constexpr std::size_t kRanges[] = {std::size_t{1} << 32U, std::size_t{1} << 26U};
constexpr std::size_t kFirstWindow = std::size_t{64} * 1024;
constexpr std::size_t kLargestWindow = std::size_t{4} * 1024 * 1024;

}  // namespace

int DefinitionsFile::create(const char* path, const model::FileHeader& header) {
    if (const int code = file_.create(path)) return code;
    for (const std::size_t range : kRanges) {
        void* addresses =
            mmap(nullptr, range, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (addresses == MAP_FAILED) continue;
        base_ = static_cast<std::uint8_t*>(addresses);
        reserved_ = range;
        break;
    }
    if (base_ == nullptr) return ENOMEM;
    if (const int code = file_.grow(kFirstWindow, kFirstWindow)) return code;
    if (file_.map(base_, 0, kFirstWindow) == nullptr) return errno;
    mapped_ = kFirstWindow;
    auto* first = reinterpret_cast<model::FileHeader*>(base_);
    first->format = header.format;
    first->tick_shift = header.tick_shift;
    first->pid = header.pid;
    first->start_ns = header.start_ns;
    first->magic = header.magic;
    return 0;
}

void DefinitionsFile::append(model::DefinitionKind kind) {
    auto* header = reinterpret_cast<model::FileHeader*>(base_);
    const std::size_t committed = header->committed.load(std::memory_order_relaxed);
    const std::size_t begin = sizeof(model::FileHeader) + committed;
    const std::size_t end = begin + model::kMaxVarintBytes + 1 + payload_.size();
    if (error_ == 0 && end > reserved_) error_ = EFBIG;
    if (error_ == 0 && end > mapped_) {
        const std::size_t window = std::clamp(mapped_, kFirstWindow, kLargestWindow);
        error_ = file_.grow(end, window);
        // The file may have grown by less than a window, to an end within a page.
        const std::size_t to = std::min(file_.size(), reserved_);
        if (error_ == 0 && file_.map(base_ + mapped_, mapped_, to - mapped_) == nullptr)
            error_ = errno;
        if (error_ == 0) mapped_ = to & ~(kFirstWindow - 1);
        if (error_ == 0 && mapped_ < end) error_ = ENOSPC;
    }
    if (error_ != 0) {
        header->full.store(static_cast<std::uint32_t>(error_), std::memory_order_relaxed);
        return;
    }
    std::uint8_t* out = model::put_varint(base_ + begin, payload_.size());
    *out++ = static_cast<std::uint8_t>(kind);
    if (payload_.size() != 0) std::memcpy(out, payload_.data(), payload_.size());
    out += payload_.size();
    header->committed.store(static_cast<std::size_t>(out - base_) - sizeof(model::FileHeader),
                            std::memory_order_release);
}

void DefinitionsFile::close() {
    const Locked locked(lock_);
    if (base_ == nullptr) return;
    const auto* header = reinterpret_cast<const model::FileHeader*>(base_);
    file_.truncate(sizeof(model::FileHeader) + header->committed.load(std::memory_order_relaxed));
    error_ = EBADF;
}

Definition::Definition(DefinitionsFile& file, model::DefinitionKind kind)
    : file_(file), locked_(file.lock_), kind_(kind) {
    file_.payload_.clear();
}

Definition::~Definition() {
    if (file_.base_ != nullptr) file_.append(kind_);
}

Definition& Definition::number(std::int64_t value) {
    file_.payload_.append_varint(model::zigzag(value));
    return *this;
}

Definition& Definition::length(std::size_t length) {
    file_.payload_.append_varint(length);
    return *this;
}

Definition& Definition::text(std::string_view text) {
    length(text.size());
    file_.payload_.append(text.data(), text.size());
    return *this;
}

}  // namespace mqinspect::tracer
