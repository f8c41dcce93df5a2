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

/// Takes the disk space. At a limit of the file size (setrlimit) the kernel also sends SIGXFSZ,
/// which would end the program: it is taken back before anyone sees it.
int allocate(int fd, std::size_t offset, std::size_t bytes) {
    sigset_t limit;
    sigset_t before;
    sigset_t pending_before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigpending(&pending_before);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    const int code = posix_fallocate(fd, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    if (code != 0 && sigismember(&pending_before, SIGXFSZ) == 0) {
        const timespec at_once{};
        while (sigtimedwait(&limit, nullptr, &at_once) == -1 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return code;
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

void GrowingFile::truncate(std::size_t bytes) const {
    if (bytes >= size_) return;
    const int fd = open();
    if (fd < 0) return;
    // A file that keeps its spare room is no error.
    (void)!ftruncate(fd, static_cast<off_t>(bytes));
    close(fd);
}

}  // namespace mqinspect::tracer
