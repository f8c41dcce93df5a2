// The only way that leads to a statement: SourceWalk, further part.
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Who comes to it goes on behind it, and nobody from elsewhere: no label is in it.
bool is_plain(const gimple* statement, int depth) {
    switch (gimple_code(statement)) {
        case GIMPLE_ASSIGN:
        case GIMPLE_CALL:
        case GIMPLE_DEBUG:
        case GIMPLE_PREDICT:
            return true;
        case GIMPLE_BIND: {
            gimple_seq body = gimple_bind_body(as_a<const gbind*>(statement));
            for (gimple_stmt_iterator at = gsi_start(body); !gsi_end_p(at); gsi_next(&at))
                if (depth == 0 || !is_plain(gsi_stmt(at), depth - 1)) return false;
            return true;
        }
        default:
            return is_gimple_omp(statement);
    }
}

}  // namespace

bool is_jump(const gimple* statement) {
    switch (gimple_code(statement)) {
        case GIMPLE_COND:
        case GIMPLE_GOTO:
        case GIMPLE_RETURN:
        case GIMPLE_SWITCH:
            return true;
        case GIMPLE_CALL:
            return gimple_call_noreturn_p(statement);
        default:
            return false;
    }
}

const gimple* SourceWalk::in_front(const gimple* statement) const {
    for (;;) {
        // The first of a sequence has the last one as its `prev`.
        const gimple* const before = statement->prev;
        if (before->next != nullptr) return before;
        const auto block = blocks.find(statement);
        if (block == blocks.end()) return nullptr;
        statement = block->second;
    }
}

tree SourceWalk::label_of_way(const gimple* statement) const {
    constexpr int most_between = 32;
    constexpr int most_blocks = 2;  // inside each other
    const gimple* at = in_front(statement);
    for (int i = 0; at != nullptr && gimple_code(at) != GIMPLE_LABEL; ++i, at = in_front(at)) {
        if (i == most_between || !is_plain(at, most_blocks)) return NULL_TREE;
    }
    if (at == nullptr) return NULL_TREE;
    const gimple* before = at->prev;
    while (before->next != nullptr && is_gimple_debug(before))
        before = before->prev;
    return before->next != nullptr && is_jump(before) ? gimple_label_label(as_a<const glabel*>(at))
                                                      : NULL_TREE;
}

const Located* SourceWalk::only_branch_to(tree label, bool is_true_side) const {
    const Located* only = nullptr;
    for (const Located& at : conditions) {
        const auto* condition = as_a<const gcond*>(at.statement);
        const bool leads_here = gimple_cond_true_label(condition) == label ||
                                gimple_cond_false_label(condition) == label;
        if (!leads_here) continue;
        const tree side =
            is_true_side ? gimple_cond_true_label(condition) : gimple_cond_false_label(condition);
        if (only != nullptr || side != label) return nullptr;
        only = &at;
    }
    return only != nullptr && is_jumped_to(label) ? nullptr : only;
}

}  // namespace mqinspect::thread_level::plugin
