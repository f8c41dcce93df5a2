/// How a derived datatype was made, as MPI_Type_get_contents tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <mpi.h>

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

struct TypeContents {
    const char* combiner = "";
    const char* name = "";  ///< of a predefined type
    const std::int64_t* integers = nullptr;
    const std::int64_t* addresses = nullptr;
    const std::int64_t* types = nullptr;  ///< ids
    std::size_t integer_count = 0;
    std::size_t address_count = 0;
    std::size_t type_count = 0;

    friend bool operator==(const TypeContents& a, const TypeContents& b);
};

std::uint64_t hash_of(const TypeContents& contents);

/// A copy that lives in the arena; false: out of memory.
bool copy(const TypeContents& from, TypeContents& to, Arena& arena);

/// Asks the MPI library; what is read lives as long as this.
class ContentsReader {
public:
    ContentsReader(MPI_Datatype datatype, TypeContents& contents);

    bool complete() const { return complete_; }

private:
    std::optional<Temporary> memory_;
    bool complete_ = false;
};

}  // namespace mqinspect::tracer
