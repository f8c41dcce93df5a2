#include "analysis/local/handles.h"

#include <algorithm>
#include <span>

#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

namespace {

using model::Role;

struct KindWords {
    FindingClass leaked;
    std::string_view noun;
    std::string_view freed_with;
};

KindWords words_of(HandleKind kind) {
    switch (kind) {
        case HandleKind::Communicator:
            return {FindingClass::LeakedCommunicator, "communicator", "MPI_Comm_free"};
        case HandleKind::Operator:
            return {FindingClass::LeakedOperator, "operator", "MPI_Op_free"};
        case HandleKind::Window:
            return {FindingClass::LeakedWindow, "window", "MPI_Win_free"};
        case HandleKind::File:
            return {FindingClass::LeakedFile, "file", "MPI_File_close"};
        case HandleKind::Group:
            return {FindingClass::LeakedGroup, "group", "MPI_Group_free"};
        case HandleKind::Info:
            return {FindingClass::LeakedInfo, "info object", "MPI_Info_free"};
        case HandleKind::ErrorHandler:
            return {FindingClass::LeakedErrorHandler, "error handler", "MPI_Errhandler_free"};
        case HandleKind::AttributeKey:
            return {FindingClass::LeakedAttributeKey, "attribute key", "MPI_Comm_free_keyval"};
        case HandleKind::Memory:
            return {FindingClass::LeakedMemory, "memory", "MPI_Free_mem"};
        case HandleKind::Port:
            return {FindingClass::LeakedPort, "port", "MPI_Close_port"};
        case HandleKind::Message:
            return {FindingClass::UnfinishedReceive, "matched message", "MPI_Mrecv"};
        case HandleKind::Datatype:
            break;
    }
    return {FindingClass::LeakedDatatype, "datatype", "MPI_Type_free"};
}

/// "MPI_Type_free_keyval" of one that MPI_Type_create_keyval has made.
std::string freed_with(HandleKind kind, std::string_view maker) {
    std::string result{words_of(kind).freed_with};
    if (kind != HandleKind::AttributeKey) return result;
    if (maker == "MPI_Type_create_keyval") return "MPI_Type_free_keyval";
    if (maker == "MPI_Win_create_keyval") return "MPI_Win_free_keyval";
    return result;
}

/// What the call that made it does, and what nobody does.
std::string_view makes_word(HandleKind kind, std::string_view maker) {
    if (kind == HandleKind::Port) return "opens is never closed with ";
    constexpr std::string_view others[] = {
        "MPI_Errhandler_get", "MPI_Comm_group", "MPI_Comm_remote_group"};
    const bool asked = kind == HandleKind::Memory || maker.find("_get_") != maker.npos ||
                       std::ranges::find(others, maker) != std::end(others);
    return asked ? "gives out is never freed with " : "makes is never freed with ";
}

/// False: no handle of the kind, or one that is always there.
bool is_kept(HandleKind kind, const model::Value& value) {
    if (kind == HandleKind::Memory) return value.number != 0;
    if (kind == HandleKind::Port) return value.number >= 0;
    if (is_raw(kind)) return true;
    if (kind != HandleKind::Group) return value.number >= 0;
    return !value.list.empty() && value.list[0] >= -1;
}

/// What a handle is that no definition belongs to: model::kNullHandle, kInvalidHandle, or 0.
std::int64_t undefined(HandleKind kind, const model::Value& value) {
    if (is_raw(kind)) return 0;
    if (kind != HandleKind::Group) return std::min<std::int64_t>(value.number, 0);
    if (value.list.size() != 1) return 0;
    if (value.list[0] == model::kNullGroup) return model::kNullHandle;
    return value.list[0] == model::kInvalidHandle ? model::kInvalidHandle : 0;
}

/// What frees it says so by setting it to a null handle, but for what is no handle.
bool is_given_back(const LocalProcedure::Handle& handle) {
    const bool stays = handle.kind == HandleKind::Memory || handle.kind == HandleKind::Port;
    return handle.in && (handle.out || stays);
}

bool sets_attribute(std::string_view procedure) {
    return procedure.ends_with("_set_attr") || procedure == "MPI_Attr_put";
}

/// Handles::Live::number.
std::int64_t number_of(const CallView& view,
                       const LocalProcedure::Handle& handle,
                       std::span<const model::Value> values) {
    if (handle.kind != HandleKind::Group && handle.kind != HandleKind::Datatype) return 0;
    const model::Procedure& procedure = *view.local.procedure;
    const std::string name = procedure.parameters[handle.at].name + "_handle";
    const model::Value* const number = model::value_of(procedure, values, std::string_view{name});
    return number == nullptr ? 0 : number->number;
}

constexpr std::size_t at(HandleKind kind) {
    return static_cast<std::size_t>(kind);
}

}  // namespace

