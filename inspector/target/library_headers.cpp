#include "inspector/target/library_headers.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mqinspect::target {

bool is_library_header(std::string_view file) {
    return file.find("/include/c++/") != std::string_view::npos || file.ends_with("/mpicxx.h") ||
           file.find("/ompi/mpi/cxx/") != std::string_view::npos;
}

std::optional<model::SourceLocation> outside_library_headers(const Image& image,
                                                             std::uint64_t address) {
    std::vector<model::SourceLocation> calls = image.inlined_calls(address);
    const auto outside = std::ranges::find_if_not(
        calls, [](const model::SourceLocation& call) { return is_library_header(call.file); });
    if (outside == calls.end()) return std::nullopt;
    return std::move(*outside);
}

}  // namespace mqinspect::target
