#include "tracer/log/growing_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace mqinspect::tracer {

namespace {

constexpr mode_t kMode = 0666;

/// At a limit of the file size (setrlimit) the kernel also sends SIGXFSZ, which would end the
/// program: it is taken back before anyone sees it. `enlarge` returns errno, or 0.
template <class Function>
int without_signal(Function enlarge) {
    sigset_t limit;
    sigset_t before;
    sigset_t pending_before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigpending(&pending_before);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    const int code = enlarge();
    if (code != 0 && sigismember(&pending_before, SIGXFSZ) == 0) {
        const timespec at_once{};
        while (sigtimedwait(&limit, nullptr, &at_once) == -1 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return code;
}

/// Takes the disk space.
int allocate(int fd, std::size_t offset, std::size_t bytes) {
    return without_signal(
        [&] { return posix_fallocate(fd, static_cast<off_t>(offset), static_cast<off_t>(bytes)); });
}

int write_all(int fd, std::size_t offset, const std::uint8_t* bytes, std::size_t count) {
    while (count != 0) {
        const ssize_t written = pwrite(fd, bytes, count, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written == 0 ? ENOSPC : errno;
        bytes += written;
        offset += static_cast<std::size_t>(written);
        count -= static_cast<std::size_t>(written);
    }
    return 0;
}

}  // namespace

int GrowingFile::create(const char* path) {
    const std::size_t length = std::strlen(path);
    if (length >= kPathBytes) return ENAMETOOLONG;
    const int fd = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (fd < 0) return errno;
    close(fd);
    std::memcpy(path_, path, length + 1);
    return 0;
}

int GrowingFile::open() const {
    return ::open(path_, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
}

int GrowingFile::grow(std::size_t bytes, std::size_t window) {
    if (bytes <= size_) return 0;
    const int fd = open();
    if (fd < 0) return errno;
    std::size_t wanted = size_;
    while (wanted < bytes)
        wanted += window;
    int code = allocate(fd, size_, wanted - size_);
    if (code != 0 && wanted > bytes) {
        // What is left of the disk may still do for the least that is asked for.
        wanted = bytes;
        code = allocate(fd, size_, wanted - size_);
    }
    close(fd);
    if (code == 0) size_ = wanted;
    return code;
}

void* GrowingFile::map(void* address, std::size_t offset, std::size_t bytes) const {
    const int fd = open();
    if (fd < 0) return nullptr;
    const int flags = address == nullptr ? MAP_SHARED : MAP_SHARED | MAP_FIXED;
    void* pages =
        mmap(address, bytes, PROT_READ | PROT_WRITE, flags, fd, static_cast<off_t>(offset));
    const int code = errno;
    close(fd);
    errno = code;
    return pages == MAP_FAILED ? nullptr : pages;
}

int GrowingFile::write(std::initializer_list<Piece> pieces) const {
    const int fd = open();
    if (fd < 0) return errno;
    const int code = without_signal([&] {
        for (const Piece& piece : pieces) {
            const auto* bytes = static_cast<const std::uint8_t*>(piece.bytes);
            if (const int error = write_all(fd, piece.offset, bytes, piece.count)) return error;
        }
        return 0;
    });
    close(fd);
    return code;
}

void GrowingFile::truncate(std::size_t bytes) const {
    if (bytes >= size_) return;
    const int fd = open();
    if (fd < 0) return;
    // A file that keeps its spare room is no error.
    (void)!ftruncate(fd, static_cast<off_t>(bytes));
    close(fd);
}

}  // namespace mqinspect::tracer