Handles::Handles(model::ProcessId process, const model::Execution& execution, Reporter& reporter)
    : process_(process), execution_(execution), reporter_(reporter) {}

std::int64_t Handles::key_of(HandleKind kind, const model::Value& value) {
    auto id = static_cast<std::uint64_t>(value.number);
    if (kind == HandleKind::Group) {
        // Groups have no ids: those of the same members are one.
        id = value.list.size();
        for (const std::int64_t member : value.list)
            id = (id ^ static_cast<std::uint64_t>(member)) * 0x9e37'79b9'7f4a'7c15 + (id >> 29U);
        id >>= 8U;
    }
    return static_cast<std::int64_t>(id ^ (static_cast<std::uint64_t>(kind) << 56U));
}

Handles::LiveList::Iterator Handles::LiveList::freed_by(std::int64_t number, bool unique) {
    if (lent_ != 0) return std::ranges::find(begin(), end(), true, &Live::lent);
    const bool known = number != 0;
    if (!known || (unique && begin()->number == number)) return begin();
    // Those without a number are other handles of the same, of MPI_Type_get_contents.
    if (unique && unnumbered_ != 0) {
        const auto own = std::ranges::find(begin(), end(), number, &Live::number);
        if (own != end()) return own;
    }
    // Of those that the library gives one number it is the last, as in nested calls.
    return last([number](const Live& one) { return one.number == 0 || one.number == number; })
        .value_or(begin());
}

void Handles::LiveList::add(const Live& one) {
    all_.push_back(one);
    if (one.lent) ++lent_;
    if (one.number == 0) ++unnumbered_;
}

void Handles::LiveList::remove(Iterator one) {
    if (one->lent) --lent_;
    if (one->number == 0) --unnumbered_;
    if (one != begin()) {
        all_.erase(one);
        return;
    }
    ++first_;
    if (static_cast<std::size_t>(first_) * 2 < all_.size()) return;
    all_.erase(all_.begin(), begin());
    first_ = 0;
}

Handles::State* Handles::find(HandleKind kind, const model::Value& value) {
    const std::uint32_t place = places_.find(key_of(kind, value));
    return place == IdMap::kNone ? nullptr : &states_[place];
}

const CallSite* Handles::made_by(HandleKind kind, const model::Value& value) const {
    const std::uint32_t place = places_.find(key_of(kind, value));
    if (place == IdMap::kNone || states_[place].live.empty()) return nullptr;
    return &states_[place].live.front().made;
}

bool Handles::is_predefined(HandleKind kind, std::int64_t id) const {
    const auto place = static_cast<std::size_t>(id);
    if (kind == HandleKind::Datatype)
        return place >= execution_.datatypes.size() || is_basic(execution_.datatypes[place]);
    if (kind == HandleKind::Operator)
        return place >= execution_.operators.size() || !execution_.operators[place].name.empty();
    return false;
}

const CallSite* Handles::window_at(std::int64_t address, std::int64_t bytes) const {
    for (const State& state : states_) {
        const auto place = static_cast<std::size_t>(state.id);
        if (state.kind != HandleKind::Window || state.live.empty() ||
            place >= execution_.windows.size())
            continue;
        for (const model::RecordedWindow::Part& part : execution_.windows[place].parts) {
            const std::int64_t behind = static_cast<std::int64_t>(part.base) - address;
            if (part.process == process_ && part.bytes > 0 && behind >= 0 && behind < bytes)
                return &state.live.back().made;
        }
    }
    return nullptr;
}

const CallSite* Handles::ended_by(HandleKind kind, std::int64_t handle) const {
    const Ended& ended = ended_[at(kind)];
    if (!ended.freed || (handle == model::kNullHandle && ended.null_given)) return nullptr;
    return &*ended.freed;
}

const CallSite* Handles::null_given_by(HandleKind kind) const {
    const Ended& ended = ended_[at(kind)];
    return ended.null_given && !ended.freed ? &*ended.null_given : nullptr;
}

