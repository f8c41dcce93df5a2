/// A process in which the recorder has lists of pending operations, and MPI shows none.
#pragma once

#include <cstdint>
#include <vector>

#include "include/pending_operations.h"
#include "tests/support/fake_memory.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {

/// Rank 1 of 4.
class RecordedProcess {
public:
    static constexpr std::uint64_t kWorld = 0x44000000;
    static constexpr std::size_t kPlaces = 16;

    RecordedProcess();

    pending::Head& head() { return memory.at<pending::Head>(head_address); }
    pending::Communicator& communicator(std::uint64_t address) {
        return memory.at<pending::Communicator>(address);
    }
    pending::Operation& request(std::size_t i) { return entry(i).operation; }
    pending::Request& entry(std::size_t i) {
        return memory.at<pending::Request>(table_address + i * sizeof(pending::Request));
    }
    pending::Thread& blocked() { return memory.at<pending::Thread>(thread); }

    struct Spec {
        std::uint64_t handle = 0;
        const char* name = "";
        int size = 4;
        int rank = 1;
    };
    std::uint64_t add_communicator(const Spec& spec, const std::vector<pending::Ranks>& members);

    FakeMemory memory{std::size_t{1} << 20};
    StubTarget target;
    std::uint64_t head_address = 0;
    std::uint64_t table_address = 0;
    std::uint64_t world = 0;
    std::uint64_t thread = 0;
};

/// Of MPI_COMM_WORLD, three integers long.
pending::Operation recorded_operation(pending::Kind kind, int peer, int tag, std::int64_t order);

}  // namespace mqinspect::test
