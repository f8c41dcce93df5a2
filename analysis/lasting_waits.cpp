// What can be said of a collective call of which nothing shows, from its lasting alone.
//
// Whom a rank waits for in MPI_Bcast and its kin is up to the library: the root may be gone, and
// the data on its way from any member. But a rank that has had the processor for a while in such a
// call, with next to nothing to transfer, would have left if it could: it waits for at least one
// of the others, in the call or elsewhere. So do all that are in the call, and if each of them
// stays, no transfer among them will release one.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "analysis/collective_waits.h"

namespace mqinspect::analysis {

using model::CallClass;
using Mode = WaitForGraph::Mode;

namespace {

constexpr long kFewElements = 1024;

bool is_few(std::string_view text) {
    long count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc{} && end == text.data() + text.size() && count <= kFewElements;
}

// The operation moves so little data that nobody stays in it for the sake of the transfer.
// Elements of predefined types have 32 bytes at most; counts in arrays are not read.
bool moves_little(const model::Call& call) {
    return std::all_of(
        call.arguments.begin(), call.arguments.end(), [](const model::Argument& argument) {
            const std::string_view name = argument.name;
            if (name.ends_with("counts") || name.ends_with("types")) return false;
            if (name.ends_with("count")) return is_few(argument.text);
            return !name.ends_with("type") || argument.text.starts_with("MPI_");
        });
}

}  // namespace

// `uncertain`: what there is to say otherwise.
std::vector<Clause> CollectiveWaits::if_it_lasts(Node node,
                                                 const model::Call& call,
                                                 CallClass call_class,
                                                 const Clause& uncertain) {
    const auto& rank = index_.rank(node);
    const bool shows = rank.queues_known || !rank.progress_count;
    const bool out_of_sight = uncertain.of_foreign != Clause::Kind::Other;
    if (shows || out_of_sight || call_class == CallClass::FileAccess) return {uncertain};
    const GroupKey key{call.communicator->value, call.function};
    Group& group = groups_[key];
    if (!group.everybody)
        group.everybody = add_set(members(*index_.communicator(call.communicator)));
    const std::uint32_t not_here = absent(key, group);
    // From here on no set is added.
    const auto& everybody = sets_[*group.everybody];
    const bool alone = sets_[not_here].size() + 1 == everybody.size();
    if (!alone && !moves_little(call)) return {uncertain};
    Clause lasting = whole_set(*group.everybody, Clause::Kind::Take, call);
    lasting.mode = Mode::Any;
    lasting.lasting = true;
    if (uncertain.kind == Clause::Kind::Other) {
        // It is shown: a rank among its own targets says nothing.
        if (everybody.size() <= kListedOnce) {
            lasting.shared.reset();
            std::ranges::remove_copy(everybody, std::back_inserter(lasting.targets), node);
        }
        return {lasting};
    }
    lasting.bound = true;
    return {uncertain, lasting};
}

}  // namespace mqinspect::analysis
