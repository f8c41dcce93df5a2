/// The debugger's heap, and the containers that live on it.
///
/// The DLL must not call malloc (MQD 1.0), and running out of memory is a result
/// code, never a crash: whatever grows reports whether it could.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "include/mpi_interface.h"

namespace mqinspect::dll {

/// Keeps the table; the debugger guarantees that it stays valid. Null forgets it.
void install_callbacks(const mqs_basic_callbacks* callbacks);
/// Null before mqs_setup_basic_callbacks.
const mqs_basic_callbacks* basic_callbacks();

/// Null if there is no memory, or no callback. `bytes` may be 0.
void* allocate(std::size_t bytes);
void release(void* memory);

template <class T>
T* create() {
    void* memory = allocate(sizeof(T));
    return memory == nullptr ? nullptr : new (memory) T();
}

template <class T>
void destroy(T* object) {
    if (object == nullptr) return;
    object->~T();
    release(object);
}

/// A growing array of plain values.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Array() = default;
    ~Array() { release(data_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    Array(Array&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          room_(std::exchange(other.room_, 0)) {}
    Array& operator=(Array&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
        return *this;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& operator[](std::size_t index) {
        assert(index < size_);
        return data_[index];
    }
    const T& operator[](std::size_t index) const {
        assert(index < size_);
        return data_[index];
    }
    void clear() { size_ = 0; }
    /// Precondition: not more than there are.
    void truncate(std::size_t size) {
        assert(size <= size_);
        size_ = size;
    }

    /// False: no memory; the contents are as before.
    [[nodiscard]] bool reserve(std::size_t room) {
        if (room <= room_) return true;
        if (room > SIZE_MAX / sizeof(T)) return false;
        auto* data = static_cast<T*>(allocate(room * sizeof(T)));
        if (data == nullptr) return false;
        if (size_ > 0) std::memcpy(data, data_, size_ * sizeof(T));
        release(data_);
        data_ = data;
        room_ = room;
        return true;
    }
    [[nodiscard]] bool push(const T& value) {
        const T copy = value;  // may be an element
        if (size_ == room_ && !reserve(size_ < 8 ? 16 : size_ + size_ / 2)) return false;
        data_[size_++] = copy;
        return true;
    }
    /// New elements are value-initialised.
    [[nodiscard]] bool resize(std::size_t size) {
        if (!reserve(size)) return false;
        for (std::size_t i = size_; i < size; ++i)
            data_[i] = T();
        size_ = size;
        return true;
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

/// From addresses and other 64-bit keys to indices; open addressing.
class IndexMap {
public:
    static constexpr std::uint32_t kMissing = UINT32_MAX;

    /// Room for that many keys without growing. False: no memory.
    [[nodiscard]] bool reserve(std::size_t keys);
    /// Replaces the value of a key that is there. False: no memory.
    [[nodiscard]] bool insert(std::uint64_t key, std::uint32_t value);
    std::uint32_t find(std::uint64_t key) const;

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t value = kMissing;  ///< kMissing: the slot is free
    };
    std::size_t slot_of(std::uint64_t key) const;

    Array<Slot> slots_;
    std::size_t used_ = 0;
};

}  // namespace mqinspect::dll
