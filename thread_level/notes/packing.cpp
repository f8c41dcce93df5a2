#include "thread_level/notes/packing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mqinspect::thread_level::notes {
namespace {

constexpr std::size_t kShortest = 3;
constexpr std::size_t kLongest = 48;  // a head, a length and a distance of a byte each: 16 times
constexpr unsigned kMore = 15;        // half a head that says that more follows
constexpr int kMostTries = 32;        // places that are compared for one copy

struct Copy {
    std::size_t length = 0;
    std::size_t distance = 0;
};

std::size_t bytes_of(std::size_t number) {
    std::size_t count = 1;
    for (; number >= 0x80; number >>= 7U)
        ++count;
    return count;
}

/// Bytes that it saves, its head not counted.
std::size_t gain(const Copy& copy) {
    const std::size_t cost = bytes_of(copy.distance) + (copy.length >= kShortest + kMore ? 1 : 0);
    return copy.length > cost ? copy.length - cost : 0;
}

class Packer {
public:
    explicit Packer(std::string_view bytes) : bytes_(bytes), before_(bytes.size(), kNowhere) {
        last_.fill(kNowhere);
    }
    std::string pack() &&;

private:
    static constexpr std::uint32_t kNowhere = 0xffff'ffff;
    static constexpr unsigned kHashBits = 12;

    std::size_t hash_at(std::size_t at) const {
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < kShortest; ++i)
            three = three << 8U | static_cast<unsigned char>(bytes_[at + i]);
        return three * std::uint32_t{2654435761} >> (32 - kHashBits);
    }
    void remember(std::size_t at);
    Copy best_at(std::size_t at) const;
    void number(std::size_t value);
    void sequence(std::size_t end, const Copy& copy);

    std::string_view bytes_;
    std::array<std::uint32_t, std::size_t{1} << kHashBits> last_{};  // of each hash
    std::vector<std::uint32_t> before_;                              // of the same hash
    std::size_t written_ = 0;
    std::string packed_;
};

void Packer::remember(std::size_t at) {
    if (bytes_.size() - at < kShortest) return;
    std::uint32_t& last = last_[hash_at(at)];
    before_[at] = last;
    last = static_cast<std::uint32_t>(at);
}

Copy Packer::best_at(std::size_t at) const {
    Copy best;
    const std::size_t most = std::min(bytes_.size() - at, kLongest);
    if (most < kShortest) return best;
    std::uint32_t from = last_[hash_at(at)];
    for (int tries = 0; from != kNowhere && tries < kMostTries; ++tries) {
        Copy copy{0, at - from};
        while (copy.length < most && bytes_[from + copy.length] == bytes_[at + copy.length])
            ++copy.length;
        if (copy.length >= kShortest && gain(copy) > gain(best)) best = copy;
        if (best.length == most) break;
        from = before_[from];
    }
    return best;
}

void Packer::number(std::size_t value) {
    for (; value >= 0x80; value >>= 7U)
        packed_ += static_cast<char>(value | 0x80U);
    packed_ += static_cast<char>(value);
}

/// What is not written yet, up to `end`, and what `copy` stands for.
void Packer::sequence(std::size_t end, const Copy& copy) {
    const std::size_t plain = end - written_;
    const std::size_t over = copy.length == 0 ? 0 : copy.length - kShortest;
    packed_ += static_cast<char>(std::min<std::size_t>(plain, kMore) << 4U |
                                 std::min<std::size_t>(over, kMore));
    if (plain >= kMore) number(plain - kMore);
    packed_ += bytes_.substr(written_, plain);
    written_ = end + copy.length;
    if (copy.length == 0) return;
    if (over >= kMore) packed_ += static_cast<char>(over - kMore);
    number(copy.distance);
}

std::string Packer::pack() && {
    packed_.reserve(bytes_.size());
    Copy copy = best_at(0);
    for (std::size_t at = 0; at < bytes_.size();) {
        remember(at);
        // Perhaps a byte as it is makes way for a longer one.
        const Copy next = at + 1 < bytes_.size() ? best_at(at + 1) : Copy{};
        if (gain(copy) < 2 || gain(next) > gain(copy) + 1) {
            ++at;
            copy = next;
            continue;
        }
        sequence(at, copy);
        while (++at < written_)
            remember(at);
        copy = at < bytes_.size() ? best_at(at) : Copy{};
    }
    if (written_ < bytes_.size()) sequence(bytes_.size(), {});
    return std::move(packed_);
}

}  // namespace

std::string pack(std::string_view bytes) {
    return Packer(bytes).pack();
}

std::string unpack(Reader& packed, std::size_t length) {
    std::string bytes;
    if (length / kMostUnpacked > packed.left()) packed.fail("it is said to be too long");
    if (packed.is_good()) bytes.reserve(length);
    while (packed.is_good() && bytes.size() < length) {
        const auto head = static_cast<unsigned char>(packed.byte());
        std::uint64_t plain = head >> 4U;
        if (plain == kMore) plain += packed.number();
        bytes += packed.text(plain);
        if (bytes.size() >= length) break;
        std::size_t copied = kShortest + (head & kMore);
        if ((head & kMore) == kMore) copied += static_cast<unsigned char>(packed.byte());
        const std::uint64_t distance = packed.number();
        if (distance == 0 || distance > bytes.size()) packed.fail("a copy is of what is not there");
        if (copied > length - bytes.size()) packed.fail("it is longer than it says");
        if (!packed.is_good()) break;
        // One by one: a copy may go on in itself.
        for (std::size_t from = bytes.size() - distance; copied > 0; --copied)
            bytes += bytes[from++];
    }
    if (bytes.size() > length || packed.left() != 0) packed.fail("it is longer than it says");
    return bytes;
}

}  // namespace mqinspect::thread_level::notes
