#include "thread_level/facts/print.h"

#include <string_view>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

std::string_view name_of(RegionKind kind) {
    switch (kind) {
        case RegionKind::Function:
            return "function";
        case RegionKind::Parallel:
            return "parallel";
        case RegionKind::Teams:
            return "teams";
        case RegionKind::Single:
            return "single";
        case RegionKind::Master:
            return "master";
        case RegionKind::Masked:
            return "masked";
        case RegionKind::Sections:
            return "sections";
        case RegionKind::Section:
            return "section";
        case RegionKind::Loop:
            return "loop";
        case RegionKind::Ordered:
            return "ordered";
        case RegionKind::Critical:
            return "critical";
        case RegionKind::Task:
            return "task";
        case RegionKind::Taskloop:
            return "taskloop";
        case RegionKind::Taskgroup:
            return "taskgroup";
        case RegionKind::Scope:
            return "scope";
        case RegionKind::Guard:
            return "guard";
    }
    return "?";
}

std::string_view name_of(Condition condition) {
    switch (condition) {
        case Condition::None:
            return "none";
        case Condition::ThreadIsZero:
            return "thread-is-zero";
        case Condition::ThreadIsOther:
            return "thread-is-other";
        case Condition::ThreadIsNotZero:
            return "thread-is-not-zero";
        case Condition::IsMainThread:
            return "is-main-thread";
        case Condition::IsNotMainThread:
            return "is-not-main-thread";
        case Condition::NotInParallel:
            return "not-in-parallel";
        case Condition::InParallel:
            return "in-parallel";
        case Condition::OneThread:
            return "one-thread";
        case Condition::SeveralThreads:
            return "several-threads";
        case Condition::LevelAtLeast:
            return "level-at-least";
        case Condition::LevelBelow:
            return "level-below";
        case Condition::ArgumentIs:
            return "argument-is";
        case Condition::ArgumentIsNot:
            return "argument-is-not";
        case Condition::OuterIsZero:
            return "outer-is-zero";
        case Condition::DrewNumber:
            return "drew-number";
        case Condition::ArgumentIsShared:
            return "argument-is-shared";
        case Condition::ArgumentIsPositive:
            return "argument-is-positive";
        case Condition::ArgumentIsNotPositive:
            return "argument-is-not-positive";
        case Condition::Initialized:
            return "initialized";
        case Condition::NotInitialized:
            return "not-initialized";
        case Condition::MadeBefore:
            return "made-before";
        case Condition::ArgumentIsOrLeftOut:
            return "argument-is-or-left-out";
        case Condition::NoThread:
            return "no-thread";
    }
    return "?";
}

std::string_view name_of(Turn turn) {
    switch (turn) {
        case Turn::No:
            return "no-turn";
        case Turn::Is:
            return "is";
        case Turn::IsNot:
            return "is-not";
        case Turn::Written:
            return "written";
        case Turn::Posted:
            return "posted";
        case Turn::Counted:
            return "counted";
        case Turn::Passed:
            return "passed";
        case Turn::InOrder:
            return "in-order";
        case Turn::Begun:
            return "begun";
    }
    return "?";
}

std::string_view name_of(StepKind kind) {
    switch (kind) {
        case StepKind::Join:
            return "join";
        case StepKind::Enter:
            return "enter";
        case StepKind::Leave:
            return "leave";
        case StepKind::Barrier:
            return "barrier";
        case StepKind::Taskwait:
            return "taskwait";
        case StepKind::Acquire:
            return "acquire";
        case StepKind::Release:
            return "release";
        case StepKind::Mpi:
            return "mpi";
        case StepKind::Call:
            return "call";
        case StepKind::Indirect:
            return "indirect";
        case StepKind::StartThread:
            return "start-thread";
        case StepKind::JoinThread:
            return "join-thread";
        case StepKind::Way:
            return "way";
        case StepKind::Keep:
            return "keep";
        case StepKind::Exit:
            return "exit";
    }
    return "?";
}

std::string_view name_of(Returns returns) {
    switch (returns) {
        case Returns::Other:
            return "other";
        case Returns::ThreadNumber:
            return "thread-number";
        case Returns::TeamSize:
            return "team-size";
        case Returns::InParallel:
            return "in-parallel";
        case Returns::IsMainThread:
            return "is-main-thread";
        case Returns::IsThreadZero:
            return "is-thread-zero";
        case Returns::IsInitialized:
            return "is-initialized";
        case Returns::IsNotThreadZero:
            return "is-not-thread-zero";
        case Returns::DrewNumber:
            return "drew-number";
        case Returns::DrewFirst:
            return "drew-first";
        case Returns::Never:
            return "never";
    }
    return "?";
}

