#include "thread_level/gcc_plugin/prepared.h"
// Behind what includes the standard library.
#include "thread_level/gcc_plugin/continued_lines.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What if(...) and num_threads(...) make of the team.
Team team_of(Values& values, tree clauses) {
    Team team = Team::Always;
    for (tree clause = clauses; clause != NULL_TREE; clause = OMP_CLAUSE_CHAIN(clause)) {
        if (OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_IF) {
            const auto value = values.constant(OMP_CLAUSE_IF_EXPR(clause));
            if (value && *value == 0) return Team::Never;
            if (!value) team = Team::Perhaps;
        } else if (OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_NUM_THREADS) {
            const auto value = values.constant(OMP_CLAUSE_NUM_THREADS_EXPR(clause));
            if (value && *value == 1) return Team::Never;
        }
    }
    return team;
}

/// The constant of num_threads(...), which a team never exceeds; 0: there is none.
std::int64_t most_threads(Values& values, tree clauses) {
    const tree clause = omp_find_clause(clauses, OMP_CLAUSE_NUM_THREADS);
    if (clause == NULL_TREE) return 0;
    return values.constant(OMP_CLAUSE_NUM_THREADS_EXPR(clause)).value_or(0);
}

std::vector<Dependence> dependences_of(Values& values, tree clauses, ContextId context) {
    std::vector<Dependence> dependences;
    for (tree clause = clauses; clause != NULL_TREE; clause = OMP_CLAUSE_CHAIN(clause)) {
        if (OMP_CLAUSE_CODE(clause) != OMP_CLAUSE_DEPEND) continue;
        const auto kind = OMP_CLAUSE_DEPEND_KIND(clause);
        if (kind != OMP_CLAUSE_DEPEND_IN && kind != OMP_CLAUSE_DEPEND_OUT &&
            kind != OMP_CLAUSE_DEPEND_INOUT && kind != OMP_CLAUSE_DEPEND_MUTEXINOUTSET)
            continue;
        Dependence dependence;
        dependence.on = values.object_at(OMP_CLAUSE_DECL(clause), context);
        dependence.writes = kind != OMP_CLAUSE_DEPEND_IN;
        dependences.push_back(dependence);
    }
    return dependences;
}

RegionKind kind_of_masked(Values& values, const gimple* construct) {
    const tree filter = omp_find_clause(gimple_omp_masked_clauses(construct), OMP_CLAUSE_FILTER);
    if (filter == NULL_TREE) return RegionKind::Master;
    // Each thread asks for itself, and gets in.
    if (values.is_thread_number(OMP_CLAUSE_FILTER_EXPR(filter))) return RegionKind::Function;
    const auto thread = values.constant(OMP_CLAUSE_FILTER_EXPR(filter));
    return thread && *thread == 0 ? RegionKind::Master : RegionKind::Masked;
}

RegionKind kind_of_loop(const gimple* construct) {
    switch (gimple_omp_for_kind(construct)) {
        case GF_OMP_FOR_KIND_FOR:
            return RegionKind::Loop;
        case GF_OMP_FOR_KIND_TASKLOOP: {
            // The outer of the two loops around the task waits, as a taskgroup would.
            const tree clauses = gimple_omp_for_clauses(construct);
            return gimple_omp_for_combined_into_p(construct) ||
                           omp_find_clause(clauses, OMP_CLAUSE_NOGROUP) != NULL_TREE
                       ? RegionKind::Function
                       : RegionKind::Taskgroup;
        }
        default:
            return RegionKind::Function;
    }
}

RegionKind kind_of(Values& values, const gimple* construct) {
    switch (gimple_code(construct)) {
        case GIMPLE_OMP_PARALLEL:
            return RegionKind::Parallel;
        case GIMPLE_OMP_TEAMS:
            return RegionKind::Teams;
        case GIMPLE_OMP_SINGLE:
            return RegionKind::Single;
        case GIMPLE_OMP_MASTER:
            return RegionKind::Master;
        case GIMPLE_OMP_MASKED:
            return kind_of_masked(values, construct);
        case GIMPLE_OMP_SECTIONS:
            return RegionKind::Sections;
        case GIMPLE_OMP_SECTION:
            return RegionKind::Section;
        case GIMPLE_OMP_FOR:
            return kind_of_loop(construct);
        case GIMPLE_OMP_CRITICAL:
            return RegionKind::Critical;
        case GIMPLE_OMP_TASKGROUP:
            return RegionKind::Taskgroup;
        case GIMPLE_OMP_SCOPE:
            return RegionKind::Scope;
        case GIMPLE_OMP_ORDERED: {
            const auto* ordered = as_a<const gomp_ordered*>(construct);
            const bool stands_alone = omp_find_clause(gimple_omp_ordered_clauses(ordered),
                                                      OMP_CLAUSE_DEPEND) != NULL_TREE;
            return stands_alone ? RegionKind::Function : RegionKind::Ordered;
        }
        case GIMPLE_OMP_TASK:
            return gimple_omp_task_taskloop_p(construct) ? RegionKind::Taskloop : RegionKind::Task;
        default:
            return RegionKind::Function;
    }
}

