#include "thread_level/analysis/joined_threads.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace mqinspect::thread_level {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMostThreads =
    8;  // that are told apart where a function leaves or joins them
constexpr std::string_view kAnyMember = "?";

/// Where a thread is kept.
struct Keeper {
    Kind kind = Kind::Unknown;  ///< Local or Global: a variable; Element: in some object
    std::string path;           ///< of a variable, with its members
    std::string member;         ///< the last one, or "class::member"
    bool has_class = false;
    std::int64_t futures = 0;  ///< Constant: what of, bits
};

/// Or what an index is below.
bool is_number(std::string_view text) {
    if (text.starts_with('<')) text.remove_prefix(1);
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
        return std::isdigit(static_cast<unsigned char>(letter)) != 0;
    });
}

/// Of "pool@3.workers.2": "workers".
std::string last_member(std::string_view path) {
    for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos; dot = path.rfind('.')) {
        const std::string_view part = path.substr(dot + 1);
        if (!is_number(part)) return std::string(part);
        path = path.substr(0, dot);
    }
    return {};
}

std::string without_class(std::string_view member) {
    const std::size_t end = member.rfind("::");
    return std::string(end == std::string_view::npos ? member : member.substr(end + 2));
}

Keeper keeper_of(const Operand& thread, const Strings& strings) {
    const Value& value = thread.value;
    const std::string& name = strings[value.name];
    Keeper keeper;
    keeper.kind = value.kind;
    keeper.futures = value.number;
    const bool is_array = value.kind == Kind::Element && name.find("::") == std::string::npos;
    if (name.find(kResult) != std::string::npos) {
        keeper.kind = Kind::Unknown;
        return keeper;
    }
    if (value.kind == Kind::Local || value.kind == Kind::Global || is_array) {
        if (is_array)
            keeper.kind = name.find('@') == std::string::npos ? Kind::Global : Kind::Local;
        keeper.path = name;
        if (thread.field != 0) keeper.path += '.' + without_class(strings[thread.field]);
        keeper.member = last_member(keeper.path);
    } else if (value.kind == Kind::Element || value.kind == Kind::Parameter) {
        keeper.has_class = !name.empty();
        keeper.member = name.empty() ? kAnyMember : std::string_view(name);
    } else if (value.kind != Kind::Constant) {
        keeper.kind = Kind::Unknown;
    }
    return keeper;
}

/// Of numbers without leading zeros.
bool is_below(std::string_view number, std::string_view limit) {
    return number.size() < limit.size() || (number.size() == limit.size() && number < limit);
}

/// Whether one of the paths goes on where the other one ends.
bool is_part(std::string_view path, std::string_view whole) {
    if (whole.ends_with(".?")) whole.remove_suffix(2);
    const std::size_t limit = whole.rfind(".<");
    if (limit != std::string_view::npos) {
        const std::string_view number = path.substr(std::min(limit + 1, path.size()));
        if (path.starts_with(whole.substr(0, limit + 1)) && is_number(number) &&
            !number.starts_with('<'))
            return is_below(number, whole.substr(limit + 2));
        whole = whole.substr(0, limit);
    }
    return path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
}

bool is_variable(const Keeper& keeper) {
    return keeper.kind == Kind::Local || keeper.kind == Kind::Global;
}

bool may_be_same_member(const Keeper& a, const Keeper& b) {
    if (a.member == kAnyMember || b.member == kAnyMember) return true;
    if (a.has_class && b.has_class) return a.member == b.member;
    return without_class(a.member) == without_class(b.member);
}

}  // namespace

bool may_be_same_thread(const Operand& a, const Operand& b, const Strings& strings) {
    const Keeper first = keeper_of(a, strings);
    const Keeper second = keeper_of(b, strings);
    if (first.kind == Kind::Unknown || second.kind == Kind::Unknown) return true;
    if (first.kind == Kind::Constant || second.kind == Kind::Constant)
        return first.kind == second.kind && (first.futures & second.futures) != 0;
    if (is_variable(first) && is_variable(second)) {
        if (first.kind != second.kind) return false;
        if (first.kind == Kind::Local && a.owner != b.owner) return false;
        return is_part(first.path, second.path) || is_part(second.path, first.path);
    }
    const bool is_any_parameter = first.kind == Kind::Parameter || second.kind == Kind::Parameter;
    const bool is_any_local = first.kind == Kind::Local || second.kind == Kind::Local;
    if (is_any_parameter && is_any_local) return false;
    if (first.kind == Kind::Parameter && first.kind == second.kind &&
        a.value.number != b.value.number)
        return false;
    return may_be_same_member(first, second);
}

Operand thread_outside(const Operand& thread, const Step& call, FunctionId caller) {
    if (call.kind == StepKind::StartThread) return {.value = call.value, .owner = caller};
    const bool is_container = call.kind == StepKind::Call && !call.is_conditional;
    if (is_container && call.value.kind != Kind::Unknown)
        return {.value = call.value, .owner = caller};
    if (thread.value.kind != Kind::Parameter) return thread;
    const Operand outside = argument_for(thread, call, caller);
    const bool goes_away = call.moved != 0 && outside.value.kind == Kind::Local;
    if (!goes_away) return outside;
    // It is joined where the object is by then, by a name that is not known here.
    Value member;
    member.kind = outside.field == 0 ? Kind::Unknown : Kind::Element;
    member.name = outside.field;
    return {.value = member, .owner = caller};
}

void add_thread(std::vector<Operand>& threads, const Operand& thread) {
    if (std::find(threads.begin(), threads.end(), thread) != threads.end()) return;
    if (threads.size() < kMostThreads) {
        threads.push_back(thread);
    } else {
        threads.back() = {};
    }
}

void add_threads(std::vector<Operand>& threads, const std::vector<Operand>& more) {
    for (const Operand& each : more)
        add_thread(threads, each);
}

void hand_threads(std::vector<Operand>& threads,
                  const std::vector<Operand>& callee,
                  const Step& call,
                  FunctionId caller) {
    for (const Operand& each : callee)
        add_thread(threads, thread_outside(each, call, caller));
}

}  // namespace mqinspect::thread_level
