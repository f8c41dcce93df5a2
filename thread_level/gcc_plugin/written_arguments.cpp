#include "thread_level/gcc_plugin/written_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostMade = 8;              // assignments that are made of each other
constexpr int kMostNestedConditions = 4;  // conditions on the ways to each other
constexpr std::size_t kMostWayBlocks =
    64;  // that ways from the writes to the condition lead through

/// Anything may be.
ArgumentFacts no_facts() {
    return ArgumentFacts{std::in_place};
}

bool contradicts(const ArgumentFact& a, const ArgumentFact& b) {
    if (a.tested != b.tested) return false;
    if (a.is_equal && b.is_equal) return a.number != b.number;
    return a.is_equal != b.is_equal && a.number == b.number;
}

bool implies(const std::vector<ArgumentFact>& known, const ArgumentFact& fact) {
    return std::ranges::any_of(known, [&fact](const ArgumentFact& one) {
        if (one == fact) return true;
        return one.tested == fact.tested && one.is_equal && !fact.is_equal &&
               one.number != fact.number;
    });
}

void add(ArgumentFacts& all, const ArgumentFact& fact) {
    if (!all || implies(*all, fact)) return;
    const auto is_against = [&fact](const ArgumentFact& one) { return contradicts(one, fact); };
    if (std::ranges::any_of(*all, is_against)) {
        all.reset();
        return;
    }
    std::erase_if(*all, [&fact](const ArgumentFact& one) { return implies({fact}, one); });
    all->push_back(fact);
}

/// Where both hold.
ArgumentFacts both(ArgumentFacts one, const ArgumentFacts& other) {
    if (!other) return std::nullopt;
    for (const ArgumentFact& fact : *other)
        add(one, fact);
    return one;
}

/// Where one of them holds, whichever it is.
ArgumentFacts either(const ArgumentFacts& one, const ArgumentFacts& other) {
    if (!one) return other;
    if (!other) return one;
    ArgumentFacts common{std::in_place};
    for (const ArgumentFact& fact : *one)
        if (implies(*other, fact)) add(common, fact);
    for (const ArgumentFact& fact : *other)
        if (implies(*one, fact)) add(common, fact);
    return common;
}

std::optional<ArgumentFact> fact_of(const Implication& said) {
    const bool is_equal = said.condition == Condition::ArgumentIs;
    if ((!is_equal && said.condition != Condition::ArgumentIsNot) ||
        !is_whole_parameter(said.tested) || said.wrapper != 0 || said.provided_global != 0 ||
        said.limit.kind != Value::Kind::Unknown)
        return std::nullopt;
    return ArgumentFact{said.tested, said.number, is_equal};
}

bool is_truth(tree operand) {
    return TREE_CODE(TREE_TYPE(operand)) == BOOLEAN_TYPE ||
           (INTEGRAL_TYPE_P(TREE_TYPE(operand)) && TYPE_PRECISION(TREE_TYPE(operand)) == 1);
}

/// The argument of Fortran's `class(...)`, other than a pointer, in whose object `pointer` is;
/// null: it is none.
tree class_argument(tree pointer) {
    constexpr std::string_view end_of_plain = "_t";
    if (TREE_CODE(pointer) != SSA_NAME) return NULL_TREE;
    gimple* made = SSA_NAME_DEF_STMT(pointer);
    if (!is_gimple_assign(made) || !gimple_assign_single_p(made)) return NULL_TREE;
    const tree data = gimple_assign_rhs1(made);
    if (TREE_CODE(data) != COMPONENT_REF || !is_data_of_class(data)) return NULL_TREE;
    const tree container = TREE_OPERAND(data, 0);
    const bool is_argument = TREE_CODE(container) == MEM_REF &&
                             TREE_CODE(TREE_OPERAND(container, 0)) == PARM_DECL &&
                             name_of_type(TREE_TYPE(container)).ends_with(end_of_plain);
    return is_argument ? TREE_OPERAND(container, 0) : NULL_TREE;
}

