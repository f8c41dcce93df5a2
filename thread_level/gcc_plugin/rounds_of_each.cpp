// What the index of an element tells of the threads that use it; loops that each of them goes
// through by itself, all in one way: Preparation, sixth part.
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostSums = 16;  // that are followed from an index to what a loop counts

/// Where statements and labels are in the source of the function that GCC is at.
class Order {
public:
    Order() {
        walk_stmt_info info = {};
        info.info = this;
        const auto visit = [](gimple_stmt_iterator* at, bool*, walk_stmt_info* walk) -> tree {
            Order& order = *static_cast<Order*>(walk->info);
            gimple* statement = gsi_stmt(*at);
            order.places_[statement] = ++order.count_;
            if (gimple_code(statement) == GIMPLE_LABEL)
                order.places_[gimple_label_label(as_a<glabel*>(statement))] = order.count_;
            return NULL_TREE;
        };
        walk_gimple_seq(gimple_body(current_function_decl), visit, nullptr, &info);
    }

    /// 0: it is not there.
    unsigned of(const void* statement_or_label) const {
        const auto found = places_.find(statement_or_label);
        return found == places_.end() ? 0 : found->second;
    }

private:
    std::unordered_map<const void*, unsigned> places_;
    unsigned count_ = 0;
};

/// From one definition of what a loop counts to a call in a round of the loop.
struct Stretch {
    unsigned first = 0;
    unsigned call = 0;

    bool has(unsigned place) const { return place > first && place < call; }
};

/// What an index is computed of: `counter * scale + shift`.
struct Scaled {
    tree counter = NULL_TREE;
    std::int64_t scale = 1;
    std::int64_t shift = 0;
};

bool is_linear(tree_code code) {
    return code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR || code == LSHIFT_EXPR;
}

bool add_operation(Scaled& scaled, tree_code code, tree operand) {
    if (TREE_CODE(operand) != INTEGER_CST) return false;
    const std::int64_t number = wi::to_wide(operand).to_shwi();
    constexpr std::int64_t most = kMostFirst;
    constexpr std::int64_t most_bits = 16;
    if (number < -most || number > most) return false;
    switch (code) {
        case PLUS_EXPR:
            scaled.shift += scaled.scale * number;
            break;
        case MINUS_EXPR:
            scaled.shift -= scaled.scale * number;
            break;
        case MULT_EXPR:
            scaled.scale *= number;
            break;
        case LSHIFT_EXPR:
            if (number < 0 || number > most_bits) return false;
            scaled.scale <<= static_cast<unsigned>(number);
            break;
        default:
            return false;
    }
    return scaled.scale > -most && scaled.scale < most && scaled.shift > -most &&
           scaled.shift < most;
}

std::optional<Scaled> scaled_in(tree index, SourceWalk& source) {
    Scaled scaled;
    for (int i = 0; i < kMostSums; ++i) {
        index = strip(index);
        if (TREE_CODE(index) == MULT_EXPR || TREE_CODE(index) == PLUS_EXPR) {
            if (!add_operation(scaled, TREE_CODE(index), TREE_OPERAND(index, 1)))
                return std::nullopt;
            index = TREE_OPERAND(index, 0);
            continue;
        }
        const VariableUse* use = is_local_name(index) ? source.use_of(index) : nullptr;
        if (use == nullptr) return std::nullopt;
        scaled.counter = index;
        const Located* one = source.one_definition(*use);
        if (one == nullptr) return scaled;
        gimple* statement = one->statement;
        if (!is_gimple_assign(statement)) return scaled;
        const tree_code code = gimple_assign_rhs_code(statement);
        if (!is_copying(statement)) {
            if (!is_linear(code)) return scaled;
            if (!add_operation(scaled, code, gimple_assign_rhs2(statement))) return std::nullopt;
        }
        index = gimple_assign_rhs1(statement);
    }
    return std::nullopt;
}

