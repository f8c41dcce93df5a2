#include "thread_level/notes/packing.h"

#include <zlib.h>

#include <limits>

namespace mqinspect::thread_level::notes {
namespace {

// Most units have some thousand bytes: a larger window costs more to set up than it saves.
constexpr int kWindowBits = -13;
constexpr int kMemoryLevel = 6;
constexpr int kAnyWindow = -15;

// zlib takes no const, and leaves the bytes alone.
Bytef* bytes_of(std::string_view text) {
    return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
}

}  // namespace

std::string pack(std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<uInt>::max() / 2) return {};
    z_stream stream{};
    if (deflateInit2(&stream,
                     Z_DEFAULT_COMPRESSION,
                     Z_DEFLATED,
                     kWindowBits,
                     kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = bytes_of(bytes);
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = bytes_of(packed);
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(done ? stream.total_out : 0);
    deflateEnd(&stream);
    return bytes.size() > kMostUnpacked * packed.size() ? std::string{} : packed;
}

std::string unpack(Reader& packed, std::size_t length) {
    std::string bytes;
    const std::size_t left = packed.left();
    if (length > kMostUnpacked * left || left > std::numeric_limits<uInt>::max() / kMostUnpacked)
        packed.fail("it is said to be too long");
    z_stream stream{};
    if (packed.is_good() && inflateInit2(&stream, kAnyWindow) != Z_OK)
        packed.fail("there is no memory to unpack it");
    if (!packed.is_good()) return bytes;
    bytes.resize(length);
    stream.next_in = bytes_of(packed.rest());
    stream.avail_in = static_cast<uInt>(left);
    stream.next_out = bytes_of(bytes);
    stream.avail_out = static_cast<uInt>(length);
    const bool done = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (!done || stream.avail_in != 0 || stream.total_out != length) {
        packed.fail("its packed bytes are damaged");
        bytes.clear();
    }
    inflateEnd(&stream);
    return bytes;
}

}  // namespace mqinspect::thread_level::notes
