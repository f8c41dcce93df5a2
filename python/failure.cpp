#include "python/failure.h"

#include <pybind11/pybind11.h>
#include <string_view>

#include "python/text.h"

namespace mqinspect::python {

namespace {

namespace py = pybind11;

/// The values of mqinspect.ErrorCode.
std::string_view name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::BadAddress:
            return "bad_address";
        case ErrorCode::TargetExited:
            return "target_exited";
        case ErrorCode::PermissionDenied:
            return "permission_denied";
        case ErrorCode::MissingDebugInfo:
            return "missing_debug_info";
        case ErrorCode::UnsupportedLayout:
            return "unsupported_layout";
        case ErrorCode::CorruptData:
            return "corrupt_data";
        case ErrorCode::InvalidArgument:
            return "invalid_argument";
        case ErrorCode::System:
            return "system";
    }
    return "system";
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants this signature
void translate(std::exception_ptr pointer) {
    try {
        if (pointer) std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
        const py::object make = py::module_::import("mqinspect.errors").attr("error_of");
        const py::object exception =
            make(name_of(failure.error().code), to_python(failure.error().message));
        PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
    }
}

}  // namespace

void register_failures() {
    py::register_exception_translator(translate);
}

}  // namespace mqinspect::python
