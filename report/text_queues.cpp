#include "report/text_queues.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/rank_ranges.h"

namespace mqinspect::report {
namespace {

using model::Operation;

constexpr std::size_t kRowsShown = 10;
constexpr std::size_t kRangesShown = 6;

/// The columns behind RANK and the number of equal operations.
using Cells = std::vector<std::string>;

struct Entry {
    Cells cells;
    std::size_t count = 1;
    std::vector<std::string> extra_text;

    friend bool operator==(const Entry&, const Entry&) = default;
};

struct Group {
    std::vector<model::WorldRank> ranks;
    std::vector<Entry> entries;
};

/// What names a process.
struct Job {
    const model::JobSnapshot& snapshot;
    model::Worlds worlds;
    const QueueOptions& options;

    bool is_foreign(const Operation& operation) const {
        return model::is_foreign_peer(snapshot.communicators[operation.communicator.index()],
                                      operation.rank,
                                      *operation.comm_peer);
    }
};

std::string queue_text(const Operation& operation) {
    std::string_view kind = "?";
    switch (operation.queue) {
        case model::Queue::PostedReceive:
            kind = "posted receive";
            break;
        case model::Queue::UnexpectedMessage:
            kind = "unexpected message";
            break;
        case model::Queue::PendingSend:
            kind = "pending send";
            break;
        case model::Queue::Collective:
            kind = "collective";
            break;
    }
    if (operation.function.empty()) return std::string(kind);
    return fmt::format("{}, {}", kind, operation.function);
}

/// Whom its part waits for at the moment; "all" where nobody can say.
std::string collective_peers_text(const Job& job, const Operation& operation) {
    std::string text;
    if (!operation.receives_from.empty()) {
        text = "from " + rank_ranges(job.worlds, operation.receives_from, kRangesShown);
    }
    if (!operation.sends_to.empty()) {
        text += (text.empty() ? "to " : ", to ") +
                rank_ranges(job.worlds, operation.sends_to, kRangesShown);
    }
    return text.empty() ? "all" : text;
}

std::string peer_text(const Job& job, const Operation& operation) {
    if (operation.queue == model::Queue::Collective) return collective_peers_text(job, operation);
    if (operation.any_source) return "any";
    if (job.options.local_ranks && operation.comm_peer) {
        return std::to_string(operation.comm_peer->value);
    }
    const bool world_known = operation.world_peer && *operation.world_peer != model::kUnknownRank;
    if (!world_known) {
        if (!operation.comm_peer) return "?";
        return fmt::format("comm rank {}{}",
                           operation.comm_peer->value,
                           job.is_foreign(operation) ? ", of another job" : "");
    }
    std::string world = rank_ranges(job.worlds, {&*operation.world_peer, 1});
    const bool same = operation.comm_peer && !job.worlds.several() &&
                      operation.comm_peer->value == operation.world_peer->value;
    if (!operation.comm_peer || same) return world;
    return fmt::format("{} (comm rank {})", world, operation.comm_peer->value);
}

std::string tag_text(const Operation& operation) {
    if (operation.queue == model::Queue::Collective) return "";
    if (operation.any_tag) return "any";
    return operation.tag ? std::to_string(*operation.tag) : "?";
}

std::string data_text(const Operation& operation) {
    std::string text;
    if (operation.count && !operation.datatype.empty()) {
        text = fmt::format("{} {}", *operation.count, operation.datatype);
    }
    if (operation.bytes) {
        if (!text.empty()) text += ", ";
        text += fmt::format("{} B", *operation.bytes);
    }
    return text.empty() && operation.queue != model::Queue::Collective ? "?" : text;
}

}  // namespace

std::string operation_details(const Operation& operation, bool verbose) {
    std::vector<std::string> words;
    const bool probed = operation.queue == model::Queue::UnexpectedMessage;
    if (operation.state == model::OperationState::Matched) {
        words.emplace_back(probed ? "taken by a matched probe" : "matched");
    }
    if (operation.state == model::OperationState::Complete) words.emplace_back("complete");
    switch (operation.mode) {
        case model::SendMode::Synchronous:
            words.emplace_back("synchronous");
            break;
        case model::SendMode::Ready:
            words.emplace_back("ready");
            break;
        case model::SendMode::Buffered:
            words.emplace_back("buffered");
            break;
        case model::SendMode::Unknown:
        case model::SendMode::Standard:
            break;
    }
    if (operation.synchronous) words.emplace_back("sender waits");
    if (operation.doubtful) words.emplace_back("may not exist");
    switch (operation.protocol) {
        case model::Protocol::Eager:
            words.emplace_back("eager");
            break;
        case model::Protocol::Rendezvous:
            words.emplace_back("rendezvous");
            break;
        case model::Protocol::Self:
            words.emplace_back("to itself");
            break;
        case model::Protocol::Unknown:
            break;
    }
    if (operation.persistent) words.emplace_back("persistent");
    if (operation.collective) words.emplace_back("part of a collective");
    if (operation.part_of) words.emplace_back("part of MPI_Isendrecv");
    if (operation.sequence) words.push_back(fmt::format("number {}", *operation.sequence));
    if (verbose && operation.request) {
        words.push_back(fmt::format("request {:#x}", *operation.request));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

namespace {

Entry entry_of(const Job& job, const Operation& operation) {
    const bool verbose = job.options.verbose;
    Entry entry;
    entry.cells = {queue_text(operation),
                   peer_text(job, operation),
                   tag_text(operation),
                   data_text(operation),
                   operation_details(operation, verbose)};
    if (verbose) entry.extra_text = operation.extra_text;
    return entry;
}

/// The queues of one communicator, rank by rank.
std::vector<Group> group_by_rank(const Job& job, const std::vector<const Operation*>& operations) {
    std::vector<Group> groups;
    for (const Operation* operation : operations) {
        if (groups.empty() || groups.back().ranks.front() != operation->rank) {
            groups.push_back({{operation->rank}, {}});
        }
        std::vector<Entry>& entries = groups.back().entries;
        Entry entry = entry_of(job, *operation);
        if (!job.options.verbose && !entries.empty() && entries.back().cells == entry.cells) {
            ++entries.back().count;
        } else {
            entries.push_back(std::move(entry));
        }
    }
    return groups;
}

/// Joins ranks whose whole queues read the same; the order of the first stays.
std::vector<Group> join_equal(std::vector<Group> groups) {
    std::vector<Group> joined;
    std::map<std::vector<std::pair<std::size_t, Cells>>, std::size_t> known;
    for (Group& group : groups) {
        std::vector<std::pair<std::size_t, Cells>> key;
        for (const Entry& entry : group.entries)
            key.emplace_back(entry.count, entry.cells);
        const auto [place, is_new] = known.emplace(std::move(key), joined.size());
        if (is_new) {
            joined.push_back(std::move(group));
        } else {
            joined[place->second].ranks.push_back(group.ranks.front());
        }
    }
    return joined;
}

/// The cell that names the ranks of a group.
std::string ranks_text(const Job& job,
                       const model::Communicator& communicator,
                       const std::vector<model::WorldRank>& ranks) {
    const std::size_t limit = job.options.verbose ? ranks.size() : kRangesShown;
    if (!job.options.local_ranks) return rank_ranges(job.worlds, ranks, limit);
    std::vector<model::WorldRank> local;
    for (const model::WorldRank rank : ranks) {
        const auto place = model::comm_rank_in(job.snapshot.ranks[rank.index()], communicator.id);
        local.push_back(place ? model::WorldRank(place->value) : model::kUnknownRank);
    }
    return rank_ranges(local, limit);
}

void print_groups(Page& page,
                  const Job& job,
                  const model::Communicator& communicator,
                  const std::vector<Group>& groups) {
    const bool verbose = job.options.verbose;
    Table table({job.options.local_ranks ? "COMM RANK" : "RANK",
                 "",
                 "OPERATION",
                 "PEER",
                 "TAG",
                 "DATA",
                 "STATE"});
    std::size_t shown = 0;
    std::size_t hidden = 0;
    for (const Group& group : groups) {
        const std::string ranks = ranks_text(job, communicator, group.ranks);
        for (const Entry& entry : group.entries) {
            if (!verbose && shown >= kRowsShown) {
                hidden += entry.count * group.ranks.size();
                continue;
            }
            ++shown;
            Cells cells = {ranks, entry.count > 1 ? fmt::format("{} x", entry.count) : ""};
            cells.insert(cells.end(), entry.cells.begin(), entry.cells.end());
            table.row(std::move(cells));
            for (const std::string& line : entry.extra_text)
                table.beneath(Style::Dim, line);
        }
    }
    table.print(page, 4);
    if (hidden > 0) {
        page.paragraph(Style::Dim, fmt::format("... {} more operations", hidden), 4);
    }
}

std::string communicator_title(const Job& job, const model::Communicator& communicator) {
    const std::size_t size = communicator.members.size();
    std::string title = fmt::format("{}, ", model::communicator_name(job.worlds, communicator));
    if (communicator.inter) {
        title += fmt::format("intercommunicator of {} and {}",
                             named_ranks(job.worlds, communicator.members),
                             named_ranks(job.worlds, communicator.remote_members));
    } else if (size == job.snapshot.ranks.size() && !job.worlds.several()) {
        title += size == 1 ? "1 rank" : fmt::format("all {} ranks", size);
    } else {
        title += named_ranks(job.worlds, communicator.members);
    }
    return communicator.internal ? title + " (of the MPI library)" : title;
}

/// What the debugger DLL has not told in full; empty if there is nothing.
std::string_view missing_queues(const model::RankSnapshot& rank) {
    if (rank.queues_known || rank.state == model::RankState::Exited) return {};
    if (rank.receives_known && rank.sends_known) return "unexpected messages not known for ";
    return rank.receives_known ? "sends not known in full for " : "not known for ";
}

/// False: nothing is missing.
bool print_missing(Page& page, const Job& job) {
    std::map<std::string_view, std::vector<model::WorldRank>> missing;
    for (const model::RankSnapshot& rank : job.snapshot.ranks) {
        const std::string_view what = missing_queues(rank);
        if (!what.empty()) missing[what].push_back(rank.rank);
    }
    for (const auto& [what, ranks] : missing)
        page.paragraph(Style::Warning, std::string(what) + named_ranks(job.worlds, ranks), 2);
    return !missing.empty();
}

}  // namespace

void print_queues(Page& page, const model::JobSnapshot& snapshot, const QueueOptions& options) {
    const Job job{snapshot, model::Worlds(snapshot), options};
    std::vector<std::vector<const Operation*>> by_communicator(snapshot.communicators.size());
    std::size_t internal = 0;
    for (const Operation& operation : snapshot.operations) {
        if (operation.communicator.index() >= by_communicator.size()) continue;
        if (options.shown && !options.shown(operation)) continue;
        if (!options.verbose && operation.collective) {
            ++internal;
        } else {
            by_communicator[operation.communicator.index()].push_back(&operation);
        }
    }
    page.blank();
    page.paragraph(Style::Title, "Pending operations");
    bool any = false;
    for (std::size_t i = 0; i < by_communicator.size(); ++i) {
        if (by_communicator[i].empty()) continue;
        any = true;
        const model::Communicator& communicator = snapshot.communicators[i];
        page.paragraph(Style::Plain, communicator_title(job, communicator), 2);
        std::vector<Group> groups = group_by_rank(job, by_communicator[i]);
        if (!options.verbose) groups = join_equal(std::move(groups));
        print_groups(page, job, communicator, groups);
    }
    if (internal > 0) {
        page.paragraph(
            Style::Dim, fmt::format("... {} more, inside collective calls", internal), 2);
    }
    const bool missing = print_missing(page, job);
    if (!any && internal == 0 && !missing) page.paragraph(Style::Dim, "none", 2);
}

}  // namespace mqinspect::report
