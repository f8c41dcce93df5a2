#include "thread_level/gcc_plugin/empty_pointers.h"

#include <algorithm>
#include <string_view>

#include "thread_level/facts/library_functions.h"
#include "thread_level/gcc_plugin/held_class.h"
#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostParts = 8;          // of a condition, each made of the one behind it
constexpr int kMostBlocksAround = 64;  // around the one in question

/// What the first argument points to; null: nothing.
tree class_handed(const gimple* call) {
    if (gimple_call_num_args(call) == 0) return NULL_TREE;
    const tree type = TREE_TYPE(gimple_call_arg(call, 0));
    return POINTER_TYPE_P(type) ? TREE_TYPE(type) : NULL_TREE;
}

bool is_for_pointer(const gimple* call) {
    return is_smart_pointer(class_handed(call));
}

bool is_for_thread(const gimple* call) {
    const tree type = class_handed(call);
    return type != NULL_TREE && is_thread_class(type);
}

/// What a pointer is for, be it a std::unique_ptr; null: it is none.
tree class_pointed_to(tree type) {
    if (TREE_CODE(type) == POINTER_TYPE) return TREE_TYPE(type);
    const bool is_owner =
        TREE_CODE(type) == RECORD_TYPE && name_of_type(TYPE_MAIN_VARIANT(type)) == "unique_ptr";
    return is_owner ? held_class(TYPE_MAIN_VARIANT(type)) : NULL_TREE;
}

bool has_thread(tree type) {
    if (TREE_CODE(type) != RECORD_TYPE) return false;
    for (tree member = TYPE_FIELDS(type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) == FIELD_DECL && keeps_thread(TREE_TYPE(member))) return true;
    }
    return false;
}

/// The same of a pointer to an object with such a member.
bool keeps_object_with_thread(tree type) {
    const tree pointed = class_pointed_to(type);
    return pointed != NULL_TREE && has_thread(pointed);
}

bool keeps_any_thread(tree type) {
    return keeps_thread(type) || keeps_object_with_thread(type);
}

/// Whether a variable with a thread, whose address a function of that name gets, has it still when
/// that returns, or has let it end first.
bool leaves_thread(std::string_view name) {
    for (const std::string_view known : {"joinable",
                                         "join",
                                         "get_id",
                                         "native_handle",
                                         "operator=",
                                         "operator==",
                                         "operator!=",
                                         "operator->",
                                         "operator*",
                                         "get",
                                         "reset"}) {
        if (name == known) return true;
    }
    return name.starts_with("__conv_op");
}

/// Whether it is a static variable, or a member of one or of what the function is handed.
bool is_kept_elsewhere(tree variable) {
    const Part part = part_in(variable);
    if (part.whole == NULL_TREE) return false;
    if (VAR_P(part.whole)) return is_global_var(part.whole) && !DECL_THREAD_LOCAL_P(part.whole);
    return !part.path.empty() && TREE_CODE(TREE_OPERAND(part.whole, 0)) == PARM_DECL;
}

bool writes_kept_pointer(const gimple* write) {
    return is_gimple_assign(write) && gimple_assign_single_p(write) &&
           TREE_CODE(TREE_TYPE(gimple_assign_lhs(write))) == POINTER_TYPE &&
           keeps_any_thread(TREE_TYPE(gimple_assign_lhs(write)));
}

bool is_same(tree a, tree b) {
    return operand_equal_p(a, b, 0) != 0;
}

}  // namespace

void EmptyPointers::find() {
    fills_.clear();
    tests_.clear();
    keeps_.clear();
    if (!is_cxx() || source_.conditions.empty()) return;
    for (const Located& at : source_.any_calls)
        note_fill(at.statement);
    for (const gimple* write : source_.global_writes)
        note_written_pointer(write);
    for (const Located& at : source_.pointer_writes)
        note_written_pointer(at.statement);
    note_copied_addresses();
    if (fills_.empty() && keeps_.empty()) return;
    for (const Located& at : source_.conditions)
        note_test(as_a<const gcond*>(at.statement));
}

/// What the operand is the address of, a variable or a member; null: it can't be told.
tree EmptyPointers::variable_at(tree operand) const {
    operand = strip(operand);
    if (TREE_CODE(operand) == ADDR_EXPR) return TREE_OPERAND(operand, 0);
    const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
    if (made == nullptr || !gimple_assign_single_p(made->statement)) return NULL_TREE;
    const tree address = strip(gimple_assign_rhs1(made->statement));
    return TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
}

void EmptyPointers::note_fill(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || !(is_for_pointer(call) || is_for_thread(call))) return;
    const std::string_view name = declared_name(callee);
    if (name != "operator=" && name != "reset" && name != "swap") return;
    const tree variable = variable_at(gimple_call_arg(call, 0));
    if (variable == NULL_TREE) return;
    if (is_for_pointer(call)) fills_.emplace(call, variable);
    const bool keeps =
        name != "swap" && gimple_call_num_args(call) == 2 && keeps_any_thread(TREE_TYPE(variable));
    if (keeps) note_keep(gimple_call_arg(call, 1), variable);
}

