// What is executed: Program, second part.
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

void Program::add_executed(Node root, std::vector<bool>& executed, bool with_threads) const {
    std::vector<Node> open = {root};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (executed[node]) continue;
        executed[node] = true;
        for (const CallEdge& edge : calls(node)) {
            if (with_threads || edge.kind != CallKind::Start) open.push_back(edge.to);
        }
    }
}

/// Where only this unit is known, another one may call what others can name, if a call leads there.
void Program::find_executed(bool is_whole) {
    std::vector<Node> roots;
    bool has_main = false;
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        has_main = has_main || is_main(id);
        if (is_main(id) || function.runs_at_start || function.address_taken ||
            !function.overrides.empty())
            roots.push_back(id);
    }
    if (!has_main || (!is_whole && !unknown_callees_.empty())) return;
    executed_.assign(nodes(), false);
    for (const Node root : roots)
        add_executed(root, executed_, true);
}

}  // namespace mqinspect::thread_level
