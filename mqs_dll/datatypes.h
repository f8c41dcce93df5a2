/// Sizes and names of datatypes, from their handles.
#pragma once

#include <cstdint>

#include "mqs_dll/handle_pool.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

class DatatypeTable {
public:
    struct Datatype {
        std::uint32_t handle = 0;
        std::int64_t bytes = -1;  ///< MPI_Type_size, -1 if unknown
        char name[64] = {};       ///< empty if unknown
    };

    void open(const Target& target, const Layout& layout, const Symbols& symbols);

    /// Reads a derived datatype the first time that it is asked for; one that
    /// cannot be read stays unknown. OutOfMemory is the only failure.
    Status learn(const Target& target, std::uint32_t handle);
    /// One that a recorder tells of; -1: its size is not known.
    Status remember(std::uint32_t handle, std::int64_t bytes);
    /// Bytes of one element, -1 if unknown or not learned.
    std::int64_t bytes_of(std::uint32_t handle) const;
    /// Bytes of `count` elements, -1 if unknown or not representable.
    std::int64_t bytes_of(std::uint32_t handle, std::int64_t count) const;
    /// Empty if unknown; valid until the next learn.
    const char* name_of(std::uint32_t handle) const;

private:
    Layout layout_;
    HandlePool pool_;
    bool usable_ = false;
    Array<Datatype> derived_;
    IndexMap by_handle_;
};

}  // namespace mqinspect::dll
