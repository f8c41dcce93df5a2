#include "trace_io/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "model/record_format.h"

namespace mqinspect::trace_io {
namespace {

using model::FileHeader;

Error not_a_record(const std::string& path, std::string_view why) {
    return {
        ErrorCode::CorruptData,
        fmt::format("{}: {}; it is not what mqinspect record writes and was left out", path, why)};
}

// The layout of FileHeader: its members in order, without padding.
HeaderValues header_values(std::span<const std::uint8_t> bytes) {
    HeaderValues values;
    values.tick_shift = field<std::uint32_t>(bytes, 12);
    values.pid = field<std::uint64_t>(bytes, 16);
    values.start_ns = field<std::uint64_t>(bytes, 24);
    values.committed = field<std::uint64_t>(bytes, 32);
    values.blocks = field<std::uint64_t>(bytes, 40);
    values.lost_blocks = field<std::uint64_t>(bytes, 48);
    values.full = field<std::uint32_t>(bytes, 56);
    return values;
}

}  // namespace

Result<RecordFile> RecordFile::open(const std::string& path, std::uint64_t magic) {
    RecordFile file;
    file.path_ = path;
    file.fd_ = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file.fd_ || fstat(file.fd_.get(), &status) != 0) {
        const int code = errno;
        return Error{code == EACCES ? ErrorCode::PermissionDenied : ErrorCode::System,
                     fmt::format("{}: cannot be read: {}", path, std::strerror(code))};
    }
    if (!S_ISREG(status.st_mode)) return not_a_record(path, "no ordinary file");
    file.size_ = static_cast<std::uint64_t>(status.st_size);

    std::array<std::uint8_t, sizeof(FileHeader)> bytes{};
    if (file.read(0, bytes) != bytes.size()) {
        return not_a_record(
            path, fmt::format("has {} bytes, fewer than a header's {}", file.size_, bytes.size()));
    }
    if (field<std::uint64_t>(bytes, 0) != magic) return not_a_record(path, "offset 0: no magic");
    const auto format = field<std::uint32_t>(bytes, 8);
    if (format != model::kRecordFormat) {
        return Error{ErrorCode::UnsupportedLayout,
                     fmt::format("{}: offset 8: format {}, and this mqinspect reads format {}; use "
                                 "the version that recorded it",
                                 path,
                                 format,
                                 model::kRecordFormat)};
    }
    file.header_ = header_values(bytes);
    if (file.header_.tick_shift > 32) {
        return not_a_record(path, fmt::format("offset 12: tick shift {}", file.header_.tick_shift));
    }
    return file;
}

void RecordFile::take_copy() {
    constexpr std::uint64_t longest = std::uint64_t{512} << 20U;
    if (size_ > longest || size_ < sizeof(FileHeader)) return;
    std::vector<std::uint8_t> bytes = read(0, size_);
    std::array<std::uint8_t, sizeof(FileHeader)> header{};
    if (bytes.size() != size_ || read(0, header) != header.size()) return;
    header_ = header_values(header);
    copy_ = std::move(bytes);
}

std::size_t RecordFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    if (!copy_.empty()) {
        const std::uint64_t there = offset < size_ ? size_ - offset : 0;
        const std::size_t count = std::min<std::uint64_t>(there, out.size());
        if (count != 0) std::memcpy(out.data(), copy_.data() + (size_ - there), count);
        return count;
    }
    std::size_t filled = 0;
    while (filled < out.size()) {
        const ssize_t count = pread(fd_.get(),
                                    out.data() + filled,
                                    out.size() - filled,
                                    static_cast<off_t>(offset + filled));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        filled += static_cast<std::size_t>(count);
    }
    return filled;
}

std::vector<std::uint8_t> RecordFile::read(std::uint64_t offset, std::uint64_t count) const {
    const std::uint64_t there = offset < size_ ? size_ - offset : 0;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::min(count, there)));
    bytes.resize(read(offset, std::span(bytes)));
    return bytes;
}

}  // namespace mqinspect::trace_io