class Printer {
public:
    explicit Printer(const Unit& unit) : unit_(unit) {}

    void unit_line();
    void variable(const Variable& variable);
    void function(const Function& function);
    void value(const Value& value);
    void index_of(const Value& value);
    void hashes(std::string_view name, const std::vector<std::uint32_t>& list);
    void names();
    std::string text() && { return std::move(text_); }

private:
    void region(const Function& function, RegionId id);
    void step(const Function& function, StepId id);
    void arguments(const MpiArguments& mpi);

    const std::string& string(StringId id) const { return unit_.strings[id]; }
    Printer& add(std::string_view text) {
        text_ += text;
        return *this;
    }
    Printer& add(std::uint32_t number) { return add(std::string_view(std::to_string(number))); }
    void word(std::string_view text) { add(" ").add(text); }
    void flag(std::string_view text, bool is_set) {
        if (is_set) word(text);
    }
    void named(std::string_view key, StringId id) {
        if (id != 0) add(" ").add(key).add("=").add(string(id));
    }
    void place(const Place& place) {
        if (place.line == 0) return;
        add(" ").add(string(place.file)).add(":").add(place.line);
        if (place.column != 0) add(":").add(place.column);
    }
    void argument(std::string_view key, const Value& argument) {
        if (argument == Value{}) return;
        add(" ").add(key).add("=");
        value(argument);
    }

    const Unit& unit_;
    std::string text_;
};

void Printer::unit_line() {
    add("unit");
    if (unit_.source != 0) word(string(unit_.source));
    flag("openmp", unit_.openmp);
    add("\n");
}

void Printer::names() {
    for (const StringId symbol : unit_.taken)
        add("taken ").add(string(symbol)).add("\n");
    for (const StringId member : unit_.numbers)
        add("number ").add(string(member)).add("\n");
    hashes("other-numbers", unit_.other_numbers);
    for (const NumberWriter& each : unit_.writers)
        add("writer ").add(each.function).add(" of ").add(each.variable).add("\n");
    for (const SignatureCast& cast : unit_.casts)
        add("cast ").add(string(cast.from)).add(" to ").add(string(cast.to)).add("\n");
    for (const PointedFunction& each : unit_.pointed) {
        add("pointer ").add(string(each.pointer)).add(" to ").add(string(each.function));
        flag("shared", each.is_shared);
        add("\n");
    }
}

void Printer::hashes(std::string_view name, const std::vector<std::uint32_t>& list) {
    if (list.empty()) return;
    add(name);
    for (const std::uint32_t hash : list)
        add(" ").add(hash);
    add("\n");
}

void Printer::variable(const Variable& variable) {
    add("variable ").add(string(variable.name));
    flag("local", variable.is_local);
    add(" creations=").add(variable.creations).add(" writes=").add(variable.other_writes);
    if (variable.has_constant) {
        add(" constant=").add(std::string_view(std::to_string(variable.constant)));
    }
    flag("provided", variable.holds_provided);
    flag("changes-in-team", variable.changes_in_team);
    if (is_level_flag(variable)) {
        add(" level-if-true=").add(std::string_view(std::to_string(variable.level_if_true)));
        add(" level-if-false=").add(std::string_view(std::to_string(variable.level_if_false)));
    }
    add("\n");
}

/// Of an element.
void Printer::index_of(const Value& value) {
    if (value.number == 1) word("by-thread");
    if (is_counted_by_each(value))
        word("counted-by-each-from=" + std::to_string(value.number - kCountedByEach));
    if (is_shifted_by_thread(value))
        word("by-thread-plus=" + std::to_string(value.number - kByThread));
    if (is_shared_by_threads(value))
        word("by-threads-apart=" + std::to_string(value.number - kSharedByThreads));
}

void Printer::value(const Value& value) {
    switch (value.kind) {
        case Value::Kind::Unknown:
            add("?");
            return;
        case Value::Kind::Constant:
            add(std::string_view(std::to_string(value.number)));
            return;
        case Value::Kind::Predefined:
            add(string(value.name));
            return;
        case Value::Kind::Global:
            add("global ");
            break;
        case Value::Kind::Local:
            add(is_same_for_all(value) ? "same-for-all local " : "local ");
            break;
        case Value::Kind::Parameter:
            add("parameter ").add(std::string_view(std::to_string(value.number)));
            if (value.name != 0) word(string(value.name));
            return;
        case Value::Kind::Element:
            add("element ");
            break;
        case Value::Kind::ThreadNumber:
            add("thread-number");
            if (value.number == kIsZero) word("is-zero");
            if (value.number == kIsNotZero) word("is-not-zero");
            if (value.number == kIndexOfLoop) word("index-of-loop");
            if (value.number > kIndexOfLoop)
                word("plus=" + std::to_string(value.number - kSumOfNumber));
            flag("at-most", value.created_once);
            if (value.name != 0) word(string(value.name));
            return;
        case Value::Kind::Counted:
            add("counted-from ").add(std::string_view(std::to_string(value.number)));
            flag("object", is_number_of_object(value));
            if (value.name != 0) word(string(value.name));
            return;
        case Value::Kind::SameForAll:
            add("same-for-all");
            if (value.name != 0) word(string(value.name));
            return;
        case Value::Kind::Function:
            add(value.number == kIdleFunction ? "idle function " : "function ");
            if (value.is_shared)
                add("in ").add(std::string_view(std::to_string(value.number))).add(" ");
            break;
    }
    add(string(value.name));
    if (value.kind == Value::Kind::Element) index_of(value);
    flag("created-once", value.created_once);
    flag("shared", value.is_shared);
}

