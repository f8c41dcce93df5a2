#include "mqs_dll/heap.h"

namespace mqinspect::dll {
namespace {

constinit const mqs_basic_callbacks* installed = nullptr;

}  // namespace

void install_callbacks(const mqs_basic_callbacks* callbacks) {
    installed = callbacks;
}

const mqs_basic_callbacks* basic_callbacks() {
    return installed;
}

void* allocate(std::size_t bytes) {
    if (installed == nullptr || installed->mqs_malloc_fp == nullptr) return nullptr;
    return installed->mqs_malloc_fp(bytes == 0 ? 1 : bytes);
}

void release(void* memory) {
    if (memory == nullptr || installed == nullptr || installed->mqs_free_fp == nullptr) return;
    installed->mqs_free_fp(memory);
}

std::size_t IndexMap::slot_of(std::uint64_t key) const {
    // Fibonacci hashing: addresses share their low bits, so the high ones of the product decide.
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = ((key * 0x9e3779b97f4a7c15U) >> 20) & mask;
    while (slots_[slot].value != kMissing && slots_[slot].key != key)
        slot = (slot + 1) & mask;
    return slot;
}

bool IndexMap::reserve(std::size_t keys) {
    std::size_t wanted = 16;
    while (wanted < keys + keys / 2)
        wanted *= 2;
    if (wanted <= slots_.size()) return true;
    Array<Slot> old;
    old = std::move(slots_);
    if (!slots_.resize(wanted)) {
        slots_ = std::move(old);
        return false;
    }
    for (const Slot& slot : old) {
        if (slot.value != kMissing) slots_[slot_of(slot.key)] = slot;
    }
    return true;
}

bool IndexMap::insert(std::uint64_t key, std::uint32_t value) {
    if (!reserve(used_ + 1)) return false;
    Slot& slot = slots_[slot_of(key)];
    if (slot.value == kMissing) ++used_;
    slot = {key, value};
    return true;
}

std::uint32_t IndexMap::find(std::uint64_t key) const {
    return slots_.empty() ? kMissing : slots_[slot_of(key)].value;
}

}  // namespace mqinspect::dll