/// Whether `operand` is `counter`, or computed of it, or an element that it is the number of.
bool depends_on(tree operand, tree counter, SourceWalk& source, int depth) {
    if (operand == NULL_TREE || depth <= 0) return false;
    operand = strip(operand);
    if (TREE_CODE(operand) == ADDR_EXPR) operand = TREE_OPERAND(operand, 0);
    for (; handled_component_p(operand); operand = TREE_OPERAND(operand, 0)) {
        if (TREE_CODE(operand) == ARRAY_REF &&
            depends_on(TREE_OPERAND(operand, 1), counter, source, depth - 1))
            return true;
    }
    if (TREE_CODE(operand) == MEM_REF) operand = TREE_OPERAND(operand, 0);
    if (operand == counter) return true;
    const VariableUse* use = is_local_name(operand) ? source.use_of(operand) : nullptr;
    if (use == nullptr) return false;
    const std::vector<Located> definitions = use->definitions;
    return std::ranges::any_of(definitions, [&](const Located& at) {
        for (unsigned i = 1; i < gimple_num_ops(at.statement); ++i) {
            if (depends_on(gimple_op(at.statement, i), counter, source, depth - 1)) return true;
        }
        return false;
    });
}

/// How far the numbers of two threads are apart that have the same there: what is left of them,
/// divided by a constant, or how often that is in them. Nothing: it is something else.
std::optional<std::int64_t> threads_apart(tree number, SourceWalk& source, Values& values) {
    const VariableUse* use = source.use_of(number);
    const Located* one = use == nullptr ? nullptr : source.one_definition(*use);
    if (one == nullptr || !is_gimple_assign(one->statement)) return std::nullopt;
    gimple* statement = one->statement;
    const tree_code code = gimple_assign_rhs_code(statement);
    if (code != TRUNC_MOD_EXPR && code != TRUNC_DIV_EXPR) return std::nullopt;
    const tree divisor = gimple_assign_rhs2(statement);
    if (!tree_fits_shwi_p(divisor) || !values.is_thread_number(gimple_assign_rhs1(statement)))
        return std::nullopt;
    const std::int64_t by = tree_to_shwi(divisor);
    if (by < 2 || by > kMostModulus) return std::nullopt;
    return code == TRUNC_MOD_EXPR ? by : 1;
}

/// One call in a loop that counts a variable.
class RoundsOfEach {
public:
    RoundsOfEach(SourceWalk& source,
                 Conditions& conditions,
                 Values& values,
                 const LocatedCall& call)
        : source_(source), conditions_(conditions), values_(values), call_(call) {}

    /// The number that all threads come to the call with first, if they do; what they do behind
    /// that may be another thing for each.
    std::optional<std::int64_t> first_of(tree counter) {
        if (source_.is_loop_index(counter) || source_.is_shared(counter, call_.context) ||
            !conditions_.is_same_in_rounds(counter, call_.context) || !find_first(counter))
            return std::nullopt;
        stretch_.call = order_.of(call_.call);
        if (!is_repeated() || !is_for_all() || is_for_one(counter)) return std::nullopt;
        return first_;
    }

private:
    /// Sets where the loop begins, and its first number.
    bool find_first(tree counter) {
        const VariableUse* found = source_.use_of(counter);
        if (found == nullptr) return false;
        const VariableUse use = source_.narrowed(*found, counter, call_.context);
        const unsigned call = order_.of(call_.call);
        const gimple* last = nullptr;
        for (const Located& at : use.definitions) {
            const unsigned place = order_.of(at.statement);
            if (place == 0 || place > call || place < stretch_.first) continue;
            stretch_.first = place;
            last = at.statement;
        }
        if (last == nullptr || !gimple_assign_single_p(last)) return false;
        const auto number = values_.constant(gimple_assign_rhs1(last));
        first_ = number.value_or(0);
        return number.has_value();
    }

    /// Whether `target` is where a round begins.
    bool is_start(tree target) const { return stretch_.has(order_.of(target)); }

    bool is_back(const gimple* condition) const {
        const auto* branch = as_a<const gcond*>(condition);
        return order_.of(branch) > stretch_.call && (is_start(gimple_cond_true_label(branch)) ||
                                                     is_start(gimple_cond_false_label(branch)));
    }

    bool is_repeated() const {
        return std::ranges::any_of(source_.jumps,
                                   [this](gimple* jump) {
                                       return order_.of(jump) > stretch_.call &&
                                              is_start(gimple_goto_dest(jump));
                                   }) ||
               std::ranges::any_of(source_.conditions,
                                   [this](const Located& at) { return is_back(at.statement); });
    }

