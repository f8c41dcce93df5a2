#include "thread_level/gcc_plugin/started_objects.h"

#include <unordered_map>

namespace mqinspect::thread_level::plugin {
namespace {

/// Of the function that is looked at, up to one of its statements.
struct Walked {
    tree variable = NULL_TREE;
    unsigned statements = 0;
    unsigned declared = 0;                          ///< the statement; 0: not so far
    std::unordered_map<unsigned, unsigned> labels;  ///< DECL_UID, and the statement
    bool is_repeated = false;                       ///< a jump leads back over the declaration

    void jump_to(tree label) {
        if (declared == 0) return;
        const auto target = DECL_P(label) ? labels.find(DECL_UID(label)) : labels.end();
        const bool is_back = target != labels.end() && target->second < declared;
        is_repeated = is_repeated || is_back || !DECL_P(label);
    }
    void visit(gimple* statement);
};

void Walked::visit(gimple* statement) {
    ++statements;
    switch (gimple_code(statement)) {
        case GIMPLE_BIND:
            for (tree each = gimple_bind_vars(as_a<gbind*>(statement)); each != NULL_TREE;
                 each = DECL_CHAIN(each))
                if (each == variable) declared = statements;
            break;
        case GIMPLE_LABEL:
            labels[DECL_UID(gimple_label_label(as_a<glabel*>(statement)))] = statements;
            break;
        case GIMPLE_GOTO:
            jump_to(gimple_goto_dest(statement));
            break;
        case GIMPLE_COND:
            for (const tree label : {gimple_cond_true_label(as_a<gcond*>(statement)),
                                     gimple_cond_false_label(as_a<gcond*>(statement))})
                if (label != NULL_TREE) jump_to(label);
            break;
        default:
            break;
    }
}

tree visit_statement(gimple_stmt_iterator* at, bool* /*handled*/, walk_stmt_info* info) {
    static_cast<Walked*>(info->info)->visit(gsi_stmt(*at));
    return NULL_TREE;
}

bool is_declared_once(tree variable) {
    Walked walked;
    walked.variable = variable;
    walk_stmt_info info = {};
    info.info = &walked;
    walk_gimple_seq(gimple_body(current_function_decl), visit_statement, nullptr, &info);
    return walked.declared != 0 && !walked.is_repeated;
}

}  // namespace

Value one_object_at(Values& values, tree address) {
    Value value = values.object_at(address, 0);
    if (value.kind != Value::Kind::Local || TREE_CODE(address) != ADDR_EXPR) return value;
    const tree variable = base_variable(TREE_OPERAND(address, 0));
    value.is_shared = variable != NULL_TREE && VAR_P(variable) && is_declared_once(variable);
    return value;
}

}  // namespace mqinspect::thread_level::plugin
