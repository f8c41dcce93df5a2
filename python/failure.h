/// Errors of ours as Python exceptions.
#pragma once

#include <exception>
#include <utility>

#include "base/error.h"
#include "base/result.h"

namespace mqinspect::python {

/// Carries an Error out of a bound function; reaches Python as the class of
/// mqinspect/errors.py that stands for its code.
class Failure final : public std::exception {
public:
    explicit Failure(Error error) : error_(std::move(error)) {}
    const Error& error() const noexcept { return error_; }
    const char* what() const noexcept override { return error_.message.c_str(); }

private:
    Error error_;
};

template <class T>
T value_or_throw(Result<T> result) {
    if (!result) throw Failure(result.error());
    return *std::move(result);
}

/// Makes pybind11 translate Failure. Call once, while the module is made.
void register_failures();

}  // namespace mqinspect::python
