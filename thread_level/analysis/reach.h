/// Where the program may come behind a step: on in its function, into what is called there, and
/// back to the callers.
#pragma once

#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

class Reach {
public:
    /// The program must outlive it. What a thread has been started for before the step is not in
    /// it.
    Reach(const Program& program, FunctionId function, StepId step);

    /// Somebody who is not known goes on behind it, or several threads do.
    bool is_open() const { return is_open_; }
    bool has(FunctionId function, StepId step) const;
    /// All that the function does, too.
    void add(Node function);

private:
    void add_steps(Node node, StepId step);
    void return_from(Node node);
    bool has_end(Node node) const;
    void walk();

    const Program& program_;
    std::vector<std::vector<bool>> reached_;  // by node, step; of dispatches by whether they are
    std::vector<bool> returns_;               // by node: it was entered before the step
    std::vector<std::pair<Node, StepId>> left_;
    bool is_open_ = false;
};

}  // namespace mqinspect::thread_level