    /// Whether all threads go the same ways from the beginning of the loop to the call.
    bool is_for_all() {
        const auto is_same = [this](const Located& at) {
            if (!stretch_.has(order_.of(at.statement)) && !is_back(at.statement)) return true;
            return conditions_.is_same_in_rounds(gimple_cond_lhs(at.statement), at.context) &&
                   conditions_.is_same_in_rounds(gimple_cond_rhs(at.statement), at.context);
        };
        const auto has_same_number = [this](const Located& at) {
            return !stretch_.has(order_.of(at.statement)) ||
                   conditions_.is_same_in_rounds(gimple_switch_index(as_a<gswitch*>(at.statement)),
                                                 at.context);
        };
        return std::ranges::all_of(source_.conditions, is_same) &&
               std::ranges::all_of(source_.switches, has_same_number);
    }

    /// Whether something in front of the call may let in one thread for each number: a lock, or
    /// what a function of the program does.
    bool is_for_one(tree counter) {
        const auto may_lock = [&](const LocatedCall& at) {
            if (at.callee != nullptr && at.callee->kind == CalleeKind::Mpi) return false;
            if (!stretch_.has(order_.of(at.call))) return false;
            for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
                if (depends_on(gimple_call_arg(at.call, i), counter, source_, kMostSums))
                    return true;
            }
            return false;
        };
        return std::ranges::any_of(source_.calls, may_lock);
    }

    SourceWalk& source_;
    Conditions& conditions_;
    Values& values_;
    const LocatedCall& call_;
    Order order_;
    Stretch stretch_;
    std::int64_t first_ = 0;
};

}  // namespace

/// Whether an author may have made the team as small as the index needs.
bool Preparation::knows_team_size(ContextId context) const {
    const ContextId team = source_.parallel_context(context);
    const gimple* construct = source_.contexts[team].construct;
    const tree clause =
        construct == nullptr
            ? NULL_TREE
            : omp_find_clause(gimple_omp_parallel_clauses(construct), OMP_CLAUSE_NUM_THREADS);
    if (clause != NULL_TREE) return TREE_CODE(OMP_CLAUSE_NUM_THREADS_EXPR(clause)) != INTEGER_CST;
    return std::ranges::any_of(source_.any_calls, [](const Located& at) {
        const std::string_view name = declared_name(gimple_call_fndecl(at.statement));
        return name.starts_with("omp_set_num_threads");
    });
}

/// Of an element of one array, which has been asked for last: what its index tells of the threads
/// that use it.
void Preparation::note_index(Value& element, const LocatedCall& at) {
    const Values::ElementIndex last = values_.last_index();
    const bool is_asked = element.number == kCounted || element.number == 1 || element.number == 0;
    const auto scaled = last.is_of_one && is_asked ? scaled_in(last.index, source_) : std::nullopt;
    if (!scaled || last.unit == 0) return;
    const gimple* thread = source_.contexts[source_.thread_context(at.context)].construct;
    const bool is_task = thread != nullptr && gimple_code(thread) != GIMPLE_OMP_PARALLEL;
    std::int64_t number = 0;
    if (element.number == kCounted) {
        const auto first =
            RoundsOfEach(source_, conditions_, values_, at).first_of(scaled->counter);
        if (!first || *first < -kMostFirst || *first > kMostFirst) return;
        number = *first * scaled->scale + scaled->shift;
        const bool is_known = number > -kMostFirst && number < kMostFirst;
        if (!is_known || number % last.unit != 0) return;
        number = kCountedByEach + number / last.unit;
    } else if (element.number == 1 && !is_task && scaled->scale == last.unit &&
               scaled->shift % last.unit == 0) {
        number = kByThread + scaled->shift / last.unit;
    } else if (element.number == 0 && !is_task && !knows_team_size(at.context)) {
        const auto apart = threads_apart(scaled->counter, source_, values_);
        if (!apart) return;
        number = kSharedByThreads + *apart;
    }
    if (number == 0) return;
    element.number = number;
    element.is_shared = last.is_of_program;
}

}  // namespace mqinspect::thread_level::plugin
