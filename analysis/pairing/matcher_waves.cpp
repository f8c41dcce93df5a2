#include <algorithm>
#include <span>

#include "analysis/pairing/matcher.h"

namespace mqinspect::analysis {

using model::CommunicatorId;
using model::Role;

namespace {

constexpr std::uint32_t kNoOrder = ~std::uint32_t{0};

/// The one for every member; -1: not known, as of a null pointer where a list belongs.
std::int64_t count_of_all(const model::Procedure& procedure,
                          std::span<const model::Value> values,
                          Role role) {
    const model::Value* const count = model::value_of(procedure, values, role);
    if (count == nullptr) return 0;
    const auto at = static_cast<std::size_t>(model::subscript_of(procedure, role));
    const bool of_each = procedure.parameters[at].kind == model::ParameterKind::CountList;
    return of_each && count->list.empty() ? -1 : count->number;
}

std::vector<model::ProcessId> members_of(const Members& members, CommunicatorId communicator) {
    std::vector<model::ProcessId> result(members.size(communicator));
    for (std::uint32_t member = 0; member < result.size(); ++member)
        result[member] = members.process(communicator, member);
    return result;
}

void assign(std::vector<std::int64_t>& list, const model::Value* value) {
    list.clear();
    if (value != nullptr) list.assign(value->list.begin(), value->list.end());
}

/// One behind the other; of truth values it does not count which numbers stand for them.
void assign_lists(std::vector<std::int64_t>& given,
                  const model::Procedure& procedure,
                  const model::RecordedCall& call) {
    for (std::size_t at = 0; at < procedure.parameters.size() && at < call.before.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.kind != model::ParameterKind::IntegerList) continue;
        const bool truth = parameter.name == "periods" || parameter.name == "remain_dims";
        for (const std::int64_t number : call.before[at].list)
            given.push_back(truth ? std::int64_t{number != 0} : number);
    }
}

void assign_edges(std::vector<std::int64_t>& given,
                  const model::Procedure& procedure,
                  const model::RecordedCall& call) {
    for (std::size_t at = 0; at < procedure.parameters.size() && at < call.before.size(); ++at) {
        const std::string& name = procedure.parameters[at].name;
        if (name != "sources" && name != "destinations") continue;
        for (const std::int64_t rank : call.before[at].list)
            given.push_back(name == "sources" ? rank : edge_to(rank));
    }
}

/// The text of MPI_Comm_create_from_group, as a subscript; -1: there is none.
std::int64_t string_tag(const model::Procedure& procedure, const model::RecordedCall& call) {
    const model::Value* const text = model::value_of(procedure, call.before, "stringtag");
    return text != nullptr ? text->number : -1;
}

std::int64_t assertion(const model::Procedure& procedure, const model::RecordedCall& call) {
    const model::Value* const value = model::value_of(procedure, call.before, Role::Assertion);
    return value != nullptr ? value->number : 0;
}

/// In the order of kLocalLeader and its kin.
void assign_leaders(std::vector<std::int64_t>& given,
                    const model::Procedure& procedure,
                    const model::RecordedCall& call) {
    for (const char* const name : {"local_leader", "peer_comm", "remote_leader", "tag"}) {
        if (const model::Value* const value = model::value_of(procedure, call.before, name))
            given.push_back(value->number);
    }
}

/// The same of MPI_Intercomm_create_from_groups.
void assign_group_leaders(std::vector<std::int64_t>& given,
                          const model::Procedure& procedure,
                          const model::RecordedCall& call) {
    const auto value = [&](const char* name) {
        return model::value_of(procedure, call.before, name);
    };
    const model::Value* const local = value("local_group");
    const model::Value* const leader = value("local_leader");
    const model::Value* const remote = value("remote_group");
    const model::Value* const remote_leader = value("remote_leader");
    if (local == nullptr || leader == nullptr || remote == nullptr || remote_leader == nullptr)
        return;
    const auto at = static_cast<std::size_t>(leader->number);
    const bool leads = at < local->list.size() && local->list[at] == call.process.value;
    given = {leader->number,
             model::kNullHandle,
             leads ? remote_leader->number : model::kProcNull,
             string_tag(procedure, call)};
    if (leads) given.insert(given.end(), remote->list.begin(), remote->list.end());
}

Contribution::Weights weights_of(const model::Procedure& procedure,
                                 const model::RecordedCall& call) {
    using enum Contribution::Weights;
    Contribution::Weights weights = None;
    for (const char* const name : {"weights", "sourceweights", "destweights"}) {
        const model::Value* const value = model::value_of(procedure, call.before, name);
        if (value == nullptr || value->list.empty()) continue;
        const bool unweighted = value->list.front() == model::kUnweighted;
        if (weights != Given) weights = unweighted ? Unweighted : Given;
    }
    return weights;
}

/// Contribution::given.
void assign_given(std::vector<std::int64_t>& given,
                  const CallKind& kind,
                  const model::Procedure& procedure,
                  const model::RecordedCall& call) {
    if (kind.by_groups) assign(given, model::value_of(procedure, call.before, Role::Group));
    if (kind.space == WaveSpace::Group && !kind.by_leaders) {
        const model::Value* const tag = model::value_of(procedure, call.before, Role::Tag);
        given.push_back(tag != nullptr ? tag->number : string_tag(procedure, call));
    }
    if (kind.by_lists) assign_lists(given, procedure, call);
    if (kind.by_edges) assign_edges(given, procedure, call);
    const auto add = [&](const char* name) {
        const model::Value* const value = model::value_of(procedure, call.before, name);
        given.push_back(value != nullptr ? value->number : model::kNullHandle);
    };
    if (kind.opens_file) {
        add("amode");
        add("filename");
    }
    if (kind.sets_view) {
        add("etype");
        add("datarep");
    }
    if (kind.by_values) {
        for (const char* const name : {"size", "offset", "whence"})
            if (model::value_of(procedure, call.before, name) != nullptr) add(name);
        if (const model::Value* const flag = model::value_of(procedure, call.before, "flag"))
            given.push_back(flag->number != 0 ? 1 : 0);
    }
    if (kind.by_number) {
        const model::Value* const type = model::value_of(procedure, call.before, "split_type");
        given.push_back(type != nullptr ? type->number : assertion(procedure, call));
    }
    if (!kind.by_leaders) return;
    if (kind.space == WaveSpace::Group) {
        assign_group_leaders(given, procedure, call);
    } else {
        assign_leaders(given, procedure, call);
    }
}

}  // namespace