/// The variable, or the parameter to whose object it leads, that `place` is a member of, or is
/// itself; null: it is found in another way.
tree root_of(tree place) {
    while (TREE_CODE(place) == COMPONENT_REF)
        place = TREE_OPERAND(place, 0);
    if (TREE_CODE(place) == MEM_REF && integer_zerop(TREE_OPERAND(place, 1))) {
        place = TREE_OPERAND(place, 0);
        if (const tree argument = class_argument(place)) return argument;
    }
    return VAR_P(place) || TREE_CODE(place) == PARM_DECL ? place : NULL_TREE;
}

bool is_same_place(tree a, tree b) {
    while (TREE_CODE(a) == COMPONENT_REF && TREE_CODE(b) == COMPONENT_REF) {
        if (TREE_OPERAND(a, 1) != TREE_OPERAND(b, 1)) return false;
        a = TREE_OPERAND(a, 0);
        b = TREE_OPERAND(b, 0);
    }
    if (operand_equal_p(a, b, 0) != 0) return true;
    if (TREE_CODE(a) != MEM_REF || TREE_CODE(b) != MEM_REF) return false;
    const tree argument = class_argument(TREE_OPERAND(a, 0));
    return argument != NULL_TREE && argument == class_argument(TREE_OPERAND(b, 0)) &&
           integer_zerop(TREE_OPERAND(a, 1)) && integer_zerop(TREE_OPERAND(b, 1));
}

/// Whether what is converted is `number` by then if it was before, and only then.
bool keeps_number(tree from, tree to, std::int64_t number) {
    constexpr std::int64_t most = 127;  // whatever sign the types have
    if (!INTEGRAL_TYPE_P(from) || TYPE_PRECISION(from) > TYPE_PRECISION(to)) return false;
    return TYPE_UNSIGNED(from) == TYPE_UNSIGNED(to) || (number >= 0 && number <= most);
}

/// An integer in a variable of the function that has no address, or in a member of an object.
bool is_place(tree operand) {
    if (!INTEGRAL_TYPE_P(TREE_TYPE(operand)) || TREE_THIS_VOLATILE(operand)) return false;
    if (VAR_P(operand)) return !is_global_var(operand) && !TREE_ADDRESSABLE(operand);
    if (TREE_CODE(operand) != COMPONENT_REF || DECL_BIT_FIELD(TREE_OPERAND(operand, 1)))
        return false;
    for (tree part = operand; TREE_CODE(part) == COMPONENT_REF; part = TREE_OPERAND(part, 0))
        if (TREE_CODE(TREE_TYPE(TREE_OPERAND(part, 0))) != RECORD_TYPE) return false;
    const tree root = root_of(operand);
    return root != NULL_TREE && !TREE_THIS_VOLATILE(root) &&
           !(VAR_P(root) && (DECL_THREAD_LOCAL_P(root) || POINTER_TYPE_P(TREE_TYPE(root))));
}

bool is_own_variable_without_address(tree root) {
    return VAR_P(root) && !is_global_var(root) && !TREE_ADDRESSABLE(root);
}

/// Whether it is a parameter of Fortran that is written by its name alone.
bool is_handed_by_name(tree parameter) {
    return is_fortran() && TREE_CODE(parameter) == PARM_DECL &&
           POINTER_TYPE_P(TREE_TYPE(parameter)) && TYPE_RESTRICT(TREE_TYPE(parameter)) != 0;
}

/// Whether `written` is of what is handed to a procedure beside what `root` leads to.
bool are_apart(tree written, tree root) {
    const tree other = root_of(written);
    return other != NULL_TREE && other != root && is_handed_by_name(other) &&
           is_handed_by_name(root);
}

