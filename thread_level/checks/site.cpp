#include "thread_level/checks/site.h"

#include <cstddef>
#include <cstring>

#include "thread_level/checks/memory.h"
#include "thread_level/checks/message.h"

namespace mqinspect::thread_level::checks {
namespace {

constexpr std::size_t kBuckets = 1024;
// Hashing of addresses, of which 10 bits are left, and of text (FNV-1a).
constexpr std::uintptr_t kMix = 0x9e37'79b9'7f4a'7c15;
constexpr unsigned kShift = 54;
constexpr std::uint32_t kStart = 2'166'136'261;
constexpr std::uint32_t kPrime = 16'777'619;

/// The same string may be in several objects.
struct Address {
    const char* address = nullptr;
    Site* site = nullptr;
    Address* next = nullptr;
};

constinit SpinLock lock;
constinit std::atomic<Address*> addresses[kBuckets];
constinit Site* sites[kBuckets];  // under the lock
constinit std::uint32_t site_count = 0;

std::size_t bucket_of(const char* address) {
    return (reinterpret_cast<std::uintptr_t>(address) * kMix) >> kShift;
}

std::uint32_t hash_of(const char* text) {
    std::uint32_t hash = kStart;
    for (; *text != '\0'; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * kPrime;
    return hash;
}

char* copy_of(const char* text) {
    const std::size_t size = std::strlen(text) + 1;
    char* const copy = static_cast<char*>(allocate(size));
    if (copy != nullptr) std::memcpy(copy, text, size);
    return copy;
}

/// Cuts the next field off. The last has all the rest.
const char* cut(char*& rest, bool is_last) {
    char* const field = rest;
    char* const tab = is_last ? nullptr : std::strchr(rest, '\t');
    if (tab == nullptr) {
        rest += std::strlen(rest);
    } else {
        *tab = '\0';
        rest = tab + 1;
    }
    return field;
}

void read_fields(Site& site, char* rest) {
    site.is_usable = std::strcmp(cut(rest, false), "1") == 0;
    if (!site.is_usable) return;
    const char* const flags = cut(rest, false);
    site.is_collective = std::strchr(flags, 'c') != nullptr;
    site.is_by_chance = std::strchr(flags, 's') != nullptr;
    site.communicator = cut(rest, false)[0];
    site.procedure = cut(rest, false);
    site.function = cut(rest, false);
    site.line = cut(rest, false);
    site.column = cut(rest, false);
    site.file = cut(rest, true);
}

Site* new_site(const char* text, std::uint32_t hash) {
    Site* const site = make<Site>();
    char* const copy = copy_of(text);
    char* const fields = copy_of(text);
    if (site == nullptr || copy == nullptr || fields == nullptr) return nullptr;
    site->hash = hash;
    site->text = copy;
    read_fields(*site, fields);
    if (site->is_usable) site->id = site_count++;
    Site*& head = sites[hash % kBuckets];
    site->next = head;
    head = site;
    if (!site->is_usable) {
        static constinit std::atomic<bool> is_said;
        if (!is_said.exchange(true))
            say("calls for checks of another version are ignored: compile and link with the same");
    }
    return site;
}

Site* find_at(const char* text, const Address* node) {
    for (; node != nullptr; node = node->next) {
        // Once a library is unloaded, its addresses may be those of others.
        if (node->address == text && std::strcmp(node->site->text, text) == 0) return node->site;
    }
    return nullptr;
}

Site* find_or_make(const char* text) {
    const std::uint32_t hash = hash_of(text);
    for (Site* site = sites[hash % kBuckets]; site != nullptr; site = site->next) {
        if (site->hash == hash && std::strcmp(site->text, text) == 0) return site;
    }
    return new_site(text, hash);
}

Site* usable(Site* site) {
    return site != nullptr && site->is_usable ? site : nullptr;
}

}  // namespace

Site* find_site(const char* text) {
    std::atomic<Address*>& head = addresses[bucket_of(text)];
    if (Site* const site = find_at(text, head.load(std::memory_order_acquire))) return usable(site);
    const Locked locked(lock);
    Address* const before = head.load(std::memory_order_acquire);
    if (Site* const site = find_at(text, before)) return usable(site);
    Site* const site = find_or_make(text);
    Address* const address = make<Address>();
    if (site == nullptr || address == nullptr) return nullptr;
    *address = {text, site, before};
    head.store(address, std::memory_order_release);
    return usable(site);
}

void forget_sites_after_fork() {
    lock.unlock();
    for (Site* site : sites) {
        for (; site != nullptr; site = site->next) {
            site->is_announced = false;
            site->highest = -1;
            site->is_said = false;
        }
    }
}

}  // namespace mqinspect::thread_level::checks