void Printer::function(const Function& function) {
    add("function ").add(string(function.symbol));
    if (function.name != function.symbol) named("name", function.name);
    place(function.place);
    flag("local", function.is_local);
    flag("mergeable", function.is_mergeable);
    flag("address-taken", function.address_taken);
    flag("runs-at-start", function.runs_at_start);
    named("type", function.type);
    for (const StringId slot : function.overrides)
        named("overrides", slot);
    if (function.returns != Returns::Other) add(" returns=").add(name_of(function.returns));
    argument("result", function.result);
    add("\n");
    for (RegionId id = 0; id < function.regions.size(); ++id)
        region(function, id);
    for (StepId id = 0; id < function.steps.size(); ++id)
        step(function, id);
}

void Printer::region(const Function& function, RegionId id) {
    const Region& region = function.regions[id];
    add("  region ").add(id).add(" ").add(name_of(region.kind));
    if (region.parent != kNone) add(" in ").add(region.parent);
    place(region.place);
    flag("barrier", region.barrier_at_end);
    flag("never", region.team == Team::Never);
    flag("perhaps", region.team == Team::Perhaps);
    named("name", region.name);
    if (region.condition != Condition::None) word(name_of(region.condition));
    named("wrapper", region.wrapper);
    if (region.number != 0) {
        add(" number=").add(std::string_view(std::to_string(region.number)));
    }
    argument("tested", region.tested);
    argument("limit", region.limit);
    for (const Dependence& each : region.dependences)
        argument(each.writes ? "out" : "in", each.on);
    add("\n");
}

void Printer::arguments(const MpiArguments& mpi) {
    argument("communicator", mpi.communicator);
    argument("peer", mpi.peer);
    argument("tag", mpi.tag);
    argument("object", mpi.object);
    argument("level", mpi.level);
    flag("tests-provided", mpi.tests_provided);
}

void Printer::step(const Function& function, StepId id) {
    const Step& step = function.steps[id];
    add("  step ").add(id).add(" ").add(name_of(step.kind));
    if (step.target != kNone) add(" ").add(step.target);
    if (step.name != 0) word(string(step.name));
    add(" in ").add(step.region);
    place(step.place);
    flag("virtual", step.is_virtual);
    flag("by-type", step.is_by_type);
    if (step.turn != Turn::No) word(name_of(step.turn));
    flag("conditional", step.is_conditional);
    flag("fills-variable", step.fills_variable);
    flag("library", step.is_library);
    flag("checked", step.is_checked);
    if (step.moved != 0) add(" moved=").add(step.moved);
    flag("spares-moved", step.spares_moved);
    flag("unwinding", step.is_unwinding);
    flag("caught", step.is_caught);
    argument("value", step.value);
    arguments(step.mpi);
    for (std::size_t at = 0; at < step.arguments.size(); ++at)
        argument(std::to_string(at), step.arguments[at]);
    argument("callee", step.callee);
    named("class", step.object_class);
    for (const StringId callback : step.callbacks)
        named("callback", callback);
    if (!step.next.empty()) word("->");
    for (const StepId next : step.next)
        add(" ").add(next);
    add("\n");
}

}  // namespace

std::string print(const Unit& unit) {
    Printer printer(unit);
    printer.unit_line();
    for (const Variable& variable : unit.variables)
        printer.variable(variable);
    for (const Function& function : unit.functions)
        printer.function(function);
    printer.hashes("idle", unit.idle);
    printer.names();
    return std::move(printer).text();
}

std::string print(const Unit& unit, const Function& function) {
    Printer printer(unit);
    printer.function(function);
    return std::move(printer).text();
}

std::string print(const Unit& unit, const Value& value) {
    Printer printer(unit);
    printer.value(value);
    return std::move(printer).text();
}

}  // namespace mqinspect::thread_level
