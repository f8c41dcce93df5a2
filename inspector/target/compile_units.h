/// The compile units of one file's debug information, and which one describes
/// an address.
#pragma once

#include <cstdint>
#include <vector>

#include <elfutils/libdw.h>

namespace mqinspect::target {

class CompileUnits {
public:
    /// Lists the units. `dwarf` must outlive the object.
    explicit CompileUnits(Dwarf* dwarf);

    /// The top entry of each unit with content: compile, partial and type units.
    const std::vector<Dwarf_Die>& all() const { return units_; }
    /// The unit whose code ranges hold the address as linked, or null.
    const Dwarf_Die* at(std::uint64_t address) const;

private:
    struct Range {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::size_t unit = 0;
    };
    void read_ranges() const;

    std::vector<Dwarf_Die> units_;
    // From the units themselves: not every compiler writes .debug_aranges.
    mutable std::vector<Range> ranges_;
    mutable bool ranges_read_ = false;
};

}  // namespace mqinspect::target
