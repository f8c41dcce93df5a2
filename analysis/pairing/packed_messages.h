/// What MPI_Unpack takes out of a received message as another datatype than MPI_Pack has put there.
///
/// MPI 4.0, 5.2: what is sent as MPI_PACKED must be unpacked as what was packed. A piece is
/// compared with what is unpacked from the place where it begins. Buffers are told by their
/// addresses: what was packed from position 0 on, sent from there, and received where it is
/// unpacked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/operation.h"
#include "analysis/pairing/report.h"
#include "model/execution.h"

namespace mqinspect::analysis {

class PackedMessages {
public:
    /// Keeps references.
    PackedMessages(const TypeSignatures& signatures, InterprocessReport& report);

    /// False: nothing is unpacked in the run, and no call needs to be shown.
    bool wanted() const { return packs_; }
    /// The next call of its process.
    void see(const model::RecordedCall& call);
    void check(const Operation& send, const Operation& receive);

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
        std::shared_ptr<const Pieces> packed;
        std::vector<Piece> unpacked;
    };
    using MessagePtr = std::shared_ptr<Message>;
    using Key = std::pair<model::ProcessId, std::uint64_t>;  ///< process, event
    struct Process {
        std::map<std::int64_t, std::shared_ptr<Pieces>> packing;  ///< by buffer
        std::map<std::int64_t, MessagePtr> received;              ///< by buffer
        std::set<std::int64_t> reused;  ///< buffers of persistent operations
    };

    void pack(const model::RecordedCall& call, const model::Procedure& procedure);
    void unpack(const model::RecordedCall& call, const model::Procedure& procedure);
    void send(const model::RecordedCall& call, std::int64_t buffer);
    void receive(const model::RecordedCall& call, std::int64_t buffer);
    void compare(const Pieces& packed, const Piece& unpacked);

    const TypeSignatures& signatures_;
    InterprocessReport& report_;
    bool packs_ = false;
    std::int64_t packed_type_ = -1;
    std::vector<Process> processes_;
    std::map<Key, std::shared_ptr<const Pieces>> sent_;
    std::map<Key, MessagePtr> expected_;
};

}  // namespace mqinspect::analysis