/// Whether the assignment to `written`, which is not `place`, may change what `place` has.
bool may_change(tree written, tree place) {
    const tree root = root_of(place);
    if (written == root) return true;  // of a pointer, too
    const tree other = get_base_address(written);
    if (other == NULL_TREE) return true;
    if (DECL_P(other) && is_gimple_reg(other)) return false;
    if (TREE_CODE(other) == SSA_NAME) return false;
    // What is of other variables.
    const bool is_variable = VAR_P(root) && !POINTER_TYPE_P(TREE_TYPE(root));
    if (is_variable && DECL_P(other) && other != root) return false;
    if (is_own_variable_without_address(root) && other != root) return false;
    if (are_apart(written, root)) return false;
    if (!is_gimple_reg_type(TREE_TYPE(written))) return true;
    if (TREE_CODE(written) == COMPONENT_REF && TREE_CODE(place) == COMPONENT_REF &&
        TREE_CODE(TREE_TYPE(TREE_OPERAND(written, 0))) == RECORD_TYPE)
        return TREE_OPERAND(written, 1) == TREE_OPERAND(place, 1);
    // Others may be `place` by their addresses, if it may be of that type.
    const tree type = TREE_TYPE(written);
    if (!INTEGRAL_TYPE_P(type)) return false;
    return TYPE_PRECISION(type) == TYPE_PRECISION(TREE_TYPE(place)) ||
           TYPE_PRECISION(type) == CHAR_TYPE_SIZE;
}

/// Whether it is the descriptor of an array, which does not lead to an object that is none.
bool is_descriptor(tree type) {
    return name_of_type(type).starts_with("array");
}

/// Whether it may lead to an object that it is not.
bool leads_to_others(tree type) {
    if (POINTER_TYPE_P(type)) return true;
    if (TREE_CODE(type) == ARRAY_TYPE) return leads_to_others(TREE_TYPE(type));
    if (!RECORD_OR_UNION_TYPE_P(type) || is_descriptor(type)) return false;
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field))
        if (TREE_CODE(field) == FIELD_DECL && leads_to_others(TREE_TYPE(field))) return true;
    return false;
}

/// Whether it is another argument, a variable, a text or a number, and not `root` nor a part of it.
bool is_other_object(tree argument, tree root) {
    if (!POINTER_TYPE_P(TREE_TYPE(argument))) return is_gimple_reg_type(TREE_TYPE(argument));
    if (CONSTANT_CLASS_P(argument)) return true;
    if (TREE_CODE(argument) == PARM_DECL) return argument != root;
    if (TREE_CODE(argument) != ADDR_EXPR) return false;
    const tree object = get_base_address(TREE_OPERAND(argument, 0));
    if (object == NULL_TREE) return false;
    return CONSTANT_CLASS_P(object) ||
           (DECL_P(object) && object != root && !leads_to_others(TREE_TYPE(object)));
}

}  // namespace

/// In Fortran what a procedure is handed is changed by those only that get it from there, unless it
/// is a TARGET or a pointer.
bool WrittenArguments::may_call_write(const gcall* call, tree place) {
    const tree root = root_of(place);
    if (is_own_variable_without_address(root)) return false;
    if ((gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) != 0) return false;
    const tree callee = gimple_call_fndecl(call);
    if (!is_handed_by_name(root) || callee == NULL_TREE || gimple_call_chain(call) != NULL_TREE)
        return true;
    const CalleeKind kind = callees_.of(callee).kind;
    if (kind != CalleeKind::Other && kind != CalleeKind::Harmless && kind != CalleeKind::Mpi)
        return true;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i)
        if (!is_other_object(gimple_call_arg(call, i), root)) return true;
    return false;
}

/// Of a parameter that is written to `place`, which has room for all that may be in it.
ArgumentFacts WrittenArguments::where_copied(const Value& parameter,
                                             const Test& test,
                                             tree place) const {
    ArgumentFacts facts{std::in_place};
    tree declared = DECL_ARGUMENTS(current_function_decl);
    for (std::int64_t i = 0; i < parameter.number && declared != NULL_TREE; ++i)
        declared = DECL_CHAIN(declared);
    tree type = declared == NULL_TREE ? NULL_TREE : TREE_TYPE(declared);
    if (type != NULL_TREE && POINTER_TYPE_P(type)) type = TREE_TYPE(type);
    const bool is_all = type != NULL_TREE && keeps_number(type, TREE_TYPE(place), test.number);
    if (is_all) add(facts, {parameter, test.number, test.is_equal});
    return facts;
}

