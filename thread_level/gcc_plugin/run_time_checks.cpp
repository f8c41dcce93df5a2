#include "thread_level/gcc_plugin/run_time_checks.h"

#include <string_view>
#include <unordered_set>

#include "thread_level/analysis/procedures.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What the checks' library calls a site (checks.h there), behind the form of its communicator.
std::string site_name(const Strings& strings, const Function& function, const Step& step) {
    const auto field = [&](StringId text) {
        std::string word = strings[text];
        for (char& c : word) {
            if (c == '\t' || c == '\n') c = ' ';
        }
        return '\t' + word;
    };
    return field(step.name) + field(function.name) + '\t' + std::to_string(step.place.line) + '\t' +
           std::to_string(step.place.column) + field(step.place.file);
}

/// The part of a site's text that site_name() makes: behind version, flags and form.
std::string_view name_in(std::string_view site) {
    for (int field = 0; field < 3; ++field) {
        const std::size_t tab = site.find('\t', field == 0 ? 0 : 1);
        if (tab == std::string_view::npos) return {};
        site.remove_prefix(tab);
    }
    return site;
}

bool has_check(std::string_view procedure) {
    switch (procedure_of(procedure).use) {
        case Use::Exempt:
        case Use::Info:
        case Use::Init:
        case Use::InitThread:
            return false;
        default:
            return true;
    }
}

/// Which thread comes to the step is a matter of chance, and shows in the function itself.
bool is_by_chance(const Function& function, RegionId region) {
    for (; region != kNone; region = function.regions[region].parent) {
        switch (function.regions[region].kind) {
            case RegionKind::Single:
            case RegionKind::Section:
                return true;
            case RegionKind::Task:
                return function.regions[region].team == Team::Always;
            case RegionKind::Critical:
                break;
            default:
                return false;
        }
    }
    return false;
}

/// How a communicator is handed over: an int or a pointer by value, or as Fortran does.
char form_of(tree communicator) {
    if (communicator == NULL_TREE || !is_gimple_val(communicator)) return '-';
    const tree type = TREE_TYPE(communicator);
    if (POINTER_TYPE_P(type)) return is_fortran() ? 'r' : 'p';
    if (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == TYPE_PRECISION(integer_type_node))
        return 'i';
    return '-';
}

tree declare_function(const char* name, tree type) {
    const tree declaration = build_fn_decl(name, type);
    TREE_NOTHROW(declaration) = 1;
    return declaration;
}

/// Where control goes on behind a block without exceptions or jumps.
edge way_on(basic_block block) {
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if ((e->flags & EDGE_FALLTHRU) != 0 && (e->flags & EDGE_COMPLEX) == 0) return e;
    }
    return nullptr;
}

void insert_behind(gimple* of, gimple* statement) {
    if (!stmt_ends_bb_p(of)) {
        gimple_stmt_iterator at = gsi_for_stmt(of);
        gsi_insert_after(&at, statement, GSI_SAME_STMT);
    } else if (edge e = way_on(gimple_bb(of))) {
        gsi_insert_on_edge_immediate(e, statement);
    }
}

void insert_in_front(gimple* of, gimple* statement) {
    gimple_stmt_iterator at = gsi_for_stmt(of);
    gsi_insert_before(&at, statement, GSI_SAME_STMT);
}

bool is_task(const Function& function, const Step& step) {
    if (step.kind != StepKind::Enter && step.kind != StepKind::Leave) return false;
    const RegionKind kind = function.regions[step.target].kind;
    return kind == RegionKind::Task || kind == RegionKind::Taskloop;
}

/// The text of the site that a call of ours names.
std::string_view site_of(const gcall* call) {
    const char* text = c_getstr(gimple_call_arg(call, 0));
    return text == nullptr ? std::string_view{} : std::string_view(text);
}

template <typename Predicate>
void remove_calls(cgraph_node* node, function* fun, const Predicate& is_unneeded) {
    basic_block block = nullptr;
    FOR_EACH_BB_FN(block, fun) {
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
            gcall* call = dyn_cast<gcall*>(gsi_stmt(at));
            if (call == nullptr || !is_unneeded(call)) {
                gsi_next(&at);
                continue;
            }
            if (cgraph_edge* made = node->get_edge(call)) cgraph_edge::remove(made);
            gsi_remove(&at, true);
        }
    }
}

}  // namespace

void RunTimeChecks::declare() {
    if (call_ != NULL_TREE) return;
    call_ = declare_function(
        "mpi_thread_level_call",
        build_varargs_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE));
    return_ =
        declare_function("mpi_thread_level_return",
                         build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE));
    const tree plain = build_function_type_list(void_type_node, NULL_TREE);
    task_begin_ = declare_function("mpi_thread_level_task_begin", plain);
    task_end_ = declare_function("mpi_thread_level_task_end", plain);
    turn_ = declare_function("mpi_thread_level_turn", plain);
}

