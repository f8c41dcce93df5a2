/// Error codes of the OTF2 library as errors of ours.
#pragma once

#include <otf2/otf2.h>
#include <string>

#include "base/result.h"

namespace mqinspect::trace_io {

/// Remembers the first failure; what follows it is not looked at.
class OtfStatus {
public:
    void take(OTF2_ErrorCode code) {
        if (code != OTF2_SUCCESS && code_ == OTF2_SUCCESS) code_ = code;
    }
    bool good() const { return code_ == OTF2_SUCCESS; }
    Result<Done> result(const std::string& what) const {
        if (good()) return Done{};
        return Error{ErrorCode::System, what + ": " + OTF2_Error_GetDescription(code_)};
    }

private:
    OTF2_ErrorCode code_ = OTF2_SUCCESS;
};

/// The library prints its errors to standard error unless it is told not to.
inline void silence_otf2() {
    OTF2_Error_RegisterCallback([](void*,
                                   const char*,
                                   std::uint64_t,
                                   const char*,
                                   OTF2_ErrorCode code,
                                   const char*,
                                   va_list) { return code; },
                                nullptr);
}

}  // namespace mqinspect::trace_io