/// Nothing: the statement leaves `place` as it is.
std::optional<ArgumentFacts> WrittenArguments::set_by(gimple* statement,
                                                      tree place,
                                                      const Test& test,
                                                      int depth) {
    if (is_gimple_omp(statement) || gimple_code(statement) == GIMPLE_ASM) return no_facts();
    const tree written = gimple_get_lhs(statement);
    if (written != NULL_TREE && is_same_place(written, place))
        return where_made(statement, test, depth);
    if (written != NULL_TREE && may_change(written, place)) return no_facts();
    const auto* call = dyn_cast<const gcall*>(statement);
    if (call != nullptr && may_call_write(call, place)) return no_facts();
    return std::nullopt;
}

std::optional<ArgumentFacts> WrittenArguments::set_in_front(gimple_stmt_iterator at,
                                                            tree place,
                                                            const Test& test,
                                                            int depth) {
    for (; !gsi_end_p(at); gsi_prev_nondebug(&at))
        if (auto set = set_by(gsi_stmt(at), place, test, depth)) return set;
    return std::nullopt;
}

/// What the branches say that lead to `block`, as far as there is one way.
ArgumentFacts WrittenArguments::on_only_way(basic_block block) {
    constexpr int most_branches = 8;
    ArgumentFacts facts{std::in_place};
    for (int i = 0; i < most_branches && single_pred_p(block) && facts; ++i) {
        facts = both(facts, on_way(single_pred_edge(block)));
        block = single_pred(block);
    }
    return facts;
}

/// Finds what the ends of all blocks say from where ways lead to `reader`, back to the writes.
/// False: there are too many of them.
bool WrittenArguments::find_ends(tree place,
                                 const Test& test,
                                 const gimple* reader,
                                 int depth,
                                 Ends& ends,
                                 std::vector<basic_block>& passed) {
    std::vector<basic_block> open;
    const auto reach_before = [&](basic_block block) {
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->preds) {
            if (ends.try_emplace(e->src).second) open.push_back(e->src);
        }
    };
    passed.push_back(gimple_bb(reader));
    reach_before(gimple_bb(reader));
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        if (ends.size() > kMostWayBlocks) return false;
        if (block->index <= EXIT_BLOCK) {
            ends[block] = {no_facts(), true};
        } else if (const auto set = set_in_front(gsi_last_nondebug_bb(block), place, test, depth)) {
            ends[block] = {both(*set, on_only_way(block)), true};
        } else {
            passed.push_back(block);
            reach_before(block);
        }
    }
    return true;
}

ArgumentFacts WrittenArguments::at_start(basic_block block, Ends& ends) {
    ArgumentFacts all;
    edge way = nullptr;
    edge_iterator in;
    FOR_EACH_EDGE(way, in, block->preds) {
        if ((way->flags & EDGE_ABNORMAL) != 0) return no_facts();
        ArgumentFacts facts = ends[way->src].facts;
        if (facts) facts = both(facts, on_way(way));
        all = either(all, facts);
    }
    return all;
}

/// Of what `reader` reads there: by the last writes on all ways, and the branches behind those.
ArgumentFacts WrittenArguments::where_read(tree place,
                                           const Test& test,
                                           gimple* reader,
                                           int depth) {
    if (depth <= 0 || gimple_bb(reader) == nullptr) return no_facts();
    gimple_stmt_iterator first = gsi_for_stmt(reader);
    gsi_prev_nondebug(&first);
    if (const auto set = set_in_front(first, place, test, depth)) return *set;
    Ends ends;
    std::vector<basic_block> passed;
    if (!find_ends(place, test, reader, depth, ends, passed)) return no_facts();
    // Less and less is known of loops.
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (basic_block block : passed) {
            const auto end = ends.find(block);
            if (end == ends.end() || end->second.is_set) continue;
            ArgumentFacts facts = at_start(block, ends);
            if (facts == end->second.facts) continue;
            ends[block].facts = std::move(facts);
            has_changed = true;
        }
    }
    return at_start(gimple_bb(reader), ends);
}

/// Of `a && b`, `a || b`.
ArgumentFacts WrittenArguments::where_both(gimple* assignment, const Test& test, int depth) {
    const tree_code code = gimple_assign_rhs_code(assignment);
    const ArgumentFacts one = where(gimple_assign_rhs1(assignment), test, assignment, depth);
    const ArgumentFacts other = where(gimple_assign_rhs2(assignment), test, assignment, depth);
    const bool is_and = code == BIT_AND_EXPR || code == TRUTH_AND_EXPR;
    return is_and != test.is_equal ? both(one, other) : either(one, other);
}

