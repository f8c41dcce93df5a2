/// Entry points of the plugin, and the passes that it adds to GCC.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "thread_level/facts/print.h"
#include "thread_level/gcc_plugin/arguments.h"
#include "thread_level/gcc_plugin/completion.h"
#include "thread_level/gcc_plugin/never_returning.h"
#include "thread_level/gcc_plugin/note_section.h"
#include "thread_level/gcc_plugin/report.h"
#include "thread_level/gcc_plugin/run_time_checks.h"
#include "thread_level/gcc_plugin/skeleton.h"

// GCC loads no plugin without this name.
extern "C" {
__attribute__((
    visibility("default"))) int plugin_is_GPL_compatible;  // NOLINT(readability-identifier-naming)
}

namespace mqinspect::thread_level::plugin {
namespace {

/// All that the plugin knows of the unit.
struct Session {
    Arguments arguments;
    Gathering gathering;
    Callees callees{gathering};
    Preparation preparation{gathering, callees};
    RunTimeChecks checks;
};

Session* session = nullptr;

void note_function(function* fun) {
    Preparation& prepared = session->preparation;
    Gathering& gathering = session->gathering;
    if (prepared.function != fun->decl || !prepared.matters) {
        if (!note_without_return(fun, gathering)) gathering.idle.push_back(fun->decl);
        return;
    }
    Skeleton skeleton(gathering, session->callees, prepared);
    Function facts = skeleton.build(fun);
    facts.symbol = gathering.symbol(fun->decl);
    facts.name = gathering.intern(lang_hooks.decl_printable_name(fun->decl, 1));
    facts.place = facts.regions.front().place;
    const auto id = static_cast<FunctionId>(gathering.unit.functions.size());
    if (prepared.returned.wrapper == 0) {
        facts.returns = prepared.returned.returns;
    } else {
        gathering.wrapping_returns.push_back(
            {id, prepared.returned.returns, prepared.returned.wrapper});
    }
    for (StepId step = 0; step < skeleton.statements.size(); ++step) {
        const auto provided = prepared.provided_in.find(skeleton.statements[step]);
        if (provided != prepared.provided_in.end())
            gathering.provided_levels.push_back({id, step, provided->second});
    }
    if (session->arguments.check) {
        session->checks.insert(
            gathering.unit.strings, facts, skeleton.statements, session->callees);
        for (gimple* write : prepared.hand_overs)
            session->checks.insert_turn(write);
    }
    gathering.unit.functions.push_back(std::move(facts));
    gathering.declarations.push_back(fun->decl);
}

constexpr pass_data kBeforeLowering = {
    GIMPLE_PASS, "mpi_thread_source", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_gimple_any, 0, 0, 0, 0};
constexpr pass_data kAfterCfg = {
    GIMPLE_PASS, "mpi_thread_graph", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

class SourcePass : public gimple_opt_pass {
public:
    explicit SourcePass(gcc::context* context) : gimple_opt_pass(kBeforeLowering, context) {}
    unsigned int execute(function* fun) override {
        session->preparation.prepare(fun->decl);
        return 0;
    }
};

class GraphPass : public gimple_opt_pass {
public:
    explicit GraphPass(gcc::context* context) : gimple_opt_pass(kAfterCfg, context) {}
    unsigned int execute(function* fun) override {
        note_function(fun);
        return 0;
    }
};

void add_pass(const char* plugin_name,
              opt_pass* pass,
              const char* reference,
              pass_positioning_ops position) {
    register_pass_info info{pass, reference, 1, position};
    register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

/// Declarations that GCC itself may have no more use for, such as functions that nobody calls.
void keep_declarations(void* /*gcc_data*/, void* /*user_data*/) {
    const Gathering& gathering = session->gathering;
    for (const auto* list : {&gathering.declarations, &gathering.idle}) {
        for (const tree declaration : *list)
            gt_ggc_mx_tree_node(declaration);
    }
    for (const auto& [uid, use] : gathering.globals)
        gt_ggc_mx_tree_node(use.declaration);
    session->checks.mark_used();
}

/// Whether there is something in it that can be wrong. A unit that only calls others has not.
bool has_concern(const Unit& unit) {
    const auto is_construct = [](const Region& region) {
        return region.kind != RegionKind::Function && region.kind != RegionKind::Guard;
    };
    const auto is_event = [](const Step& step) {
        return step.kind != StepKind::Join && step.kind != StepKind::Exit &&
               step.kind != StepKind::Call && step.kind != StepKind::Indirect;
    };
    return std::ranges::any_of(unit.functions, [&](const Function& function) {
        return std::ranges::any_of(function.regions, is_construct) ||
               std::ranges::any_of(function.steps, is_event);
    });
}

void finish_unit(void* /*gcc_data*/, void* /*user_data*/) {
    if (seen_error()) return;
    Gathering& gathering = session->gathering;
    gathering.unit.source =
        gathering.intern(main_input_filename == nullptr ? "" : main_input_filename);
    gathering.unit.openmp = flag_openmp != 0;
    complete(gathering);
    const Arguments& arguments = session->arguments;
    if (arguments.dump) fputs(print(gathering.unit).c_str(), stderr);
    const bool may_warn = !arguments.quiet && has_concern(gathering.unit);
    if (may_warn || arguments.summary || arguments.check) {
        const Assessment assessment = assess(gathering.unit, arguments.settings);
        session->checks.keep_needed(gathering.unit, assessment);
        if (arguments.summary) print_summary(gathering.unit, assessment);
        if (may_warn) report(gathering, assessment, arguments);
    }
    if (!arguments.quiet) report_ignored_directives(gathering.unit);
    if (arguments.notes) write_note_section(std::move(gathering.unit));  // nothing comes after
}

}  // namespace

/// As plugin_init(): 0 if the compiler can go on.
static int initialize(plugin_name_args* arguments, plugin_gcc_version* version) {
    if (!plugin_default_version_check(version, &gcc_version)) {
        fprintf(stderr,
                "mpi_thread_level: made for GCC %s, and this is GCC %s\n",
                gcc_version.basever,
                version->basever);
        return 1;
    }
    if (in_lto_p) return 0;
    session = new Session;  // for as long as the compiler runs
    session->arguments = parse_arguments(*arguments);
    if (!session->arguments.problem.empty()) {
        error("unknown argument of plugin %qs: %qs",
              arguments->base_name,
              session->arguments.problem.c_str());
        return 0;
    }
    const char* name = arguments->base_name;
    add_pass(name, new SourcePass(g), "omplower", PASS_POS_INSERT_BEFORE);
    add_pass(name, new GraphPass(g), "cfg", PASS_POS_INSERT_AFTER);
    register_callback(name, PLUGIN_GGC_MARKING, keep_declarations, nullptr);
    register_callback(name, PLUGIN_ALL_IPA_PASSES_START, finish_unit, nullptr);
    return 0;
}

}  // namespace mqinspect::thread_level::plugin

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args* arguments,
                                                                  plugin_gcc_version* version) {
    return mqinspect::thread_level::plugin::initialize(arguments, version);
}
