// Collective operations with data that nobody looks at, which may change places with others of the
// kind: Preparation, seventh part.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "thread_level/facts/hash.h"
#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool calls_one_of(const gimple* statement, std::initializer_list<std::string_view> symbols) {
    if (!is_gimple_call(statement)) return false;
    const tree callee = gimple_call_fndecl(statement);
    if (callee == NULL_TREE || !DECL_ASSEMBLER_NAME_SET_P(callee)) return false;
    const std::string_view symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

bool makes_memory(const gimple* statement) {
    return calls_one_of(statement, {"malloc", "calloc", "_Znwm", "_Znam"});
}

bool frees_memory(const gimple* statement) {
    return calls_one_of(statement, {"free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"});
}

/// What is asked of all statements of a function.
struct Reading {
    tree variable = NULL_TREE;
    const gimple* call = nullptr;  ///< that the data is for

    /// What the statement does with the variable tells nothing of the data.
    bool leaves_data_alone(const gimple* statement) const {
        if (statement == call || gimple_clobber_p(statement)) return true;
        if (frees_memory(statement)) return true;
        if (makes_memory(statement)) return gimple_call_lhs(statement) == variable;
        return gimple_code(statement) == GIMPLE_COND && integer_zerop(gimple_cond_rhs(statement));
    }
};

tree visit_statement(gimple_stmt_iterator* at, bool* is_done, walk_stmt_info* walk) {
    const Reading& reading = *static_cast<const Reading*>(walk->info);
    *is_done = reading.leaves_data_alone(gsi_stmt(*at));
    return NULL_TREE;
}

tree visit_operand(tree* operand, int* /*subtrees*/, void* data) {
    const auto* walk = static_cast<const walk_stmt_info*>(data);
    return *operand == static_cast<const Reading*>(walk->info)->variable ? *operand : NULL_TREE;
}

/// Whether nothing but the call gets what the variable has, or points to.
bool is_unread(tree variable, const gimple* call) {
    Reading reading{.variable = variable, .call = call};
    walk_stmt_info info = {};
    info.info = &reading;
    const gimple_seq body = gimple_body(current_function_decl);
    return walk_gimple_seq(body, visit_statement, visit_operand, &info) == nullptr;
}

}  // namespace

/// A text of all that the call hands over but the communicator and the root, if that is constants,
/// and buffers of the thread's own that nothing else looks at. Unknown: it is more than that.
Value Preparation::unread_signature(const LocatedCall& at) {
    if (is_fortran() || source_.thread_context(at.context) == 0) return {};
    std::string signature = at.callee->mpi->name;
    for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
        const int position = static_cast<int>(i);
        if (position == at.callee->mpi->communicator || position == at.callee->mpi->peer) continue;
        const tree argument = strip(gimple_call_arg(at.call, i));
        const bool is_address = TREE_CODE(argument) == ADDR_EXPR;
        const tree variable = base_variable(is_address ? TREE_OPERAND(argument, 0) : argument);
        signature += ',';
        if (TREE_CODE(argument) == INTEGER_CST) {
            signature += std::to_string(wi::to_wide(argument).to_shwi());
        } else if (is_address && VAR_P(TREE_OPERAND(argument, 0)) && DECL_EXTERNAL(variable)) {
            signature += IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(variable));
        } else if (variable == NULL_TREE || !VAR_P(variable) || !is_local(variable) ||
                   source_.is_shared(variable, at.context) || !is_unread(variable, at.call)) {
            return {};
        }
    }
    Value value;
    value.kind = Value::Kind::Constant;
    value.number = kFirstText | static_cast<std::int64_t>(hash_of(signature) & 0xffff'ffffU);
    return value;
}

}  // namespace mqinspect::thread_level::plugin
