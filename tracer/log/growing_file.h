/// A file that grows by windows whose blocks on the disk are taken beforehand: a write through a
/// mapping of a file with holes would end in SIGBUS where the disk is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace mqinspect::tracer {

/// No descriptor stays open: programs close descriptors that they do not know, and would then
/// write into the file through a number that was given out again. Not thread-safe.
class GrowingFile {
public:
    /// Creates the file, which must not exist; errno, or 0.
    int create(const char* path);
    /// Has at least `bytes` bytes from now on; errno (ENOSPC, EFBIG), or 0.
    int grow(std::size_t bytes, std::size_t window);
    /// Maps a part of it, to be written, at `address` or, if null, anywhere; null: errno says why.
    void* map(void* address, std::size_t offset, std::size_t bytes) const;
    struct Piece {
        std::size_t offset;
        const void* bytes;
        std::size_t count;
    };
    /// Writes them one after the other; errno, or 0. Thread-safe.
    int write(std::initializer_list<Piece> pieces) const;
    /// From here on the file has `bytes` bytes, as a write() has made it.
    void has_grown(std::size_t bytes) { size_ = bytes > size_ ? bytes : size_; }
    /// Gives the space behind `bytes` back.
    void truncate(std::size_t bytes) const;
    std::size_t size() const { return size_; }

private:
    int open() const;

    static constexpr std::size_t kPathBytes = 4096;
    char path_[kPathBytes] = {};
    std::size_t size_ = 0;
};

}  // namespace mqinspect::tracer