/// Whether the value of one of the clauses is that constant.
bool has_constant(Values& values, tree clauses, omp_clause_code code, std::int64_t constant) {
    const tree clause = omp_find_clause(clauses, code);
    return clause != NULL_TREE && values.constant(OMP_CLAUSE_OPERAND(clause, 0)) == constant;
}

/// Whether tasks of the context are executed at once, by who makes them: that of a final one are.
bool is_in_final_task(const SourceWalk& source, Values& values, ContextId context) {
    for (; context != 0; context = source.contexts[context].parent) {
        const gimple* construct = source.contexts[context].construct;
        const auto code = gimple_code(construct);
        if (code == GIMPLE_OMP_PARALLEL || code == GIMPLE_OMP_TEAMS) return false;
        const tree clauses =
            code == GIMPLE_OMP_TASK ? gimple_omp_taskreg_clauses(construct) : NULL_TREE;
        if (has_constant(values, clauses, OMP_CLAUSE_FINAL, 1)) return true;
    }
    return false;
}

/// Whether the schedule does not tell which thread executes an iteration.
bool is_by_any_thread(const gimple* construct) {
    const auto* loop = dyn_cast<const gomp_for*>(construct);
    if (loop == nullptr) return false;
    const tree schedule = omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE_SCHEDULE);
    if (schedule == NULL_TREE) return false;
    const int kind = OMP_CLAUSE_SCHEDULE_KIND(schedule) & OMP_CLAUSE_SCHEDULE_MASK;
    return kind == OMP_CLAUSE_SCHEDULE_DYNAMIC || kind == OMP_CLAUSE_SCHEDULE_GUIDED;
}

}  // namespace

Region make_region(Gathering& gathering,
                   Values& values,
                   const SourceWalk& source,
                   const Located& at) {
    gimple* construct = at.statement;
    Region region;
    region.kind = kind_of(values, construct);
    region.place = gathering.place(location_of_construct(construct));
    switch (region.kind) {
        case RegionKind::Parallel:
        case RegionKind::Task:
        case RegionKind::Taskloop: {
            const tree clauses = gimple_omp_taskreg_clauses(construct);
            region.team = team_of(values, clauses);
            if (region.kind == RegionKind::Parallel) region.number = most_threads(values, clauses);
            region.dependences = dependences_of(values, clauses, at.context);
            if (region.kind == RegionKind::Parallel) break;
            if (gimple_omp_task_taskwait_p(construct) ||
                is_in_final_task(source, values, at.context))
                region.team = Team::Never;
            // Several that are not deferred, one after the other, are as good as one.
            if (region.team == Team::Never) region.kind = RegionKind::Task;
            if (omp_find_clause(clauses, OMP_CLAUSE_UNTIED) == NULL_TREE) region.number = kTied;
            break;
        }
        case RegionKind::Critical: {
            const tree name = gimple_omp_critical_name(as_a<gomp_critical*>(construct));
            if (name != NULL_TREE) region.name = gathering.intern(IDENTIFIER_POINTER(name));
            break;
        }
        case RegionKind::Loop:
            if (is_by_any_thread(construct)) region.number = kByAnyThread;
            break;
        default:
            break;
    }
    return region;
}

bool is_in_team_of_two(const std::vector<Region>& regions, RegionId region) {
    while (region != kNone && regions[region].kind != RegionKind::Parallel)
        region = regions[region].parent;
    return region != kNone && regions[region].number == 2;
}

void narrow_to_team(const std::vector<Region>& regions, Region& guard) {
    if (guard.condition != Condition::ThreadIsNotZero || !is_in_team_of_two(regions, guard.parent))
        return;
    guard.condition = Condition::ThreadIsOther;
    guard.number = 1;
}

}  // namespace mqinspect::thread_level::plugin
