// What is executed: Program, second part.
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

void Program::add_executed(Node root, std::vector<bool>& executed) const {
    if (executed[root]) return;
    std::vector<Node> open = {root};
    executed[root] = true;
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallEdge& edge : calls(node)) {
            if (edge.kind == CallKind::Start || executed[edge.to]) continue;
            executed[edge.to] = true;
            open.push_back(edge.to);
        }
    }
}

/// Where only this unit is known, another one may call what others can name, if a call leads there.
void Program::find_executed(bool is_whole) {
    std::vector<Node> open;
    bool has_main = false;
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        has_main = has_main || is_main(id);
        if (is_main(id) || function.runs_at_start || function.address_taken ||
            !function.overrides.empty())
            open.push_back(id);
    }
    if (!has_main || (!is_whole && !unknown_callees_.empty())) return;
    executed_.assign(nodes(), false);
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (executed_[node]) continue;
        executed_[node] = true;
        for (const CallEdge& edge : calls(node))
            open.push_back(edge.to);
    }
}

}  // namespace mqinspect::thread_level
