#include "report/csv.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "report/utf8.h"
#include "report/words.h"

namespace mqinspect::report {
namespace {

using model::Operation;

constexpr std::string_view kHeader =
    "rank,communicator,communicator_name,queue,state,comm_peer,world_peer,tag,bytes,count,"
    "datatype,function,request,any_source,any_tag,mode,protocol,persistent,collective,"
    "synchronous,doubtful,sequence,receives_from,sends_to,part_of,extra_text";
constexpr std::string_view kLineEnd = "\r\n";

/// Builds a line from its fields.
class Row {
public:
    explicit Row(std::string& out) : out_(out) {}

    template <class Number>
    void number(Number value) {
        separate();
        out_ += fmt::to_string(value);
    }

    template <class Number>
    void number(const std::optional<Number>& value) {
        value ? number(*value) : word("");
    }

    /// Of ours: needs no quotes.
    void word(std::string_view text) {
        separate();
        out_ += text;
    }

    void flag(bool value) { word(value ? "true" : "false"); }

    /// From the target. Spreadsheets take a text for a formula by its first character,
    /// quoted or not; an apostrophe makes it a text.
    void text(std::string_view text) {
        separate();
        const std::string safe = printable(text);
        const bool formula =
            !safe.empty() && std::string_view("=+-@").find(safe[0]) != std::string_view::npos;
        const bool quoted = safe.find_first_of(",\"") != std::string::npos;
        if (quoted) out_ += '"';
        if (formula) out_ += '\'';
        for (const char c : safe) {
            if (c == '"') out_ += '"';
            out_ += c;
        }
        if (quoted) out_ += '"';
    }

    void ranks(std::span<const model::WorldRank> ranks) {
        separate();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (i > 0) out_ += ' ';
            out_ += ranks[i] == model::kUnknownRank ? "?" : fmt::to_string(ranks[i].value);
        }
    }

    void end() { out_ += kLineEnd; }

private:
    void separate() {
        if (!first_) out_ += ',';
        first_ = false;
    }

    std::string& out_;
    bool first_ = true;
};

template <class Strong>
std::optional<int> peer(const std::optional<Strong>& rank, bool any) {
    // kUnknownRank, and what a DLL gives for a foreign process, are no numbers.
    if (any || !rank || rank->value < 0) return std::nullopt;
    return rank->value;
}

void operation_row(std::string& out,
                   const model::JobSnapshot& snapshot,
                   const Operation& operation) {
    Row row(out);
    row.number(operation.rank.value);
    row.number(operation.communicator.value);
    const bool known = operation.communicator.value >= 0 &&
                       operation.communicator.index() < snapshot.communicators.size();
    row.text(known ? std::string_view(snapshot.communicators[operation.communicator.index()].name)
                   : std::string_view());
    row.word(name_of(operation.queue));
    row.word(name_of(operation.state));
    row.number(peer(operation.comm_peer, operation.any_source));
    row.number(peer(operation.world_peer, operation.any_source));
    row.number(operation.any_tag ? std::nullopt : operation.tag);
    row.number(operation.bytes);
    row.number(operation.count);
    row.text(operation.datatype);
    row.text(operation.function);
    row.number(operation.request);
    row.flag(operation.any_source);
    row.flag(operation.any_tag);
    row.word(name_of(operation.mode));
    row.word(name_of(operation.protocol));
    row.flag(operation.persistent);
    row.flag(operation.collective);
    row.flag(operation.synchronous);
    row.flag(operation.doubtful);
    row.number(operation.sequence);
    row.ranks(operation.receives_from);
    row.ranks(operation.sends_to);
    row.number(operation.part_of);
    row.text(fmt::format("{}", fmt::join(operation.extra_text, "; ")));
    row.end();
}

}  // namespace

std::string print_csv(const model::JobSnapshot& snapshot) {
    constexpr std::size_t row_bytes = 160;
    std::string out;
    out.reserve((snapshot.operations.size() + 2) * row_bytes);
    out += kHeader;
    out += kLineEnd;
    for (const Operation& operation : snapshot.operations)
        operation_row(out, snapshot, operation);
    return out;
}

}  // namespace mqinspect::report
