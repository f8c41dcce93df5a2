#include "tests/fuzz/damaged_mpich.h"

#include <algorithm>

#include "tests/support/fake_mpich.h"
#include "tests/support/fake_windows.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 18;
constexpr std::size_t kDamageBytes = 6;

void fill(FakeMpich& mpich) {
    const std::uint64_t dup = mpich.add_comm({"dup", 64, {0, 1, 2, 3}});
    const std::uint64_t inter = mpich.add_comm({"inter", 80, {1, 3}, {0, 2}, 96});
    const std::uint64_t node = mpich.add_internal(dup, 2, {0, 1});
    const int datatype = mpich.add_datatype(24, "triple");
    mpich.post_receive(mpich.world, {.rank = 1, .tag = 1, .count = 2, .datatype = datatype});
    mpich.post_receive(node, {.rank = 1, .tag = 287, .context_offset = 1});
    mpich.add_persistent(mpich.post_receive(dup, {.rank = -2, .tag = -1}));
    mpich.arrive(dup, {.rank = 2, .tag = 3, .state = kEager}, 8);
    mpich.arrive(inter, {.rank = 1, .tag = 4, .state = kRendezvous}, 1 << 20);
    mpich.start_send(inter, {.rank = 0, .tag = 5, .count = 1, .state = kTypeSend});
    mpich.start_send(mpich.world, {.rank = 3, .tag = 6, .state = kTypeSend, .cc = 0});
    const std::uint64_t real =
        mpich.add_request(kSend, dup, {.rank = 1, .tag = 7, .state = kTypeSynchronous});
    mpich.remember_send(mpich.add_persistent(real));
    mpich.add_waiting_packet(dup, 2, 0, 65, 4000);
    mpich.start_collective(dup, 287);
    mpich.start_collective(mpich.world, 287);
}

void add_windows(FakeMpich& mpich, FakeWindows& windows) {
    const std::uint64_t own = mpich.add_comm({"", 112, {0, 1, 2, 3}});
    FakeWindow& locked = windows.add(own);
    locked.lock = kLockExclusive;
    windows.add_waiter(locked, 2, kAsksShared);
    windows.add_target(locked, {.rank = 3, .state = kLockGranted, .lock_type = kLockShared});
    windows.set_started(windows.add(own, true), {1, 2});
    const std::uint64_t part = mpich.add_request(kReceive, own, {.rank = 1});
    windows.add_schedule(mpich.add_request(kColl, own, {}), {{2, 1, own, part, 1}});
}

void restrict_knowledge(StubTarget& target, std::uint8_t choice) {
    if ((choice & 1) != 0) target.symbols.erase("MPIR_All_communicators");
    if ((choice & 2) != 0) target.symbols.erase("MPIR_Sendq_head");
    if ((choice & 4) != 0) target.types.erase("MPIR_Object_alloc_t");
    if ((choice & 8) != 0) target.types.erase("MPIDI_VC");
    if ((choice & 16) != 0) target.reverses_bytes = true;
    if ((choice & 32) != 0) target.pointer_size = 4;
}

void damage(FakeMemory& memory, const std::uint8_t* bytes) {
    const std::size_t place = (bytes[1] | std::size_t{bytes[2]} << 8) * 4;
    if (place + 8 > memory.used()) return;
    const std::uint64_t address = FakeMemory::kBase + place;
    const auto value = static_cast<std::uint32_t>(bytes[3] | bytes[4] << 8 | bytes[5] << 16);
    switch (bytes[0] % 6) {
        case 0:
            memory.store(address, value);
            break;
        case 1:
            memory.store(address, FakeMemory::kBase + value);
            break;
        case 2:
            memory.store(address, value | 0xff000000U);
            break;
        case 3:
            memory.store(address, memory.load<std::uint64_t>(address) + value);
            break;
        case 4:
            memory.store(address, static_cast<std::uint16_t>(value));
            break;
        default:
            memory.forbid(address);
            break;
    }
}

}  // namespace

bool survive_damage(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return true;
    StubDebugger debugger;
    FakeMpich mpich(4, 0, kRoom);
    fill(mpich);
    FakeWindows windows(mpich);
    // The damage that the corpus describes was found without them.
    if ((bytes[0] & 64) != 0) add_windows(mpich, windows);
    restrict_knowledge(mpich.target, bytes[0]);
    const bool set_up = debugger.set_up(mpich.target) == mqs_ok;
    for (std::size_t i = 1; i + kDamageBytes <= size; i += kDamageBytes) {
        damage(mpich.memory, bytes + i);
    }
    if (set_up) {
        mqs_show_internal(mpich.target.process(), bytes[0] >> 7);
        for (int update = 0; update < 2; ++update) {
            int end = mqs_ok;
            look(mpich.target);
            look_at_windows(mpich.target, end);
        }
    }
    StubDebugger::tear_down(mpich.target);
    return debugger.blocks() == 0;
}

}  // namespace mqinspect::test
