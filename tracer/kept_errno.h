/// Work between two steps of the program, which must not see another errno.
#pragma once

#include <cerrno>

namespace mqinspect::tracer {

/// The errno of its beginning is there again at its end.
class KeptErrno {
public:
    KeptErrno() = default;
    ~KeptErrno() { errno = error_; }
    KeptErrno(const KeptErrno&) = delete;
    KeptErrno& operator=(const KeptErrno&) = delete;

private:
    int error_ = errno;
};

}  // namespace mqinspect::tracer