/// Of what the statement assigns.
ArgumentFacts WrittenArguments::where_made(gimple* assignment, Test test, int depth) {
    if (depth <= 0 || !is_gimple_assign(assignment)) return no_facts();
    const tree left = gimple_assign_lhs(assignment);
    if (is_truth(left) && test.number == 1) test = {0, !test.is_equal};
    const auto copy = copies_.find(assignment);
    if (copy != copies_.end()) return where_copied(copy->second, test, left);
    const tree_code code = gimple_assign_rhs_code(assignment);
    const tree first = gimple_assign_rhs1(assignment);
    if (is_copying(assignment)) {
        const bool is_all = keeps_number(TREE_TYPE(first), TREE_TYPE(left), test.number);
        return is_all ? where(first, test, assignment, depth - 1) : no_facts();
    }
    const bool is_truth_test = is_truth(left) && test.number == 0;
    if (!is_truth_test) return no_facts();
    const Test otherwise{test.number, !test.is_equal};
    if (TREE_CODE_CLASS(code) == tcc_comparison) {
        const tree second = gimple_assign_rhs2(assignment);
        if ((code != EQ_EXPR && code != NE_EXPR) || TREE_CODE(second) != INTEGER_CST ||
            !tree_fits_shwi_p(second))
            return no_facts();
        return where(first,
                     {tree_to_shwi(second), (code == EQ_EXPR) != test.is_equal},
                     assignment,
                     depth - 1);
    }
    if (!is_truth(first)) return no_facts();
    switch (code) {
        case BIT_NOT_EXPR:
        case TRUTH_NOT_EXPR:
            return where(first, otherwise, assignment, depth - 1);
        case BIT_XOR_EXPR:
            return integer_onep(gimple_assign_rhs2(assignment)) != 0
                       ? where(first, otherwise, assignment, depth - 1)
                       : no_facts();
        case BIT_AND_EXPR:
        case TRUTH_AND_EXPR:
        case BIT_IOR_EXPR:
        case TRUTH_OR_EXPR:
            return where_both(assignment, test, depth - 1);
        default:
            return no_facts();
    }
}

/// Of what `reader` reads.
ArgumentFacts WrittenArguments::where(tree operand, const Test& test, gimple* reader, int depth) {
    if (TREE_CODE(operand) == INTEGER_CST) {
        if (!tree_fits_shwi_p(operand)) return no_facts();
        const bool holds = (tree_to_shwi(operand) == test.number) == test.is_equal;
        return holds ? no_facts() : std::nullopt;
    }
    if (TREE_CODE(operand) == SSA_NAME) return where_made(SSA_NAME_DEF_STMT(operand), test, depth);
    return is_place(operand) ? where_read(operand, test, reader, depth) : no_facts();
}

std::vector<ArgumentFact> WrittenArguments::on_way(edge e) {
    const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
    if (e->src->index <= EXIT_BLOCK || (!is_true && (e->flags & EDGE_FALSE_VALUE) == 0)) return {};
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(e->src);
    const auto* condition = gsi_end_p(last) ? nullptr : dyn_cast<const gcond*>(gsi_stmt(last));
    if (condition == nullptr) return {};
    ArgumentFacts facts{std::in_place};
    if (const auto said = fact_of(said_(e))) add(facts, *said);
    if (nested_ == kMostNestedConditions) return *facts;
    known_[e] = *facts;  // in loops
    ++nested_;
    const tree_code code = gimple_cond_code(condition);
    const tree right = gimple_cond_rhs(condition);
    if ((code == EQ_EXPR || code == NE_EXPR) && TREE_CODE(right) == INTEGER_CST &&
        tree_fits_shwi_p(right)) {
        const Test test{tree_to_shwi(right), (code == EQ_EXPR) == is_true};
        facts = both(facts, where(gimple_cond_lhs(condition), test, gsi_stmt(last), kMostMade));
    }
    --nested_;
    // Whether somebody comes there at all is for others to say.
    if (facts) known_[e] = *facts;
    return known_[e];
}

}  // namespace mqinspect::thread_level::plugin
