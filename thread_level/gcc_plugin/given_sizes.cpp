#include "thread_level/gcc_plugin/given_sizes.h"

#include <algorithm>
#include <string>

#include "thread_level/gcc_plugin/number_keepers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// The member that the number is read from, in what is set once and nowhere else; null: none.
/// `read`: where.
tree member_read(Values& values, SourceWalk& source, tree operand, const gimple*& read) {
    constexpr int most_copies = 4;
    for (int i = 0; i < most_copies && operand != NULL_TREE; ++i) {
        operand = strip(operand);
        if (TREE_CODE(operand) == COMPONENT_REF) return operand;
        if (!is_local_name(operand)) return NULL_TREE;
        const VariableUse* use = source.use_of(operand);
        const bool is_known = use == nullptr || (!use->escapes && use->handed_over.empty());
        const Located* made = is_known ? values.only_definition(operand) : nullptr;
        if (made == nullptr || !is_copying(made->statement)) return NULL_TREE;
        read = made->statement;
        operand = gimple_assign_rhs1(made->statement);
    }
    return NULL_TREE;
}

location_t place_in_source(const gimple* statement) {
    return get_pure_location(line_table, gimple_location(statement));
}

/// The only call of the function that gives teams a size; null: there are several, or none.
const gimple* only_set(const SourceWalk& source) {
    const gimple* only = nullptr;
    for (const Located& at : source.any_calls) {
        const tree function = gimple_call_fndecl(at.statement);
        const bool is_set = function != NULL_TREE && gimple_call_num_args(at.statement) == 1 &&
                            declared_name(function).starts_with("omp_set_num_threads");
        if (!is_set) continue;
        if (only != nullptr) return nullptr;
        only = at.statement;
    }
    return only;
}

}  // namespace

GivenSize given_size(Gathering& gathering,
                     Values& values,
                     SourceWalk& source,
                     const Located& parallel) {
    GivenSize given;
    const tree clause =
        omp_find_clause(gimple_omp_parallel_clauses(parallel.statement), OMP_CLAUSE_NUM_THREADS);
    tree number = clause == NULL_TREE ? NULL_TREE : OMP_CLAUSE_NUM_THREADS_EXPR(clause);
    const gimple* read = parallel.statement;
    if (clause == NULL_TREE) {
        read = given.call = only_set(source);
        if (read != nullptr) number = gimple_call_arg(read, 0);
    }
    const tree member = member_read(values, source, number, read);
    if (member == NULL_TREE || name_of_type(DECL_CONTEXT(TREE_OPERAND(member, 1))).empty())
        return {};
    const tree field = TREE_OPERAND(member, 1);
    const bool is_written = std::ranges::any_of(source.member_writes, [&](const Located& at) {
        const tree written = gimple_get_lhs(at.statement);
        return TREE_CODE(written) == COMPONENT_REF && TREE_OPERAND(written, 1) == field &&
               place_in_source(at.statement) >= place_in_source(read);
    });
    if (is_written) return {};
    given.member = gathering.intern(member_name(member));
    gathering.given_sizes.emplace(given.member, DECL_UID(field));
    return given;
}

void settle_given_sizes(Gathering& gathering) {
    std::erase_if(gathering.given_sizes, [&](const auto& given) {
        return gathering.team_writes.in_teams.contains(given.second);
    });
    for (Function& function : gathering.unit.functions) {
        for (Region& region : function.regions) {
            const bool is_parallel = region.kind == RegionKind::Parallel;
            if (is_parallel && !gathering.given_sizes.contains(region.name)) region.name = 0;
        }
    }
}

void take_for_size(Region& guard) {
    const bool is_below_two = guard.condition == Condition::LevelBelow && guard.number == 2;
    guard.condition = is_below_two ? Condition::OneThread : Condition::None;
    guard.number = 0;
    guard.wrapper = guard.tested.name;
    guard.tested = {};
}

bool settle_size_guard(const Gathering& gathering, Region& guard) {
    if (guard.kind != RegionKind::Guard || guard.wrapper == 0) return false;
    if (gathering.given_sizes.contains(guard.wrapper)) return true;
    if (guard.condition != Condition::OneThread || gathering.level_flags.contains(guard.wrapper))
        return false;
    if (!is_shared_keeper(gathering, guard.wrapper)) guard.condition = Condition::None;
    return true;
}

}  // namespace mqinspect::thread_level::plugin
