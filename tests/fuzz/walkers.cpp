#include "tests/fuzz/walkers.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include <climits>

#include "tests/fuzz/subject.h"
#include "tests/support/fake_windows.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {
namespace {

constexpr std::size_t kDamageBytes = 9;
/// Reads of the first look that a change can come before.
constexpr std::size_t kReadsPerStep = 3;

struct Damage {
    std::uint8_t how = 0;
    std::uint8_t when = 0;
    std::uint8_t part = 0;
    std::uint16_t place = 0;
    std::uint32_t value = 0;
};

std::vector<Damage> decode(std::span<const std::uint8_t> bytes) {
    std::vector<Damage> result;
    for (; bytes.size() >= kDamageBytes; bytes = bytes.subspan(kDamageBytes)) {
        Damage damage{bytes[0], bytes[1], bytes[2], 0, 0};
        std::memcpy(&damage.place, &bytes[3], sizeof damage.place);
        std::memcpy(&damage.value, &bytes[5], sizeof damage.value);
        result.push_back(damage);
    }
    return result;
}

void restrict_knowledge(StubTarget& target, std::uint8_t choice) {
    if ((choice & 1) != 0) target.symbols.erase("MPIR_All_communicators");
    if ((choice & 2) != 0) target.symbols.erase("MPIR_Sendq_head");
    if ((choice & 4) != 0) target.types.erase("MPIR_Object_alloc_t");
    if ((choice & 8) != 0) target.types.erase("MPIDI_VC");
    if ((choice & 16) != 0) target.reverses_bytes = true;
    if ((choice & 32) != 0) target.pointer_size = 4;
    if ((choice & 64) != 0) target.invents_types = true;
}

/// The place in a part that a damage hits; 0: outside.
std::uint64_t place_of(const Subject& subject, const Damage& damage) {
    const auto& parts = subject.parts();
    if (parts.empty()) return 0;
    const Subject::Part& part = parts[damage.part % parts.size()];
    const std::size_t words = part.bytes / 4;
    return words == 0 ? 0 : part.address + std::size_t{damage.place} % words * 4;
}

void damage_memory(Subject& subject, const Damage& damage) {
    FakeMemory& memory = subject.memory();
    const std::uint64_t place = place_of(subject, damage);
    if (place == 0 || place + 8 > FakeMemory::kBase + memory.used()) return;
    const std::uint64_t base = FakeMemory::kBase;
    // Addresses of 8 bytes each.
    const std::uint64_t elsewhere = base + damage.value % (memory.used() / 8) * 8;
    switch (damage.how % 12) {
        case 0:
            return memory.store(place, damage.value);
        case 1:
            return memory.store(place, elsewhere);
        case 2:
            return memory.store(place, memory.load<std::uint64_t>(place) + damage.value);
        case 3:
            return memory.store(place, static_cast<std::uint16_t>(damage.value));
        case 4:
            return memory.store(place, std::uint64_t{1} << 63);
        case 5:
            return memory.store(place, ~std::uint64_t{0});
        case 6:
            return memory.store(place, std::int32_t{-1});
        case 7:
            return memory.store(place, INT_MAX);
        case 8:
            return memory.store(place, INT_MIN);
        case 9:
            // A link of one list in another, or back to where the list was.
            return memory.store(place, memory.load<std::uint64_t>(elsewhere));
        case 10:
            return memory.store(place, std::uint64_t{0});
        default:
            return memory.forbid(place);
    }
}

void damage_types(StubTarget& target, const Damage& damage) {
    if (target.types.empty()) return;
    auto type = target.types.begin();
    std::advance(type, damage.part % target.types.size());
    if (damage.how % 8 == 0) {
        target.types.erase(type);
        return;
    }
    if (damage.how % 8 == 1) {
        type->second.size = static_cast<int>(damage.value);
        return;
    }
    auto& fields = type->second.fields;
    if (fields.empty()) return;
    auto field = fields.begin();
    std::advance(field, damage.place % fields.size());
    if (damage.how % 8 == 2) {
        fields.erase(field);
    } else if (damage.how % 8 == 3) {
        field->second = static_cast<int>(damage.value);
    } else {
        field->second = static_cast<int>(damage.value % 4096);
    }
}

/// Changes memory while the DLL reads it.
class Changes {
public:
    Changes(Subject& subject, std::vector<Damage> damages)
        : subject_(subject), damages_(std::move(damages)) {
        std::ranges::stable_sort(damages_, {}, &Damage::when);
        subject_.memory().before_read([this] { step(); });
    }
    ~Changes() { subject_.memory().before_read(nullptr); }
    Changes(const Changes&) = delete;
    Changes& operator=(const Changes&) = delete;

private:
    void step() {
        ++reads_;
        while (next_ < damages_.size() && damages_[next_].when * kReadsPerStep <= reads_)
            damage_memory(subject_, damages_[next_++]);
    }

    Subject& subject_;
    std::vector<Damage> damages_;
    std::size_t next_ = 0;
    std::size_t reads_ = 0;
};

void look_at_all(StubTarget& target) {
    look(target);
    int end = mqs_ok;
    look_at_windows(target, end);
}

Subject& subject_of(const std::string& walker) {
    static std::map<std::string, std::unique_ptr<Subject>> subjects;
    auto& subject = subjects[walker];
    if (subject == nullptr) subject = std::make_unique<Subject>(walker);
    subject->repair();
    return *subject;
}

}  // namespace

std::vector<std::string> walker_names() {
    std::vector<std::string> names = mpich_walkers();
    names.emplace_back(kRecorderWalker);
    std::vector<std::string> layouts;
    for (const auto& entry : std::filesystem::directory_iterator(MQI_FIXTURES)) {
        if (entry.path().extension() == ".layout") layouts.push_back(entry.path().stem().string());
    }
    std::ranges::sort(layouts);
    names.insert(names.end(), layouts.begin(), layouts.end());
    return names;
}

bool survive_damage(const std::string& walker, const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return true;
    Subject& subject = subject_of(walker);
    StubTarget& target = subject.target();
    restrict_knowledge(target, bytes[0]);
    std::vector<Damage> later;
    std::vector<Damage> now;
    for (const Damage& damage : decode({bytes + 1, size - 1})) {
        if (subject.damages_types()) {
            damage_types(target, damage);
        } else {
            (damage.when == 0 ? now : later).push_back(damage);
        }
    }
    StubDebugger debugger;
    const bool set_up = debugger.set_up(target) == mqs_ok;
    for (const Damage& damage : now)
        damage_memory(subject, damage);
    if (set_up) {
        mqs_show_internal(target.process(), bytes[0] >> 7);
        {
            const Changes changes(subject, std::move(later));
            look_at_all(target);
        }
        look_at_all(target);
    }
    StubDebugger::tear_down(target);
    return debugger.blocks() == 0;
}

}  // namespace mqinspect::test
