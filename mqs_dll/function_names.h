/// Names of procedures that are in the process, each read once.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Names of MPI procedures, by where the recorder has them.
class FunctionNames {
public:
    /// The number of a name, from 1; 0: it cannot be read, or is none, or there are too many.
    std::uint32_t find_or_read(const Target& target, std::uint64_t address);
    /// Empty for 0.
    const char* name(std::uint32_t number) const {
        return number == 0 ? "" : names_[number - 1].text;
    }

private:
    struct Name {
        std::uint64_t address = 0;
        char text[48] = {};
    };
    Array<Name> names_;
};

}  // namespace mqinspect::dll
