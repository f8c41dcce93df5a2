#include "inspector/target/compile_units.h"

#include <algorithm>

#include <dwarf.h>

namespace mqinspect::target {

CompileUnits::CompileUnits(Dwarf* dwarf) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die{};
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
        if (dwarf_tag(&die) != DW_TAG_invalid && dwarf_haschildren(&die) == 1)
            units_.push_back(die);
    }
}

void CompileUnits::read_ranges() const {
    ranges_read_ = true;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        Dwarf_Die die = units_[i];
        Dwarf_Addr base = 0;
        Dwarf_Addr low = 0;
        Dwarf_Addr high = 0;
        std::ptrdiff_t offset = 0;
        while ((offset = dwarf_ranges(&die, offset, &base, &low, &high)) > 0) {
            // Code that the linker dropped keeps ranges that start at 0.
            if (low != 0 && low < high) ranges_.push_back({low, high, i});
        }
    }
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
        return a.low < b.low;
    });
}

const Dwarf_Die* CompileUnits::at(std::uint64_t address) const {
    if (!ranges_read_) read_ranges();
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), address, [](std::uint64_t wanted, const Range& range) {
            return wanted < range.low;
        });
    if (after == ranges_.begin()) return nullptr;
    const Range& range = *(after - 1);
    return address < range.high ? &units_[range.unit] : nullptr;
}

}  // namespace mqinspect::target