std::uint32_t Matcher::find_order(const std::string& key,
                                  CommunicatorId communicator,
                                  std::vector<model::ProcessId> members) {
    const auto [entry, added] =
        other_orders_.emplace(key, static_cast<std::uint32_t>(orders_.size()));
    if (added) {
        Order order;
        order.communicator = communicator;
        order.next.resize(members.size());
        order.members = std::move(members);
        orders_.push_back(std::move(order));
    }
    return entry->second;
}

// kNoOrder: not known who takes part.
std::uint32_t Matcher::order_of(const Context& context) {
    const std::int64_t number = context.in(Role::Communicator, model::kNullHandle);
    switch (context.kind.space) {
        case WaveSpace::Communicator: {
            if (!members_.valid(number)) return kNoOrder;
            const CommunicatorId communicator{static_cast<int>(number)};
            std::uint32_t& order = order_of_communicator_[communicator.index()];
            if (order == kNoOrder) {
                order = find_order(
                    "c" + std::to_string(number), communicator, members_of(members_, communicator));
            }
            return order;
        }
        case WaveSpace::Group: {
            const model::Value* group =
                model::value_of(context.procedure, context.call.before, Role::Group);
            if (context.kind.by_leaders)
                group = model::value_of(context.procedure, context.call.before, "local_group");
            const std::int64_t text = string_tag(context.procedure, context.call);
            if (group == nullptr || group->list.empty() || (text < 0 && !members_.valid(number)))
                return kNoOrder;
            // Those that are made from groups alone have no communicator.
            const std::string made_from_groups = context.kind.by_leaders ? "i" : "s";
            std::string key = text >= 0 ? made_from_groups + std::to_string(text)
                                        : "g" + std::to_string(number) + "t" +
                                              std::to_string(context.in(Role::Tag));
            std::vector<model::ProcessId> members;
            for (const std::int64_t rank : group->list) {
                if (rank < 0) return kNoOrder;
                key += "," + std::to_string(rank);
                members.emplace_back(static_cast<int>(rank));
            }
            return find_order(key, CommunicatorId{static_cast<int>(number)}, std::move(members));
        }
        case WaveSpace::Window: {
            const std::int64_t window = context.in(Role::Window, model::kNullHandle);
            if (window < 0 || static_cast<std::size_t>(window) >= execution_.windows.size()) {
                return kNoOrder;
            }
            const CommunicatorId communicator =
                execution_.windows[static_cast<std::size_t>(window)].communicator;
            if (!members_.valid(communicator.value)) return kNoOrder;
            return find_order(
                "w" + std::to_string(window), communicator, members_of(members_, communicator));
        }
        case WaveSpace::File: {
            const std::int64_t file = context.in(Role::File, model::kNullHandle);
            const CommunicatorId* communicator =
                file < 0 ? nullptr : communicator_of_file_.find(static_cast<std::uint64_t>(file));
            if (communicator == nullptr) return kNoOrder;
            return find_order(
                "f" + std::to_string(file), *communicator, members_of(members_, *communicator));
        }
    }
    return kNoOrder;
}

