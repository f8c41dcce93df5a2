/// The ranks of a job that another debugger holds, by way of its Python.
#pragma once

#include <pybind11/pybind11.h>

namespace mqinspect::python {

/// Adds `look_at_held(processes, *, dll, internal)`: a process is an object with the
/// attributes and methods of HeldProcess in mqinspect/held.py. All of them are called in the
/// thread that calls this; what they raise comes out of it.
void bind_held_job(pybind11::module_& module);

}  // namespace mqinspect::python
