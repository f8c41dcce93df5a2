/// One of the files of a recorded process, checked to be one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace mqinspect::trace_io {

/// A member of a header, as its bytes are in the file. They hold `offset` + sizeof(T) at least.
template <class T>
T field(std::span<const std::uint8_t> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// FileHeader without the atomics, as it was when the file was opened.
struct HeaderValues {
    std::uint64_t pid = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t committed = 0;
    std::uint64_t blocks = 0;
    std::uint64_t lost_blocks = 0;
    std::uint32_t tick_shift = 0;
    std::uint32_t full = 0;
};

/// Read with pread and not mapped: a file that somebody cuts while it is read is an error
/// and not a SIGBUS. What it shows is how the file was when it was opened, although its
/// process may still write.
class RecordFile {
public:
    /// `magic` is that of the kind of file. Opens regular files only.
    static Result<RecordFile> open(const std::string& path, std::uint64_t magic);

    const std::string& path() const { return path_; }
    const HeaderValues& header() const { return header_; }
    std::uint64_t size() const { return size_; }

    /// Reads all of it into memory, of files that are not too long for that. The process may be
    /// writing, and go round where its record is limited: the header is that from behind it.
    void take_copy();

    /// The bytes there are from `offset` on, at most as many as `out` holds.
    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> out) const;
    /// The bytes from `offset` on, as many as the file has.
    std::vector<std::uint8_t> read(std::uint64_t offset, std::uint64_t count) const;

private:
    std::string path_;
    UniqueFd fd_;
    HeaderValues header_;
    std::uint64_t size_ = 0;
    std::vector<std::uint8_t> copy_;  ///< empty: the file is read
};

}  // namespace mqinspect::trace_io