void Handles::unmake(HandleKind kind, std::int64_t id) {
    State* const state = find(kind, {id, {}});
    if (state == nullptr || state->live.empty()) return;
    state->live.remove(state->live.end() - 1);
    ++generation_;
}

bool Handles::check_handle(const CallView& view, HandleKind kind, const model::Value& value) {
    const CallSite* by = nullptr;
    if (is_kept(kind, value)) {
        const Ended& ended = ended_[at(kind)];
        const State* const state = find(kind, value);
        // What the program has not made, but asked for, is a predefined error handler.
        const bool stays = kind == HandleKind::ErrorHandler && state != nullptr && !state->own;
        if (state != nullptr && !stays && state->live.empty() && state->freed) {
            by = &*state->freed;
        } else if (is_raw(kind) && view.local.frees && ended.null == value.number) {
            by = ended_by(kind, model::kNullHandle);
        }
    }
    if (by == nullptr) return false;
    if (is_inside(view.call, *by)) {
        ++generation_;  // another call may not do that
        return false;
    }
    // A key that is free in name lives on with the attributes that it was used for.
    if (kind == HandleKind::AttributeKey && !view.local.frees && !sets_attribute(view.name()))
        return false;
    Finding* const finding = reporter_.report(FindingClass::UseAfterFree,
                                              Severity::Error,
                                              process_,
                                              {{site_of(view.call)}, {*by, "freed here", false}});
    if (finding == nullptr) return true;
    const std::string_view word = words_of(kind).noun;
    const std::string_view article = kind == HandleKind::Memory                            ? ""
                                     : std::string_view{"aeio"}.find(word[0]) == word.npos ? "a "
                                                                                           : "an ";
    const std::string noun = std::string{article} + std::string{word};
    finding->message = view.local.frees && kind != HandleKind::Message
                           ? view.name() + " is given " + noun + " that has been freed before."
                           : view.name() + " uses " + noun + " that has been freed.";
    return true;
}

bool Handles::check_use(const CallView& view) {
    bool found = false;
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        if (!handle.in || static_cast<std::size_t>(handle.at) >= view.call.before.size()) continue;
        const model::Value& value = view.call.before[static_cast<std::size_t>(handle.at)];
        if (!handle.list) {
            found = check_handle(view, handle.kind, value) || found;
            continue;
        }
        for (const std::int64_t id : value.list) {
            found = check_handle(view, handle.kind, {id, {}}) || found;
        }
    }
    return found;
}

