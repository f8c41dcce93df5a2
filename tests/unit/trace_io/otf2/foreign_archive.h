/// OTF2 archives as other tools write them: without attributes, and not always complete.
#pragma once

#include <cstdint>
#include <map>
#include <otf2/otf2.h>
#include <string>
#include <vector>

namespace mqinspect::test {

/// A run of some processes in MPI_COMM_WORLD, which is communicator 0; window 0 is of it, and rank
/// N alone is group N + 2. Time goes on by itself. Communicator 1 is a copy of which events tell.
class ForeignArchive {
public:
    ForeignArchive(const std::string& folder, std::uint32_t processes);
    ForeignArchive(const ForeignArchive&) = delete;
    ForeignArchive& operator=(const ForeignArchive&) = delete;
    /// Writes the definitions and closes it.
    ~ForeignArchive();

    OTF2_EvtWriter* at(std::uint32_t rank) { return writers_[rank]; }
    OTF2_TimeStamp now() { return time_++; }
    void enter(std::uint32_t rank, const std::string& region);
    void leave(std::uint32_t rank, const std::string& region);
    /// As EZTrace does it: the group of MPI_COMM_WORLD gets the number of the group of locations.
    void number_groups_twice() { world_group_ = 0; }
    /// A call without records.
    void call(std::uint32_t rank, const std::string& region);
    /// The same call of all processes.
    void all_call(const std::string& region);

private:
    OTF2_StringRef text(const std::string& text);
    OTF2_RegionRef region(const std::string& name);
    void write_definitions();

    OTF2_Archive* archive_;
    std::uint32_t processes_;
    std::vector<OTF2_EvtWriter*> writers_;
    OTF2_TimeStamp time_ = 1;
    OTF2_GroupRef world_group_ = 1;
    std::map<std::string, OTF2_StringRef> texts_;
    std::map<std::string, OTF2_RegionRef> regions_;
};

}  // namespace mqinspect::test
