#include "thread_level/gcc_plugin/member_handles.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/facts/hash.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/kept_arguments.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// A member of the kind, of a type that no other source has, which could write to it, too; null: it
/// is something else.
tree member_in(tree reference) {
    if (TREE_CODE(reference) != COMPONENT_REF) return NULL_TREE;
    const tree field = TREE_OPERAND(reference, 1);
    return is_communicator(TREE_TYPE(field)) && is_of_this_source(field) ? reference : NULL_TREE;
}

/// As values call it where the object is got by a pointer.
StringId name_of(tree reference, Gathering& gathering) {
    const tree type = TREE_TYPE(TREE_OPERAND(reference, 0));
    return gathering.intern(std::string(name_of_type(type)) +
                            "::" + own_name(TREE_OPERAND(reference, 1)));
}

/// A number for what is written, the same for the same; nothing: it may be another one each time.
std::optional<std::int64_t> identity_of(const Value& value,
                                        StringId function,
                                        const Gathering& gathering) {
    const std::string& name = gathering.unit.strings[value.name];
    using Kind = Value::Kind;
    if (value.kind == Kind::Predefined) return identity_of_predefined(name);
    if (value.kind != Kind::Local && value.kind != Kind::Global) return std::nullopt;
    const std::string whole = gathering.unit.strings[function] + name;
    return kFirstText | static_cast<std::int64_t>(hash_of(whole) & 0xffff'ffffU);
}

void write(Variable& member, std::optional<std::int64_t> identity) {
    const bool is_first = member.other_writes == 0;
    ++member.other_writes;
    const bool agrees =
        identity && (is_first || (member.has_constant && member.constant == identity));
    member.has_constant = agrees;
    member.constant = agrees ? *identity : 0;
}

/// Local variables are another one each time; an element by the thread number is each thread's.
void write(std::unordered_map<StringId, Value>& handles, StringId name, const Value& value) {
    using Kind = Value::Kind;
    const bool is_known = value.kind == Kind::Predefined || value.kind == Kind::Global ||
                          (value.kind == Kind::Element && value.number == 1);
    const auto [known, is_new] = handles.try_emplace(name, value);
    if (!is_known || (!is_new && known->second != value)) known->second = {};
}

bool is_null(const Value& value, const Gathering& gathering) {
    return value.kind == Value::Kind::Predefined &&
           gathering.unit.strings[value.name] == "MPI_COMM_NULL";
}

bool is_freed(const gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE) return false;
    const std::string_view name = IDENTIFIER_POINTER(DECL_NAME(callee));
    return name.ends_with("MPI_Comm_free") || name.ends_with("MPI_Comm_disconnect");
}

/// Of a call that gets the address of such a member: it makes one, or may write any.
void note_call(Gathering& gathering, gimple* call) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        if (TREE_CODE(argument) != ADDR_EXPR) continue;
        const tree member = member_in(TREE_OPERAND(argument, 0));
        if (member == NULL_TREE) continue;
        if (is_freed(call)) continue;
        ++gathering.member_handles[name_of(member, gathering)].creations;
    }
}

}  // namespace

bool is_communicator(tree type) {
    return written_name(type) == "MPI_Comm";
}

namespace {

/// What the calls of the unit hand to a function, which is the only one that has them.
class HandedHandles {
public:
    explicit HandedHandles(Gathering& gathering) : gathering_(gathering), bodies_(gathering) {
        for (const Function& caller : gathering.unit.functions) {
            for (const Step& step : caller.steps) {
                if (step.kind != StepKind::Call) continue;
                calls_[bodies_.body_of(step.name)].emplace_back(bodies_.body_of(caller.symbol),
                                                                &step);
            }
        }
    }