const CallSite* Handles::uncommitted(std::int64_t datatype) const {
    const std::uint32_t place = places_.find(key_of(HandleKind::Datatype, {datatype, {}}));
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

void Handles::add(const CallView& view,
                  HandleKind kind,
                  const model::Value& value,
                  std::int64_t number) {
    const bool found = view.result(Role::Flag, 1) != 0;  // MPI_Improbe
    if (undefined(kind, value) == model::kNullHandle && found)
        ended_[at(kind)].null_given = site_of(view.call);
    if (!is_kept(kind, value) || is_predefined(kind, value.number)) return;
    // A value that a predefined one may have, too.
    if (is_raw(kind) && ended_[at(kind)].null == value.number) return;
    State* state = find(kind, value);
    if (state == nullptr) {
        if (free_states_.empty()) {
            free_states_.push_back(static_cast<std::uint32_t>(states_.size()));
            states_.emplace_back();
        }
        places_.insert(key_of(kind, value), free_states_.back());
        state = &states_[free_states_.back()];
        free_states_.pop_back();
        *state = {kind, value.number, false, {}, {}};
    }
    // Datatypes out of others are new handles, to be freed (MPI 4.0, 5.1.13).
    const bool asked = view.local.lends_handle;
    state->own = state->own || !asked;
    // So is each of the program's own error handlers that is asked for (MPI 4.0, 9.3).
    const bool to_be_freed = kind == HandleKind::ErrorHandler && state->own;
    const bool lent = asked && kind != HandleKind::Datatype && !to_be_freed;
    state->live.add({site_of(view.call), asked || is_committed_copy(view), lent, number});
    state->freed.reset();
}

void Handles::remove(const CallView& view,
                     HandleKind kind,
                     const model::Value& value,
                     std::int64_t number) {
    if (!is_kept(kind, value)) return;
    const CallSite site = site_of(view.call);
    ended_[at(kind)].freed = site;
    State* const state = find(kind, value);
    if (state == nullptr || state->live.empty()) return;
    state->live.remove(state->live.freed_by(number, kind == HandleKind::Datatype));
    if (!state->live.empty()) return;
    state->freed = site;
    // Messages are numbered one by one: none comes again.
    if (kind != HandleKind::Message) return;
    places_.erase(key_of(kind, value));
    free_states_.push_back(static_cast<std::uint32_t>(state - states_.data()));
}

void Handles::made(const CallView& view, const LocalProcedure::Handle& handle) {
    if (handle.in || static_cast<std::size_t>(handle.at) >= view.call.after.size()) return;
    const model::Value& value = view.call.after[static_cast<std::size_t>(handle.at)];
    if (!handle.list)
        return add(view, handle.kind, value, number_of(view, handle, view.call.after));
    for (const std::int64_t id : value.list)
        add(view, handle.kind, {id, {}});
}

void Handles::freed(const CallView& view, const LocalProcedure::Handle& handle) {
    const auto place = static_cast<std::size_t>(handle.at);
    if (!is_given_back(handle) || place >= view.call.before.size()) return;
    remove(view, handle.kind, view.call.before[place], number_of(view, handle, view.call.before));
    if (!is_raw(handle.kind) || !handle.out || place >= view.call.after.size()) return;
    const std::int64_t left = view.call.after[place].number;
    if (left != view.call.before[place].number) ended_[at(handle.kind)].null = left;
}

void Handles::update(const CallView& view) {
    if (!view.succeeded()) return;
    if (!view.local.makes_handle && !view.local.lends_handle && !view.local.frees &&
        !view.local.commits)
        return;
    ++generation_;
    if (view.local.makes_handle || view.local.lends_handle) {
        for (const LocalProcedure::Handle& handle : view.local.handles)
            made(view, handle);
    }
    if (view.local.frees) {
        for (const LocalProcedure::Handle& handle : view.local.handles)
            freed(view, handle);
    } else if (view.local.commits) {
        State* const state =
            find(HandleKind::Datatype, {view.number(Role::Datatype, model::kNullHandle), {}});
        if (state == nullptr) return;
        // The others have been committed, mostly.
        const auto open = state->live.last([](const Live& one) { return !one.committed; });
        if (open) (*open)->committed = true;
    }
}

std::string_view Handles::freed_late(const CallView& view) {
    if (!view.local.frees || view.succeeded()) return {};
    std::string_view noun;
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        const auto place = static_cast<std::size_t>(handle.at);
        if (!is_given_back(handle) || place >= view.call.before.size()) continue;
        const model::Value& value = view.call.before[place];
        const State* const state = is_kept(handle.kind, value) ? find(handle.kind, value) : nullptr;
        if (state == nullptr || state->live.empty()) continue;
        noun = words_of(handle.kind).noun;
        remove(view, handle.kind, value);
    }
    return noun;
}

void Handles::finalize() {
    for (const State& state : states_) {
        const KindWords words = words_of(state.kind);
        const bool message = state.kind == HandleKind::Message;
        for (const Live& live : state.live) {
            if (live.lent) continue;
            Finding* const finding = reporter_.report(words.leaked,
                                                      message ? Severity::Error : Severity::Warning,
                                                      process_,
                                                      {{live.made}});
            if (finding == nullptr) continue;
            const std::string& maker = execution_.procedures[live.made.procedure.index()].name;
            finding->message = message ? "The message that this call has matched is never received "
                                         "with MPI_Mrecv or MPI_Imrecv."
                                       : "The " + std::string{words.noun} + " that this call " +
                                             std::string{makes_word(state.kind, maker)} +
                                             freed_with(state.kind, maker) + ".";
            if (state.kind == HandleKind::Communicator && state.id >= 0)
                finding->communicator = model::CommunicatorId{static_cast<int>(state.id)};
        }
    }
}

std::string Handles::never_had(HandleKind kind) const {
    const bool has_world = std::ranges::any_of(execution_.communicators, [&](const auto& one) {
        return one.name == "MPI_COMM_WORLD" &&
               std::ranges::find(one.members, process_) != one.members.end();
    });
    std::string text = " handle that this process has never had";
    if (kind == HandleKind::Communicator && !has_world) {
        text +=
            ": MPI_COMM_WORLD and MPI_COMM_SELF are there after MPI_Init only, which has not been "
            "called";
    }
    return text;
}

}  // namespace mqinspect::analysis