/// `thread`: what is put into the variable.
void EmptyPointers::note_keep(tree thread, tree variable) {
    thread = strip(thread);
    if (TREE_CODE(thread) == ADDR_EXPR) thread = TREE_OPERAND(thread, 0);
    const bool is_new = VAR_P(thread) && !is_global_var(thread) && DECL_ARTIFICIAL(thread);
    if ((is_new || TREE_CODE(thread) == SSA_NAME) && is_kept_elsewhere(variable))
        keeps_.push_back({variable, thread});
}

/// What a thread on the heap is made at may be a copy of what is kept.
void EmptyPointers::note_copied_addresses() {
    const std::size_t count = keeps_.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Keep keep = keeps_[i];
        if (!POINTER_TYPE_P(TREE_TYPE(keep.thread))) continue;
        for (const Located& at : source_.assignments) {
            if (is_copying(at.statement) && gimple_assign_rhs1(at.statement) == keep.thread)
                keeps_.push_back({keep.variable, gimple_assign_lhs(at.statement)});
        }
    }
}

/// `worker = new std::thread(work)`
void EmptyPointers::note_written_pointer(const gimple* assignment) {
    if (writes_kept_pointer(assignment) && !integer_zerop(gimple_assign_rhs1(assignment)))
        note_keep(gimple_assign_rhs1(assignment), gimple_assign_lhs(assignment));
}

/// `worker = nullptr`, where nothing of the function has ended the thread.
void EmptyPointers::note_emptied_pointer(const gimple* assignment) {
    if (writes_kept_pointer(assignment) && integer_zerop(gimple_assign_rhs1(assignment)))
        gathering_.lost_threads.insert(keeper_of_thread(gimple_assign_lhs(assignment)));
}

void EmptyPointers::find_losses() {
    joins_ = false;
    if (!is_cxx()) return;
    for (const Located& at : source_.any_calls) {
        const tree callee = gimple_call_fndecl(at.statement);
        const tree type = callee == NULL_TREE ? NULL_TREE : class_handed(at.statement);
        if (type == NULL_TREE) continue;
        // What the program's own classes do to the object is up to those.
        if (has_thread(type)) joins_ = joins_ || DECL_CXX_DESTRUCTOR_P(callee);
        if (!keeps_any_thread(type)) continue;
        const std::string_view name = declared_name(callee);
        if (name == "detach") gathering_.detaches_threads = true;
        joins_ = joins_ || name == "join" || DECL_CXX_DESTRUCTOR_P(callee);
        const bool is_made = DECL_CXX_CONSTRUCTOR_P(callee) || DECL_CXX_DESTRUCTOR_P(callee);
        if (!is_made && !leaves_thread(name)) lose(gimple_call_arg(at.statement, 0));
        for (unsigned i = 1; i < gimple_call_num_args(at.statement); ++i)
            if (is_made || name == "swap") lose(gimple_call_arg(at.statement, i));
    }
    if (joins_ || DECL_CXX_CONSTRUCTOR_P(current_function_decl)) return;
    for (const gimple* write : source_.global_writes)
        note_emptied_pointer(write);
    for (const Located& at : source_.pointer_writes)
        note_emptied_pointer(at.statement);
}

void EmptyPointers::lose(tree address) {
    const tree variable = variable_at(address);
    if (variable != NULL_TREE && is_kept_elsewhere(variable) &&
        keeps_any_thread(TREE_TYPE(variable)))
        gathering_.lost_threads.insert(keeper_of_thread(variable));
}

void EmptyPointers::note_test(const gcond* condition) {
    if (!integer_zerop(gimple_cond_rhs(condition))) return;
    const bool is_null_if_true = gimple_cond_code(condition) == EQ_EXPR;
    if (!is_null_if_true && gimple_cond_code(condition) != NE_EXPR) return;
    const Test test = test_of(gimple_cond_lhs(condition), is_null_if_true, kMostParts);
    if (test.variable != NULL_TREE) tests_.emplace(condition, test);
}