void Matcher::fill(const Context& context, Contribution& contribution) const {
    contribution.site = event_site_of(context.call);
    contribution.root = context.in(Role::Root, 0);
    contribution.operation = context.in(Role::Operator, -1);
    contribution.send_checksum = contribution.receive_checksum = 0;
    for (auto* list : {&contribution.send_counts,
                       &contribution.receive_counts,
                       &contribution.send_types,
                       &contribution.receive_types,
                       &contribution.given})
        list->clear();
    const Pattern pattern = context.kind.pattern;
    const auto value = [&](Role role) {
        return model::value_of(context.procedure, context.call.before, role);
    };
    assign_given(contribution.given, context.kind, context.procedure, context.call);
    if (context.kind.space == WaveSpace::File) contribution.send_count = context.in(Role::Count, 0);
    if (context.kind.by_neighbors)
        contribution.weights = weights_of(context.procedure, context.call);
    if (pattern == Pattern::None) return;
    contribution.send_in_place = context.in(Role::SendBuffer, 0) == model::kInPlace;
    contribution.receive_in_place = context.in(Role::ReceiveBuffer, 0) == model::kInPlace;
    contribution.send_checksum = static_cast<std::uint64_t>(context.in(Role::SendChecksum, 0));
    if (const model::Value* checksum = context.out(Role::ReceiveChecksum)) {
        contribution.receive_checksum = static_cast<std::uint64_t>(checksum->number);
    }
    const auto datatype = [&](Role role) {
        return model::DatatypeId{static_cast<int>(context.in(role, -1))};
    };
    if (pattern == Pattern::Broadcast || pattern == Pattern::Reduce ||
        pattern == Pattern::Reducev) {
        const model::Value* count = value(Role::Count);
        if (count == nullptr) count = value(Role::ReceiveCount);
        contribution.send_count = count == nullptr ? 0 : count->number;
        contribution.send_type = datatype(Role::Datatype);
        if (pattern == Pattern::Reducev) assign(contribution.send_counts, count);
        return;
    }
    contribution.send_count = count_of_all(context.procedure, context.call.before, Role::SendCount);
    contribution.receive_count =
        count_of_all(context.procedure, context.call.before, Role::ReceiveCount);
    contribution.send_type = datatype(Role::SendDatatype);
    contribution.receive_type = datatype(Role::ReceiveDatatype);
    assign(contribution.send_counts, value(Role::SendCount));
    assign(contribution.receive_counts, value(Role::ReceiveCount));
    assign(contribution.send_types, value(Role::SendDatatype));
    assign(contribution.receive_types, value(Role::ReceiveDatatype));
}

void Matcher::feed_collective(const Context& context) {
    const model::RecordedCall& call = context.call;
    // What keeps a file from being opened, the processes tell each other, and what they give.
    const bool refused = call.error_code != 0 && !arrived_wrong(call.process, call.error_code);
    if (refused && !context.kind.opens_file && !context.kind.by_values) return;
    if (context.kind.opens_file && call.leave_event) {
        const model::Value* file = context.out(Role::File);
        const std::int64_t communicator = context.in(Role::Communicator, model::kNullHandle);
        if (file != nullptr && file->number >= 0 && members_.valid(communicator)) {
            communicator_of_file_[static_cast<std::uint64_t>(file->number)] =
                CommunicatorId{static_cast<int>(communicator)};
        }
    }
    const std::uint32_t order = order_of(context);
    if (order == kNoOrder) return;
    const std::vector<model::ProcessId>& members = orders_[order].members;
    std::uint32_t member = 0;
    if (context.kind.space == WaveSpace::Group) {
        const auto found = std::find(members.begin(), members.end(), call.process);
        if (found == members.end()) return;
        member = static_cast<std::uint32_t>(found - members.begin());
    } else {
        const auto found = members_.member_of(orders_[order].communicator, call.process);
        if (!found) return;
        member = *found;
    }
    fill(context, scratch_);
    const model::Value* request = context.kind.blocking ? nullptr : context.out(Role::Request);
    const bool has_request = request != nullptr && request->number >= 0;
    scratch_.completed = call.leave_event.has_value() && (!has_request || context.kind.persistent);
    const std::uint64_t number = orders_[order].next[member];
    if (has_request && context.kind.persistent) {
        Template made;
        made.collective = true;
        made.contribution = scratch_;
        made.order = find_order("p" + std::to_string(order) + ":" + std::to_string(number),
                                orders_[order].communicator,
                                members);
        orders_[made.order].parent = order;
        Request added;
        added.member = member;
        added.made_from = std::make_unique<Template>(std::move(made));
        requests_[call.process.index()][static_cast<std::uint64_t>(request->number)] =
            std::move(added);
    }
    const WaveIndex wave = arrive(order, member, scratch_);
    if (has_request && !context.kind.persistent) {
        Request added;
        added.member = member;
        added.wave = wave;
        requests_[call.process.index()][static_cast<std::uint64_t>(request->number)] =
            std::move(added);
    } else if (track_waits_ && context.kind.blocking && wave != kNoWave && !passable(wave)) {
        waits_.waves.push_back(wave);
    }
}

