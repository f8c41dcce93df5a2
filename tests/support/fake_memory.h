/// Memory of a process that does not exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace mqinspect::test {

/// One mapped range of fixed size; objects are laid into it one after another and
/// never move, so references to them stay valid.
class FakeMemory {
public:
    static constexpr std::uint64_t kBase = 0x7000'0000'1000;

    explicit FakeMemory(std::size_t room)
        : bytes_(std::make_unique<unsigned char[]>(room)), room_(room) {}

    /// Zeroed room for `size` bytes. Precondition: it fits.
    std::uint64_t allocate(std::size_t size) {
        const std::uint64_t address = kBase + used_;
        used_ += (size + 15) / 16 * 16;
        if (used_ > room_) __builtin_trap();
        return address;
    }
    template <class T>
    std::uint64_t add(const T& value) {
        const std::uint64_t address = allocate(sizeof(T));
        at<T>(address) = value;
        return address;
    }
    /// The object at an address from allocate or add.
    template <class T>
    T& at(std::uint64_t address) {
        return *reinterpret_cast<T*>(bytes_.get() + (address - kBase));
    }

    /// Makes reads that touch the byte fail.
    void forbid(std::uint64_t address) { forbidden_.insert(address); }

    /// Called before every read, to change memory under the reader; may be empty.
    void before_read(std::function<void()> change) { before_read_ = std::move(change); }

    bool read(std::uint64_t address, std::size_t size, void* to) const {
        if (before_read_) before_read_();
        if (address < kBase || size > used_ || address - kBase > used_ - size) return false;
        const auto bad = forbidden_.lower_bound(address);
        if (bad != forbidden_.end() && *bad < address + size) return false;
        std::memcpy(to, bytes_.get() + (address - kBase), size);
        return true;
    }
    /// Stores a value at any address, aligned or not.
    template <class T>
    void store(std::uint64_t address, const T& value) {
        std::memcpy(bytes_.get() + (address - kBase), &value, sizeof value);
    }
    template <class T>
    T load(std::uint64_t address) const {
        T value;
        std::memcpy(&value, bytes_.get() + (address - kBase), sizeof value);
        return value;
    }
    std::size_t used() const { return used_; }

    /// Everything laid into it so far, and back, readable everywhere.
    std::vector<unsigned char> content() const { return {bytes_.get(), bytes_.get() + used_}; }
    void set_content(const std::vector<unsigned char>& content) {
        std::memcpy(bytes_.get(), content.data(), content.size());
        forbidden_.clear();
    }

private:
    std::unique_ptr<unsigned char[]> bytes_;
    std::size_t room_;
    std::size_t used_ = 0;
    std::set<std::uint64_t> forbidden_;
    std::function<void()> before_read_;
};

}  // namespace mqinspect::test