/// `is_null_if_true`: the pointer is null where `operand` being 0 means that.
EmptyPointers::Test EmptyPointers::test_of(tree operand, bool is_null_if_true, int depth) const {
    const Located* made =
        depth > 0 && is_local_name(operand) ? values_.only_definition(operand) : nullptr;
    if (made == nullptr) return {};
    if (is_gimple_assign(made->statement)) {
        const tree source = gimple_assign_rhs1(made->statement);
        switch (gimple_assign_rhs_code(made->statement)) {
            case BIT_NOT_EXPR:
            case TRUTH_NOT_EXPR:
                return test_of(source, !is_null_if_true, depth - 1);
            case EQ_EXPR:
            case NE_EXPR: {
                if (!integer_zerop(gimple_assign_rhs2(made->statement))) return {};
                const bool is_equal = gimple_assign_rhs_code(made->statement) == EQ_EXPR;
                return test_of(source, is_null_if_true != is_equal, depth - 1);
            }
            default:
                if (!is_copying(made->statement)) return {};
                if (!is_local_name(source) && TREE_CODE(TREE_TYPE(source)) == POINTER_TYPE)
                    return {source, is_null_if_true};
                return test_of(source, is_null_if_true, depth - 1);
        }
    }
    const tree callee =
        is_gimple_call(made->statement) ? gimple_call_fndecl(made->statement) : NULL_TREE;
    if (callee == NULL_TREE || !(is_for_pointer(made->statement) || is_for_thread(made->statement)))
        return {};
    const std::string_view name = declared_name(callee);
    const unsigned count = gimple_call_num_args(made->statement);
    const bool is_equal = name == "operator==" && count == 2 &&
                          TREE_CODE(gimple_call_arg(made->statement, 1)) == INTEGER_CST;
    const bool is_value =
        (name.starts_with("__conv_op") || name == "get" || name == "joinable") && count == 1;
    if (!is_equal && !is_value) return {};
    return {variable_at(gimple_call_arg(made->statement, 0)), is_null_if_true != is_equal};
}

bool EmptyPointers::fills_null(const gimple* call, basic_block block) const {
    const auto fill = fills_.find(call);
    if (fill == fills_.end() || tests_.empty()) return false;
    const auto fills = std::ranges::count_if(
        fills_, [&](const auto& other) { return is_same(other.second, fill->second); });
    if (fills > 1) return false;  // it may be full by then
    for (int i = 0; i < kMostBlocksAround && block != nullptr && block->index > EXIT_BLOCK; ++i) {
        basic_block around = get_immediate_dominator(CDI_DOMINATORS, block);
        edge way = single_pred_p(block) ? single_pred_edge(block) : nullptr;
        block = around;
        if (way == nullptr || way->src != around) continue;
        gimple_stmt_iterator last = gsi_last_nondebug_bb(around);
        const auto test = gsi_end_p(last) ? tests_.end() : tests_.find(gsi_stmt(last));
        if (test == tests_.end() || !is_same(test->second.variable, fill->second)) continue;
        const int null_way = test->second.is_null_if_true ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE;
        if ((way->flags & null_way) != 0) return true;
    }
    return false;
}

tree EmptyPointers::found_without_thread(const gimple* condition, bool is_true_side) const {
    if (keeps_.empty()) return NULL_TREE;
    const auto test = tests_.find(condition);
    if (test == tests_.end() || test->second.is_null_if_true != is_true_side) return NULL_TREE;
    const tree variable = test->second.variable;
    const bool is_filled = std::ranges::any_of(
        keeps_, [variable](const Keep& keep) { return is_same(keep.variable, variable); });
    return is_filled ? variable : NULL_TREE;
}

bool EmptyPointers::starts_in(tree variable, const gimple* call) const {
    const tree left = gimple_call_lhs(call);
    tree made = left != NULL_TREE ? left : NULL_TREE;
    if (made == NULL_TREE && gimple_call_num_args(call) > 0) {
        made = strip(gimple_call_arg(call, 0));
        if (TREE_CODE(made) == ADDR_EXPR) made = TREE_OPERAND(made, 0);
    }
    return std::ranges::any_of(keeps_, [&](const Keep& keep) {
        return keep.thread == made && is_same(keep.variable, variable);
    });
}

unsigned keeper_of_thread(tree variable) {
    return DECL_UID(TREE_CODE(variable) == COMPONENT_REF ? TREE_OPERAND(variable, 1) : variable);
}

unsigned class_with_keeper(tree variable) {
    const Part part = part_in(variable);
    return VAR_P(part.whole) ? 0 : class_number(TREE_TYPE(part.whole));
}

std::vector<unsigned> threads_of_object(tree variable) {
    std::vector<unsigned> threads;
    const tree pointed = class_pointed_to(TREE_TYPE(variable));
    if (pointed == NULL_TREE || !has_thread(pointed)) return threads;
    for (tree member = TYPE_FIELDS(pointed); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) == FIELD_DECL && keeps_thread(TREE_TYPE(member)))
            threads.push_back(DECL_UID(member));
    }
    return threads;
}

void settle_empty_guards(Gathering& gathering) {
    const auto is_lost = [&](unsigned keeper) { return gathering.lost_threads.contains(keeper); };
    for (const EmptyGuard& guard : gathering.empty_guards) {
        bool is_one = !gathering.detaches_threads && !is_lost(guard.keeper) &&
                      std::ranges::none_of(guard.threads, is_lost);
        if (guard.of_class != 0) {
            const OnlyObject& object = gathering.only_objects[guard.of_class];
            const bool is_own =
                object.owner != 0 && !is_main_program(gathering.unit.strings[object.owner]);
            is_one = is_one && !object.is_bad && object.name != 0 && !is_own;
        }
        Region& region = gathering.unit.functions[guard.function].regions[guard.region];
        if (!is_one) region.condition = Condition::None;
    }
}

}  // namespace mqinspect::thread_level::plugin
