#include "analysis/local/handles.h"

#include <algorithm>

#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

namespace {

using model::ParameterKind;
using model::Role;

struct KindWords {
    FindingClass leaked;
    std::string_view noun;
    std::string_view freed_with;
};

KindWords words_of(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::Communicator:
            return {FindingClass::LeakedCommunicator, "communicator", "MPI_Comm_free"};
        case ParameterKind::Operator:
            return {FindingClass::LeakedOperator, "operator", "MPI_Op_free"};
        case ParameterKind::Window:
            return {FindingClass::LeakedWindow, "window", "MPI_Win_free"};
        case ParameterKind::File:
            return {FindingClass::LeakedFile, "file", "MPI_File_close"};
        case ParameterKind::Group:
            return {FindingClass::LeakedGroup, "group", "MPI_Group_free"};
        default:
            return {FindingClass::LeakedDatatype, "datatype", "MPI_Type_free"};
    }
}

}  // namespace

Handles::Handles(model::ProcessId process, const model::Execution& execution, Reporter& reporter)
    : process_(process), execution_(execution), reporter_(reporter) {}

std::int64_t Handles::key_of(ParameterKind kind, const model::Value& value) {
    auto id = static_cast<std::uint64_t>(value.number);
    if (kind == ParameterKind::Group) {
        // Groups have no ids: those of the same members are one.
        id = value.list.size();
        for (const std::int64_t member : value.list)
            id = (id ^ static_cast<std::uint64_t>(member)) * 0x9e37'79b9'7f4a'7c15 + (id >> 29U);
        id >>= 8U;
    }
    return static_cast<std::int64_t>(id ^ (static_cast<std::uint64_t>(kind) << 56U));
}

Handles::State* Handles::find(ParameterKind kind, const model::Value& value) {
    const std::uint32_t place = places_.find(key_of(kind, value));
    return place == IdMap::kNone ? nullptr : &states_[place];
}

bool Handles::is_predefined(ParameterKind kind, std::int64_t id) const {
    const auto at = static_cast<std::size_t>(id);
    if (id < 0) return true;
    if (kind == ParameterKind::Datatype)
        return at >= execution_.datatypes.size() || is_basic(execution_.datatypes[at]);
    if (kind == ParameterKind::Operator)
        return at >= execution_.operators.size() || !execution_.operators[at].name.empty();
    return false;
}

bool Handles::check_use(const CallView& view) {
    bool found = false;
    const auto check = [&](ParameterKind kind, const model::Value& value) {
        const State* const state = find(kind, value);
        if (state == nullptr || !state->live.empty() || !state->freed) return;
        found = true;
        Finding* const finding =
            reporter_.report(FindingClass::UseAfterFree,
                             Severity::Error,
                             process_,
                             {{site_of(view.call)}, {*state->freed, "freed here", false}});
        if (finding == nullptr) return;
        const std::string noun{words_of(kind).noun};
        finding->message =
            view.local.frees ? view.name() + " is given a " + noun + " that has been freed before."
                             : view.name() + " uses a " + noun + " that has been freed.";
    };
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        if (!handle.in || static_cast<std::size_t>(handle.at) >= view.call.before.size()) continue;
        const model::Value& value = view.call.before[static_cast<std::size_t>(handle.at)];
        if (handle.kind == ParameterKind::DatatypeList) {
            for (const std::int64_t id : value.list)
                if (id >= 0) check(ParameterKind::Datatype, {id, {}});
        } else if (handle.kind == ParameterKind::Group || value.number >= 0) {
            check(handle.kind, value);
        }
    }
    return found;
}

const CallSite* Handles::uncommitted(std::int64_t datatype) const {
    const std::uint32_t place = places_.find(key_of(ParameterKind::Datatype, {datatype, {}}));
    if (place == IdMap::kNone || states_[place].live.empty()) return nullptr;
    const auto& live = states_[place].live;
    const bool some =
        std::any_of(live.begin(), live.end(), [](const Live& one) { return one.committed; });
    return some ? nullptr : &live.back().made;
}

/// MPI_Type_dup of a committed datatype (MPI 4.0, 5.1.10).
bool Handles::is_committed_copy(const CallView& view) const {
    const model::Value* const old = view.named("oldtype");
    return view.name() == "MPI_Type_dup" && old != nullptr && uncommitted(old->number) == nullptr;
}

void Handles::add(const CallView& view, ParameterKind kind, const model::Value& value) {
    if (kind == ParameterKind::Group) {
        // MPI_GROUP_EMPTY, MPI_GROUP_NULL
        if (value.list.empty() || value.list[0] < -1) return;
    } else if (is_predefined(kind, value.number)) {
        return;
    }
    State* state = find(kind, value);
    if (state == nullptr) {
        places_.insert(key_of(kind, value), static_cast<std::uint32_t>(states_.size()));
        state = &states_.emplace_back();
        state->kind = kind;
        state->id = value.number;
    }
    const bool lent = view.local.lends_handle;
    state->live.push_back({site_of(view.call), lent || is_committed_copy(view), lent});
    state->freed.reset();
}

void Handles::remove(const CallView& view, ParameterKind kind, const model::Value& value) {
    State* const state = find(kind, value);
    if (state == nullptr || state->live.empty()) return;
    const auto lent = std::find_if(
        state->live.begin(), state->live.end(), [](const Live& one) { return one.lent; });
    state->live.erase(lent != state->live.end() ? lent : state->live.begin());
    if (state->live.empty()) state->freed = site_of(view.call);
}

void Handles::update(const CallView& view) {
    if (!view.succeeded()) return;
    if (view.local.makes_handle || view.local.lends_handle) {
        for (const LocalProcedure::Handle& handle : view.local.handles) {
            if (handle.in || static_cast<std::size_t>(handle.at) >= view.call.after.size())
                continue;
            const model::Value& value = view.call.after[static_cast<std::size_t>(handle.at)];
            if (handle.kind != ParameterKind::DatatypeList) {
                add(view, handle.kind, value);
                continue;
            }
            for (const std::int64_t id : value.list) {
                add(view, ParameterKind::Datatype, {id, {}});
            }
        }
    } else if (view.local.frees) {
        for (const LocalProcedure::Handle& handle : view.local.handles) {
            if (static_cast<std::size_t>(handle.at) < view.call.before.size())
                remove(view, handle.kind, view.call.before[static_cast<std::size_t>(handle.at)]);
        }
    } else if (view.name() == "MPI_Type_commit") {
        State* const state =
            find(ParameterKind::Datatype, {view.number(Role::Datatype, model::kNullHandle), {}});
        if (state == nullptr) return;
        const auto open = std::find_if(
            state->live.begin(), state->live.end(), [](const Live& one) { return !one.committed; });
        if (open != state->live.end()) open->committed = true;
    }
}

void Handles::finalize() {
    for (const State& state : states_) {
        const KindWords words = words_of(state.kind);
        for (const Live& live : state.live) {
            if (live.lent) continue;
            Finding* const finding =
                reporter_.report(words.leaked, Severity::Warning, process_, {{live.made}});
            if (finding == nullptr) continue;
            finding->message = "The " + std::string{words.noun} +
                               " that this call makes is never freed with " +
                               std::string{words.freed_with} + ".";
            if (state.kind == ParameterKind::Communicator && state.id >= 0)
                finding->communicator = model::CommunicatorId{static_cast<int>(state.id)};
        }
    }
}

}  // namespace mqinspect::analysis
