/// Texts of ours as Python's: they may quote what a target calls itself, in no particular
/// encoding.
#pragma once

#include <pybind11/pybind11.h>
#include <string>

namespace mqinspect::python {

/// Bytes that are no UTF-8 become lone surrogates, as os.fsdecode makes them.
pybind11::str to_python(const std::string& text);

/// And back. Throws what Python raises for a surrogate that stands for no byte.
std::string from_python(const pybind11::handle& text);

}  // namespace mqinspect::python
