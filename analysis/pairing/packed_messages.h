/// What MPI_Unpack takes out of a message as another datatype than has been put there, and packed
/// messages that are received as other datatypes.
///
/// MPI 4.0, 5.2: what was packed must be unpacked, or received, as what it is; and what was sent
/// without being packed may be received as MPI_PACKED and unpacked as what it is. A piece is
/// compared with what is unpacked from the place where it begins. Buffers are told by their
/// addresses: what was packed from position 0 on, sent from there, and received where it is
/// unpacked; MPI_Scatter and its kin may send parts of it from further positions. Packed buffers
/// may be sent as MPI_BYTE, too, as those of MPI_Pack_external are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/report.h"
#include "model/execution.h"

namespace mqinspect::analysis {

class PackedMessages {
public:
    /// Keeps references.
    PackedMessages(const TypeSignatures& signatures, InterprocessReport& report);

    /// False: nothing is packed or unpacked in the run, and no call needs to be shown.
    bool wanted() const { return packs_; }
    /// The next call of its process.
    void see(const model::RecordedCall& call);
    void check(const Operation& send, const Operation& receive, const Matcher& matcher);
    void check(const Wave& wave);

private:
    struct Piece {
        EventSite site;
        std::int64_t position = 0;
        std::int64_t count = 0;
        model::DatatypeId type;
    };
    using Pieces = std::map<std::int64_t, Piece>;  ///< by position
    /// A message at its receiver: what comes first waits for the other.
    struct Message {
        bool arrived = false;
        std::shared_ptr<const Pieces> packed;  ///< null: it was not, but is `plain`
        Piece plain;
        std::vector<Piece> unpacked;
    };
    using MessagePtr = std::shared_ptr<Message>;
    /// Process, event, and of a persistent operation also the event that made its request; else 0.
    using Key = std::tuple<model::ProcessId, std::uint64_t, std::uint64_t>;
    /// A persistent operation with a packed buffer.
    struct Persistent {
        std::uint64_t made = 0;  ///< event
        std::int64_t buffer = 0;
        std::int64_t bytes = 0;
        bool sends = false;
    };
    struct Process {
        std::map<std::int64_t, std::shared_ptr<Pieces>> packing;  ///< by buffer
        std::map<std::int64_t, MessagePtr> received;              ///< by buffer
        std::set<std::int64_t> reused;                  ///< buffers of other persistent operations
        std::map<std::int64_t, Persistent> persistent;  ///< by request
    };

    /// A call as it is looked at.
    struct Seen {
        const model::RecordedCall& call;
        const model::Procedure& procedure;

        /// Null: it has no such parameter.
        const model::Value* named(std::string_view name) const;
        std::int64_t number(std::string_view name, std::int64_t otherwise = -1) const;
        bool has(std::string_view name) const { return named(name) != nullptr; }
    };

    void pack(const Seen& seen);
    void unpack(const Seen& seen);
    static Key key_of(const Seen& seen, std::uint64_t made = 0);
    Key key_of(const Operation& operation, const Matcher& matcher) const;
    void send(const Key& key, std::int64_t buffer);
    void receive(const Key& key, std::int64_t buffer, std::int64_t bytes);
    bool see_message(const Seen& seen);
    bool see_persistent(const Seen& seen);
    void start(const Seen& seen, std::int64_t request);
    /// Collective operations with a root.
    bool see_rooted(const Seen& seen);
    /// One part for each member of the communicator.
    void send_parts(const Seen& seen, std::size_t members);
    void receive_parts(const Seen& seen, std::size_t members);
    static std::shared_ptr<const Pieces> part_of(const Process& process,
                                                 std::int64_t buffer,
                                                 std::int64_t offset,
                                                 std::int64_t bytes);
    bool may_be_packed(std::int64_t type) const;
    void forget_written(const Seen& seen);
    void arrive(Message& message, const std::shared_ptr<const Pieces>& packed, const Piece& plain);
    void compare(const Message& message, const Piece& unpacked);
    void compare_received(const Pieces& packed, const Piece& received);
    bool differ(const Piece& one, const Piece& other, bool from_the_same_place) const;
    void report(const Piece& sent, const Piece& taken, const std::string& message);

    const TypeSignatures& signatures_;
    InterprocessReport& report_;
    bool packs_ = false;
    std::int64_t packed_type_ = -1;
    std::int64_t byte_type_ = -1;
    std::vector<Process> processes_;
    /// One, or one to each member.
    std::map<Key, std::vector<std::shared_ptr<const Pieces>>> sent_;
    /// One, or one from each member.
    std::map<Key, std::vector<MessagePtr>> expected_;
};

}  // namespace mqinspect::analysis