WaveIndex Matcher::new_wave(std::uint32_t order, std::uint64_t number) {
    WaveIndex index = static_cast<WaveIndex>(waves_.size());
    if (free_waves_.empty()) {
        waves_.emplace_back();
    } else {
        index = free_waves_.back();
        free_waves_.pop_back();
    }
    Wave& wave = waves_[index];
    wave.order = order;
    wave.number = number;
    wave.communicator = orders_[order].communicator;
    wave.arrived = wave.completed = 0;
    wave.whole = wave.disagreeing = false;
    wave.contributions.resize(orders_[order].members.size());
    for (Contribution& contribution : wave.contributions)
        contribution.arrived = contribution.completed = false;
    return index;
}

bool Matcher::same_procedures(const Wave& wave) const {
    const Contribution& first = wave.contributions.front();
    return std::all_of(
        wave.contributions.begin(), wave.contributions.end(), [&](const Contribution& one) {
            return one.site.procedure == first.site.procedure ||
                   kinds_[one.site.procedure.index()].matched_by ==
                       kinds_[first.site.procedure.index()].matched_by;
        });
}

// kNoWave: it was the last one to come, and all is over.
WaveIndex Matcher::arrive(std::uint32_t order_index,
                          std::uint32_t member,
                          Contribution& contribution) {
    Order& order = orders_[order_index];
    const std::uint64_t number = order.next[member]++;
    while (order.first + order.open.size() <= number)
        order.open.push_back(new_wave(order_index, order.first + order.open.size()));
    const WaveIndex index = order.open[number - order.first];
    Wave& wave = waves_[index];
    Contribution& place = wave.contributions[member];
    contribution.arrived = true;
    std::swap(place, contribution);
    if (place.completed) ++wave.completed;
    if (++wave.arrived < wave.contributions.size()) return index;
    wave.whole = true;
    if (!order.derailed && !same_procedures(wave)) {
        // Nobody gets out of it, unless it does not wait for the others: it stays.
        order.derailed = wave.disagreeing = true;
        if (visitor_ != nullptr) visitor_->on_wave(wave);
        return index;
    }
    if (visitor_ != nullptr) visitor_->on_whole(wave);
    woken_.insert(woken_.end(), wave.waiters.begin(), wave.waiters.end());
    wave.waiters.clear();
    if (wave.completed < wave.arrived) return index;
    if (visitor_ != nullptr) visitor_->on_wave(wave);
    drop_wave(index);
    return kNoWave;
}

void Matcher::complete_wave(WaveIndex index, std::uint32_t member) {
    Wave& wave = waves_[index];
    Contribution& contribution = wave.contributions[member];
    if (contribution.completed) return;
    contribution.completed = true;
    if (++wave.completed < wave.contributions.size() || wave.disagreeing) return;
    if (visitor_ != nullptr) visitor_->on_wave(wave);
    drop_wave(index);
}

void Matcher::drop_wave(WaveIndex index) {
    Wave& wave = waves_[index];
    Order& order = orders_[wave.order];
    order.open[wave.number - order.first] = kNoWave;
    while (!order.open.empty() && order.open.front() == kNoWave) {
        order.open.pop_front();
        ++order.first;
    }
    wave.whole = wave.disagreeing = false;
    wave.arrived = 0;
    wave.waiters.clear();
    free_waves_.push_back(index);
}

std::vector<WaveIndex> Matcher::open_waves() const {
    std::vector<WaveIndex> open;
    for (const Order& order : orders_) {
        for (const WaveIndex index : order.open)
            if (index != kNoWave && waves_[index].arrived > 0) open.push_back(index);
    }
    return open;
}

}  // namespace mqinspect::analysis
