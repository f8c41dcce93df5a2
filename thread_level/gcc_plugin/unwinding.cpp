// What only exceptions lead to that leave the function, and which calls it catches those of:
// Skeleton, eighth part. An exception that nobody catches ends the process where it is thrown:
// GCC's run-time library looks for who catches it before anything is destroyed.
#include "thread_level/gcc_plugin/unwinding.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/held_class.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether an exception of the statement may find somebody in the function who catches it. What
/// must not throw counts, too: of what is called there all is destroyed before the process ends.
bool is_caught_here(function* fun, gimple* statement) {
    const int landing = lookup_stmt_eh_lp_fn(fun, statement);
    if (landing == 0) return false;
    eh_region region = get_eh_region_from_lp_number_fn(fun, landing);
    while (region != nullptr && region->type == ERT_CLEANUP)
        region = region->outer;
    return region != nullptr;
}

/// Where an exception that comes this way leaves the function.
bool leads_out(function* fun, const edge_def* e) {
    gimple* last = (e->flags & EDGE_EH) == 0 ? nullptr : last_statement(e->src);
    return last != nullptr && !is_caught_here(fun, last);
}

/// The blocks that are come to in other ways, by number.
std::vector<bool> blocks_without_unwinding(function* fun) {
    std::vector<bool> reached(static_cast<std::size_t>(last_basic_block_for_fn(fun)), false);
    std::vector<basic_block> open{ENTRY_BLOCK_PTR_FOR_FN(fun)};
    reached[ENTRY_BLOCK] = true;
    edge e = nullptr;
    edge_iterator at;
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        FOR_EACH_EDGE(e, at, block->succs) {
            const auto index = static_cast<std::size_t>(e->dest->index);
            if (reached[index] || leads_out(fun, e)) continue;
            reached[index] = true;
            open.push_back(e->dest);
        }
    }
    return reached;
}

bool is_called(const char* symbol) {
    const cgraph_node* node = cgraph_node::get_for_asmname(get_identifier(symbol));
    return node != nullptr && node->callers != nullptr;
}

/// Whether nobody catches what the function of a thread throws that this starts: a future does.
bool starts_bare_thread(std::string_view symbol) {
    return symbol == "pthread_create" || symbol == "thrd_create" ||
           symbol.starts_with("_ZNSt6threadC") || symbol.starts_with("_ZNSt7jthreadC");
}

/// Whether an object of the class, or of its bases, has a thread that is destroyed with it: the
/// process ends if that has not been joined.
bool destroys_thread(tree class_type) {
    for (tree field = TYPE_FIELDS(class_type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL) continue;
        const tree type = strip_array_types(TREE_TYPE(field));
        if (!RECORD_OR_UNION_TYPE_P(type)) continue;
        const bool is_base = DECL_NAME(field) == NULL_TREE;
        if (keeps_thread(type) || (is_base && destroys_thread(type))) return true;
    }
    return false;
}

}  // namespace

/// Where a constructor throws, the members that it has made are destroyed: of the object's threads
/// none goes on.
void Skeleton::visit_constructor(basic_block block, const gcall* call, const Step& step) {
    const tree callee = gimple_call_fndecl(call);
    if (step.kind != StepKind::Call || callee == NULL_TREE || !DECL_CXX_CONSTRUCTOR_P(callee) ||
        step.arguments.empty() || step.arguments.front().kind != Value::Kind::Local ||
        last_statement(block) != call || !destroys_thread(DECL_CONTEXT(callee)))
        return;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if ((e->flags & EDGE_EH) == 0) continue;
        Step join = make(StepKind::JoinThread, step.region, gimple_location(call));
        join.value = step.arguments.front();
        on_edge_.try_emplace(e, add_step(nullptr, std::move(join), nullptr));
    }
}

bool Skeleton::is_caught(function* fun, const Step& step, gimple* statement) {
    const tree callee = statement != nullptr && is_gimple_call(statement)
                            ? gimple_call_fndecl(statement)
                            : NULL_TREE;
    const bool is_start =
        step.kind == StepKind::StartThread ||
        (callee != NULL_TREE && callees_.of(callee).kind == CalleeKind::StartThread);
    if (is_start) {
        return callee == NULL_TREE ||
               !starts_bare_thread(gathering_.unit.strings[callees_.of(callee).symbol]);
    }
    const bool is_call = step.kind == StepKind::Call || step.kind == StepKind::Indirect;
    return is_call && statement != nullptr && is_caught_here(fun, statement);
}

void Skeleton::mark_unwinding(function* fun) {
    const bool has_cleanups = fun->eh != nullptr && fun->eh->region_tree != nullptr;
    const std::vector<bool> reached =
        has_cleanups ? blocks_without_unwinding(fun) : std::vector<bool>();
    for (StepId id = 0; id < function_.steps.size(); ++id) {
        Step& step = function_.steps[id];
        if (step.kind == StepKind::Join || step.kind == StepKind::Exit) continue;
        const basic_block block = block_of_step_[id];
        step.is_unwinding = has_cleanups && block != nullptr && !reached[index_of(block)];
        step.is_caught = is_caught(fun, step, statements[id]);
    }
}

void settle_unwinding(Unit& unit) {
    constexpr const char* ends[] = {"pthread_exit", "pthread_cancel", "thrd_exit"};
    if (std::none_of(std::begin(ends), std::end(ends), is_called)) return;
    for (Function& function : unit.functions) {
        for (Step& step : function.steps)
            step.is_unwinding = false;
    }
}

}  // namespace mqinspect::thread_level::plugin
