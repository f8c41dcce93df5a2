/// Numbers that a function gives its teams: omp_set_num_threads(n), and num_threads(n) of all its
/// parallel regions.
#pragma once

#include <vector>

#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

class TeamSizes {
public:
    explicit TeamSizes(SourceWalk& source);

    /// Of a branch on such a number that nothing is written to between there and where teams get
    /// it: the side on which they have one thread.
    Branch of(const gimple* condition) const;

private:
    struct Size {
        tree variable = NULL_TREE;
        const gimple* given = nullptr;
    };

    void find_set();
    void find_clauses();
    bool is_kept_between(const Size& size, const gimple* condition) const;

    SourceWalk& source_;
    std::vector<Size> sizes_;
};

}  // namespace mqinspect::thread_level::plugin
