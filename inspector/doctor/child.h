/// A process of our own to try things on.
#pragma once

#include <sys/types.h>

#include <functional>

namespace mqinspect::doctor {

/// A fork of this program that has carried `task` out and then waits, until it is
/// destroyed or this program ends.
class Child {
public:
    explicit Child(const std::function<void()>& task);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    /// -1: it could not be started, or did not survive the task.
    pid_t pid() const { return pid_; }

private:
    pid_t pid_ = -1;
};

}  // namespace mqinspect::doctor
