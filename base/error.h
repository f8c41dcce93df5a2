/// What went wrong, in a form a caller can act on and a user can read.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace mqinspect {

/// Why something could not be done. A closed list: a caller may switch over it.
enum class ErrorCode {
    BadAddress,         ///< memory of a target that cannot be read
    TargetExited,       ///< the process is gone, or is a zombie
    PermissionDenied,   ///< the process or file belongs to somebody else
    MissingDebugInfo,   ///< symbols or types that the question needs are not there
    UnsupportedLayout,  ///< they are there, and look like nothing we know
    CorruptData,        ///< a length, link or record that cannot be true
    InvalidArgument,    ///< the user's words are off
    System,             ///< the operating system said no
};

/// A code and one line of text: what, where, and what to do. The layer that
/// noticed writes what; each layer above may add where with `in`.
struct Error {
    ErrorCode code = ErrorCode::System;
    std::string message;

    /// The same error with its place in front: "rank 3: cannot read ...".
    Error in(std::string_view where) const& { return {code, std::string(where) + ": " + message}; }
};

}  // namespace mqinspect
