/// Tells apart the places that call a procedure from the same address: through a library of the
/// program's, or a binding for Fortran, all its calls of a procedure come from one. What their
/// callers have in common is compared once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/memory.h"
#include "tracer/log/site.h"

namespace mqinspect::tracer {

/// Not thread-safe. Its nodes and the sites' frames belong to an Arena.
class CallerTree {
public:
    /// The site all of whose frames are found on the stack that begins at `stack` and goes on for
    /// `bytes`, the one with most frames first; null: there is none. One without frames fits any.
    Site* find(const std::uint8_t* stack, std::uint64_t bytes) const;

    /// False: out of memory.
    bool add(Arena& arena, Site& site);

private:
    /// A run of frames that all stacks have that come this way.
    struct Node {
        Node* next = nullptr;  ///< of the same parent, with another first frame
        Node* parent = nullptr;
        Node* first = nullptr;  ///< of the children
        Site* site = nullptr;   ///< whose stack ends here
        const Frame* frames = nullptr;
        std::size_t count = 0;

        bool matches(const std::uint8_t* stack, std::uint64_t bytes) const;
    };

    static bool split(Arena& arena, Node& node, std::size_t count);

    Node root_;
};

}  // namespace mqinspect::tracer
