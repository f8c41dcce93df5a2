#include "report/json.h"

#include <span>
#include <string_view>
#include <utility>

#include "model/worlds.h"
#include "report/json_windows.h"
#include "report/json_writer.h"
#include "report/words.h"

namespace mqinspect::report {
namespace {

using Layout = JsonWriter::Layout;

void text_or_null(JsonWriter& json, std::string_view name, std::string_view text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text);
}

void rank_value(JsonWriter& json, model::WorldRank rank) {
    rank == model::kUnknownRank ? json.null() : json.value(rank.value);
}

void ranks_member(JsonWriter& json,
                  std::string_view name,
                  std::span<const model::WorldRank> ranks) {
    json.key(name);
    json.begin_array();
    for (const model::WorldRank rank : ranks)
        rank_value(json, rank);
    json.end_array();
}

void texts_member(JsonWriter& json,
                  std::string_view name,
                  std::span<const std::string> texts,
                  Layout layout = Layout::Inline) {
    json.key(name);
    json.begin_array(layout);
    for (const std::string& text : texts)
        json.value(std::string_view(text));
    json.end_array();
}

/// The members "file" and "line", null where unknown.
void location_members(JsonWriter& json, const model::SourceLocation& location) {
    text_or_null(json, "file", location.file);
    json.key("line");
    location.line > 0 ? json.value(location.line) : json.null();
}

void job_member(JsonWriter& json, const model::JobSnapshot& snapshot) {
    json.key("job");
    json.begin_object();
    text_or_null(json, "launcher", snapshot.launcher);
    texts_member(json, "hosts", snapshot.hosts);
    json.member("size", snapshot.ranks.size());
    const model::Worlds worlds(snapshot);
    json.key("worlds");
    json.begin_array();
    for (std::size_t world = 0; world < worlds.count(); ++world)
        json.value(worlds.size(world));
    json.end_array();
    text_or_null(json, "mpi", snapshot.mpi);
    text_or_null(json, "dll", snapshot.dll);
    texts_member(json, "types", snapshot.types);
    json.end_object();
}

void call_value(JsonWriter& json, const model::Call& call) {
    json.begin_object();
    json.member("function", std::string_view(call.function));
    json.key("arguments");
    json.begin_object();
    for (const model::Argument& argument : call.arguments) {
        json.member(argument.name, std::string_view(argument.text));
    }
    json.end_object();
    location_members(json, call.location);
    json.end_object();
}

void signal_value(JsonWriter& json, const model::Signal& signal) {
    json.begin_object();
    json.member("number", signal.number);
    json.member("name", std::string_view(signal.name));
    json.member("address", signal.address);
    json.key("sender_pid");
    signal.sender_pid ? json.value(*signal.sender_pid) : json.null();
    json.end_object();
}

void rank_item(JsonWriter& json, const model::Worlds& worlds, const model::RankSnapshot& rank) {
    json.begin_object();
    json.member("rank", rank.rank.value);
    json.member("world", worlds.world_of(rank.rank));
    json.member("rank_in_world", worlds.rank_in_world(rank.rank));
    json.member("pid", rank.pid);
    text_or_null(json, "host", rank.host);
    json.member("state", name_of(rank.state));
    json.member("suspended", rank.suspended);
    json.key("call");
    rank.call ? call_value(json, *rank.call) : json.null();
    json.key("stack");
    json.begin_array();
    for (const model::Frame& frame : rank.stack) {
        json.begin_object();
        text_or_null(json, "function", frame.function);
        location_members(json, frame.location);
        text_or_null(json, "image", frame.image);
        json.member("pc", frame.pc);
        json.end_object();
    }
    json.end_array();
    json.key("signal");
    rank.signal ? signal_value(json, *rank.signal) : json.null();
    json.key("more_calls");
    json.begin_array();
    for (const model::Call& call : rank.more_calls)
        call_value(json, call);
    json.end_array();
    json.member("queues_known", rank.queues_known);
    text_or_null(json, "problem", rank.problem);
    json.end_object();
}

void communicator_item(JsonWriter& json,
                       const model::Worlds& worlds,
                       const model::Communicator& communicator) {
    json.begin_object();
    json.member("id", communicator.id.value);
    json.member("name", std::string_view(communicator.name));
    json.member("size", communicator.members.size());
    ranks_member(json, "members", communicator.members);
    ranks_member(json, "remote_members", communicator.remote_members);
    json.member("inter", communicator.inter);
    json.member("internal", communicator.internal);
    const auto world = worlds.world_of(communicator);
    json.key("world");
    world ? json.value(*world) : json.null();
    json.end_object();
}

void operation_item(JsonWriter& json, const model::Operation& operation) {
    json.begin_object();
    json.member("rank", operation.rank.value);
    json.member("communicator", operation.communicator.value);
    json.member("queue", name_of(operation.queue));
    json.member("state", name_of(operation.state));
    json.key("comm_peer");
    operation.any_source || !operation.comm_peer ? json.null()
                                                 : json.value(operation.comm_peer->value);
    json.key("world_peer");
    operation.any_source || !operation.world_peer ? json.null()
                                                  : rank_value(json, *operation.world_peer);
    json.key("tag");
    operation.any_tag || !operation.tag ? json.null() : json.value(*operation.tag);
    json.member("bytes", operation.bytes);
    json.member("count", operation.count);
    text_or_null(json, "datatype", operation.datatype);
    text_or_null(json, "function", operation.function);
    json.member("request", operation.request);
    json.member("any_source", operation.any_source);
    json.member("any_tag", operation.any_tag);
    text_or_null(json, "mode", name_of(operation.mode));
    text_or_null(json, "protocol", name_of(operation.protocol));
    json.member("persistent", operation.persistent);
    json.member("collective", operation.collective);
    json.member("synchronous", operation.synchronous);
    json.member("doubtful", operation.doubtful);
    json.member("sequence", operation.sequence);
    ranks_member(json, "receives_from", operation.receives_from);
    ranks_member(json, "sends_to", operation.sends_to);
    json.member("part_of", operation.part_of);
    texts_member(json, "extra_text", operation.extra_text);
    json.end_object();
}

void wait_item(JsonWriter& json, const model::JobSnapshot& snapshot, const analysis::Wait& wait) {
    json.begin_object();
    json.member("rank", wait.rank.value);
    ranks_member(json, "for", wait.targets);
    json.member("mode", wait.all ? "all" : "any");
    json.member("call", std::string_view(wait.call));
    json.member("why", std::string_view(wait.why));
    const bool known = wait.rank.value >= 0 && wait.rank.index() < snapshot.ranks.size();
    const model::RankSnapshot* rank = known ? &snapshot.ranks[wait.rank.index()] : nullptr;
    location_members(
        json, rank != nullptr && rank->call ? rank->call->location : model::SourceLocation{});
    texts_member(json, "hints", wait.hints);
    json.end_object();
}

void waits_member(JsonWriter& json,
                  const model::JobSnapshot& snapshot,
                  std::span<const analysis::Wait> waits) {
    json.key("waits");
    json.begin_array(Layout::Lines);
    for (const analysis::Wait& wait : waits)
        wait_item(json, snapshot, wait);
    json.end_array();
}

void verdict_member(JsonWriter& json,
                    const model::JobSnapshot& snapshot,
                    const analysis::Verdict& verdict) {
    json.key("verdict");
    json.begin_object(Layout::Lines);
    json.member("kind", name_of(verdict.kind));
    json.member("sentence", std::string_view(verdict.sentence));
    json.key("cores");
    json.begin_array(Layout::Lines);
    for (const analysis::Core& core : verdict.cores) {
        json.begin_object(Layout::Lines);
        json.member("kind", name_of(core.kind));
        ranks_member(json, "ranks", core.ranks);
        waits_member(json, snapshot, core.waits);
        json.end_object();
    }
    json.end_array();
    json.key("victims");
    json.begin_array(Layout::Lines);
    for (const analysis::Victim& victim : verdict.victims) {
        json.begin_object();
        json.member("rank", victim.rank.value);
        ranks_member(json, "chain", victim.chain);
        json.end_object();
    }
    json.end_array();
    ranks_member(json, "running", verdict.running);
    ranks_member(json, "crashed", verdict.crashed);
    ranks_member(json, "unknown", verdict.unknown);
    waits_member(json, snapshot, verdict.waits);
    json.end_object();
}

template <class Item, class Print>
void lines_member(JsonWriter& json, std::string_view name, const Item& items, Print print) {
    json.key(name);
    json.begin_array(Layout::Lines);
    for (const auto& item : items)
        print(json, item);
    json.end_array();
}

}  // namespace

std::string print_json(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    constexpr std::size_t operation_bytes = 512;
    JsonWriter json;
    json.reserve(snapshot.operations.size() * operation_bytes);
    json.begin_object(Layout::Lines);
    json.member("schema", "mqinspect.report/1");
    job_member(json, snapshot);
    verdict_member(json, snapshot, verdict);
    const model::Worlds worlds(snapshot);
    const auto with_worlds = [&worlds](auto item) {
        return [&worlds, item](JsonWriter& to, const auto& what) { item(to, worlds, what); };
    };
    lines_member(json, "ranks", snapshot.ranks, with_worlds(rank_item));
    lines_member(json, "communicators", snapshot.communicators, with_worlds(communicator_item));
    lines_member(json, "operations", snapshot.operations, operation_item);
    windows_member(json, snapshot.windows);
    texts_member(json, "problems", snapshot.problems, Layout::Lines);
    json.member("stopped_ms", snapshot.stopped_ms);
    json.member("total_ms", snapshot.total_ms);
    json.end_object();
    return std::move(json).finish() + '\n';
}

}  // namespace mqinspect::report