    /// Nothing: they are not one and the same, or not known.
    std::optional<std::int64_t> identity(StringId function, std::int64_t position, int depth) {
        const auto calls = calls_.find(bodies_.body_of(function));
        if (depth <= 0 || calls == calls_.end()) return std::nullopt;
        std::optional<std::int64_t> all;
        for (const auto& [caller, step] : calls->second) {
            // As one that has the body is called by the others.
            if (caller == calls->first) continue;
            const auto at = static_cast<std::size_t>(position);
            const Value value = at < step->arguments.size() ? step->arguments[at] : Value{};
            const auto one = is_whole_parameter(value) ? identity(caller, value.number, depth - 1)
                                                       : identity_of(value, caller, gathering_);
            if (!one || (all && *all != *one)) return std::nullopt;
            all = one;
        }
        return all;
    }

private:
    const Gathering& gathering_;
    Bodies bodies_;
    std::unordered_map<StringId, std::vector<std::pair<StringId, const Step*>>> calls_;
};

}  // namespace

void settle_handed_handles(Gathering& gathering) {
    constexpr int most_calls = 8;  // that hand on what they are handed
    if (gathering.handed_handles.empty()) return;
    HandedHandles handed(gathering);
    for (const HandedHandle& each : gathering.handed_handles) {
        write(gathering.member_handles[each.member],
              handed.identity(each.function, each.position, most_calls));
    }
}

Value own_handle(Gathering& gathering, tree variable) {
    Value value;
    const tree initial = DECL_INITIAL(variable);
    const bool is_set = initial != NULL_TREE && !integer_zerop(initial);
    if (is_set || !is_communicator(TREE_TYPE(variable))) return value;
    value.kind = Value::Kind::Element;
    value.name = gathering.symbol(variable);
    // As no other element. Where others may write it, it may be any.
    value.created_once = !TREE_PUBLIC(variable) && !TREE_ADDRESSABLE(variable);
    return value;
}

void settle_own_handles(Gathering& gathering) {
    const auto settle = [&](Value& value) {
        if (value.kind != Value::Kind::Element || !value.created_once) return;
        const auto written = gathering.own_handles.find(value.name);
        value = written == gathering.own_handles.end() ? Value{} : written->second;
    };
    for (Function& function : gathering.unit.functions)
        for_each_value(function, settle);
}

/// Of what is written to a member: nothing comes of the same member of another object, as when
/// objects are copied, nor of the number 0, which is no communicator.
bool says_nothing(const Value& value, StringId member, const Gathering& gathering) {
    using Kind = Value::Kind;
    const bool is_same =
        (value.kind == Kind::Element || value.kind == Kind::Parameter) && value.name == member;
    const bool is_zero = value.kind == Kind::Constant && value.number == 0;
    return is_same || is_zero || is_null(value, gathering);
}

void note_member_handles(Gathering& gathering, SourceWalk& source, Values& values) {
    for (const auto* writes : {&source.member_writes, &source.pointer_writes}) {
        for (const Located& at : *writes) {
            const tree member = member_in(gimple_assign_lhs(at.statement));
            if (member == NULL_TREE) continue;
            const Value value = is_copying(at.statement)
                                    ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                    : Value{};
            const StringId name = name_of(member, gathering);
            if (says_nothing(value, name, gathering)) continue;
            const StringId function = gathering.symbol(current_function_decl);
            if (is_whole_parameter(value)) {
                gathering.handed_handles.push_back({name, function, value.number});
            } else {
                write(gathering.member_handles[name], identity_of(value, function, gathering));
            }
        }
    }
    for (const Located& at : source.any_calls)
        note_call(gathering, at.statement);
    for (const Located& at : source.own_writes) {
        const tree variable = source.own_variable(gimple_assign_lhs(at.statement));
        const Value name = own_handle(gathering, variable);
        if (name.kind == Value::Kind::Unknown) continue;
        const Value value = is_copying(at.statement)
                                ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                : Value{};
        if (!is_null(value, gathering)) write(gathering.own_handles, name.name, value);
    }
    // Who has its address may write anything.
    for (const Located& at : source.assignments) {
        const tree address = gimple_assign_rhs1(at.statement);
        const tree member =
            TREE_CODE(address) == ADDR_EXPR ? member_in(TREE_OPERAND(address, 0)) : NULL_TREE;
        if (member != NULL_TREE) ++gathering.member_handles[name_of(member, gathering)].creations;
    }
}

}  // namespace mqinspect::thread_level::plugin