void RunTimeChecks::mark_used() const {
    for (const tree declaration : {call_, return_, task_begin_, task_end_, turn_}) {
        if (declaration != NULL_TREE) gt_ggc_mx_tree_node(declaration);
    }
}

void RunTimeChecks::insert(const Strings& strings,
                           const Function& facts,
                           const std::vector<gimple*>& statements,
                           Callees& callees) {
    declare();
    for (StepId id = 0; id < facts.steps.size(); ++id) {
        const Step& step = facts.steps[id];
        gimple* statement = statements[id];
        if (statement == nullptr) continue;
        if (is_task(facts, step)) {
            const bool enters = step.kind == StepKind::Enter;
            if (enters && gimple_code(statement) == GIMPLE_OMP_TASK) {
                insert_behind(statement, gimple_build_call(task_begin_, 0));
            } else if (!enters && gimple_code(statement) == GIMPLE_OMP_RETURN) {
                insert_in_front(statement, gimple_build_call(task_end_, 0));
            }
        } else if (step.kind == StepKind::Mpi && has_check(strings[step.name])) {
            gcall* call = as_a<gcall*>(statement);
            const MpiProcedure& procedure = *callees.of(gimple_call_fndecl(call)).mpi;
            std::string flags;
            if (procedure_of(procedure.name).use == Use::Collective) flags += 'c';
            if (is_by_chance(facts, step.region)) flags += 's';
            insert_around(call,
                          procedure,
                          "1\t" + (flags.empty() ? "-" : flags),
                          site_name(strings, facts, step));
        }
    }
}

void RunTimeChecks::insert_turn(gimple* write) {
    if (gimple_bb(write) == nullptr) return;  // nobody ever comes there
    declare();
    gimple* first = write;
    if (gimple_code(write) == GIMPLE_OMP_ATOMIC_STORE) {  // nothing may come behind its load
        if (!single_pred_p(gimple_bb(write))) return;
        first = last_stmt(single_pred(gimple_bb(write)));
        if (first == nullptr || gimple_code(first) != GIMPLE_OMP_ATOMIC_LOAD) return;
    }
    insert_in_front(first, gimple_build_call(turn_, 0));
}

void RunTimeChecks::insert_around(gcall* call,
                                  const MpiProcedure& procedure,
                                  const std::string& head,
                                  const std::string& name) {
    const int position = procedure.communicator;
    tree communicator = NULL_TREE;
    if (position >= 0 && static_cast<unsigned>(position) < gimple_call_num_args(call))
        communicator = gimple_call_arg(call, static_cast<unsigned>(position));
    const char form = form_of(communicator);
    const std::string site = head + '\t' + form + name;
    const auto literal = [&] {
        return build_string_literal(static_cast<unsigned>(site.size() + 1), site.c_str());
    };
    gcall* before = form == '-' ? gimple_build_call(call_, 1, literal())
                                : gimple_build_call(call_, 2, literal(), communicator);
    gcall* behind = gimple_build_call(return_, 1, literal());
    gimple_set_location(before, gimple_location(call));
    gimple_set_location(behind, gimple_location(call));
    insert_behind(call, behind);
    insert_in_front(call, before);
}

void RunTimeChecks::keep_needed(Unit& unit, const Assessment& assessment) {
    if (call_ == NULL_TREE) return;
    std::unordered_set<std::string> needed;
    const auto need = [&](FunctionId function, StepId id) {
        Step& step = unit.functions[function].steps[id];
        if (!has_check(unit.strings[step.name])) return;
        step.is_checked = true;
        needed.insert(site_name(unit.strings, unit.functions[function], step));
    };
    for (const auto* points : {&assessment.checks.words, &assessment.checks.concurrent}) {
        for (const Checks::Point& point : *points)
            need(point.function, point.step);
    }
    for (const Diagnostic& diagnostic : assessment.diagnostics) {
        for (const auto& [function, step] : diagnostic.steps)
            need(function, step);
    }
    for (const Site& site : assessment.sites) {
        if (site.perhaps) need(site.function, site.step);
    }
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
        function* fun = DECL_STRUCT_FUNCTION(node->decl);
        if (fun == nullptr || fun->cfg == nullptr) continue;
        push_cfun(fun);
        remove_calls(node, fun, [&](const gcall* call) {
            const tree callee = gimple_call_fndecl(call);
            return callee != NULL_TREE && (callee == call_ || callee == return_) &&
                   !needed.contains(std::string(name_in(site_of(call))));
        });
        pop_cfun();
    }
}

}  // namespace mqinspect::thread_level::plugin
