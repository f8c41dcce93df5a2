/// Types from another file, where the MPI library was stripped of its own.
///
/// include/type_donor.h says how such a file is made.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/target/image.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

class ProcessView;

/// One condition, as the donor has it; nothing is checked.
struct DonorCheck {
    std::uint64_t kind = 0;
    std::uint64_t offset = 0;
    std::uint64_t value = 0;
    std::string symbol;
    std::string text;
};

/// The conditions in the content of a section .mqi_donor. CorruptData: it is
/// no array of them, or longer than any donor needs.
Result<std::vector<DonorCheck>> parse_donor_checks(std::string_view section);

/// A donor and what must hold of a library that it lends its types to.
struct TypeDonor {
    Image* image = nullptr;  ///< owned by the ImageStore
    std::vector<DonorCheck> checks;
};

/// InvalidArgument with one clear line: no ELF file, no debug information, no checks.
Result<TypeDonor> open_donor(const std::filesystem::path& path, ImageStore& store);

/// InvalidArgument, with the first condition that does not hold: the types are those
/// of another library.
Result<Done> check_donor(const TypeDonor& donor, const ProcessView& view, const Memory& memory);

}  // namespace mqinspect::target
