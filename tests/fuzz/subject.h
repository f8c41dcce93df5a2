/// A process for the fuzzer: made once, damaged and repaired for every input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/described_target.h"
#include "tests/support/fake_mpich.h"
#include "tests/support/recorded_process.h"

namespace mqinspect::test {

class Subject {
public:
    /// A piece of memory that the walker reads.
    struct Part {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
    };

    /// Precondition: there is such a walker.
    explicit Subject(const std::string& walker);

    StubTarget& target() { return *target_; }
    FakeMemory& memory() { return *target_->memory; }
    const std::vector<Part>& parts() const { return parts_; }
    /// Damages hit the answers about types, not memory.
    bool damages_types() const { return damages_types_; }

    /// Undoes every change since construction.
    void repair();

private:
    void make_mpich(const std::string& walker);
    void make_recorded();
    void make_described(const std::string& layout);

    std::unique_ptr<FakeMpich> mpich_;
    std::unique_ptr<DescribedTarget> described_;
    std::unique_ptr<RecordedProcess> recorded_;
    StubTarget* target_ = nullptr;
    std::vector<Part> parts_;
    bool damages_types_ = false;
    StubTarget whole_target_;
    std::vector<unsigned char> whole_memory_;
};

/// Names of the parts of FakeMpich, as of walker_names.
const std::vector<std::string>& mpich_walkers();
/// The reader of the lists that the recorder keeps.
inline constexpr char kRecorderWalker[] = "recorder_lists";

}  // namespace mqinspect::test
