/// A process that a text describes: its types, its variables and what they hold.
///
/// So that MPI libraries which cannot be built here can be laid out from what is known
/// of their structures. docs/formats.md has the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/fake_memory.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {

/// A member or an element: a number, a pointer, characters, or a described type.
struct DescribedType {
    struct Member {
        std::size_t offset = 0;
        std::string type;
        std::size_t count = 1;  ///< of elements
        bool array = false;
    };
    std::size_t bytes = 0;
    bool number = false;
    std::map<std::string, Member, std::less<>> members;
};

class DescribedTarget {
public:
    struct Object {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
    };

    /// Throws std::runtime_error, "FILE:LINE: what is wrong", for text that is not of
    /// the format, and what std::ifstream throws for a file that cannot be read.
    explicit DescribedTarget(const std::filesystem::path& file);

    FakeMemory memory;
    StubTarget target;
    /// Without the sizes of types less can be said of it.
    bool needs_sizes = false;
    /// By label; a variable's label is its name.
    std::map<std::string, Object, std::less<>> objects;
};

}  // namespace mqinspect::test
