#include "inspector/target/type_donor.h"

#include <cstring>

#include <fmt/format.h>

#include "include/type_donor.h"
#include "inspector/target/process_view.h"

namespace mqinspect::target {
namespace {

constexpr const char* kSection = ".mqi_donor";
constexpr std::size_t kMaxChecks = 1000;

template <std::size_t size>
std::string text_of(const char (&text)[size]) {
    return {text, strnlen(text, size)};
}

Error refusal(const TypeDonor& donor, std::string_view why) {
    return {ErrorCode::InvalidArgument,
            fmt::format("{} does not fit this MPI library: {}", donor.image->path(), why)};
}

Result<Done> check_text(const TypeDonor& donor,
                        const DonorCheck& check,
                        Address address,
                        const Memory& memory) {
    const auto found = read_string(memory, address, sizeof(mqi_donor_check::text));
    if (found && *found == check.text) return Done{};
    return refusal(donor,
                   fmt::format("{} is {}, not \"{}\"",
                               check.symbol,
                               found ? fmt::format("\"{}\"", *found) : "unreadable",
                               check.text));
}

Result<Done> check_word(const TypeDonor& donor,
                        const DonorCheck& check,
                        Address address,
                        const Memory& memory) {
    const auto found = read_value<std::uint64_t>(memory, address + check.offset);
    if (found && *found == check.value) return Done{};
    return refusal(donor,
                   fmt::format("{}+{} holds {}, not {}",
                               check.symbol,
                               check.offset,
                               found ? fmt::format("{}", *found) : "what cannot be read",
                               check.value));
}

Result<Done> check_size(const TypeDonor& donor, const DonorCheck& check, const ProcessView& view) {
    for (const Module& module : view.modules()) {
        const auto symbol = module.image->find_dynamic_symbol(check.symbol);
        if (!symbol) continue;
        if (symbol->size == check.value) return Done{};
        return refusal(
            donor, fmt::format("{} has {} bytes, not {}", check.symbol, symbol->size, check.value));
    }
    return refusal(donor, fmt::format("it has no symbol {}", check.symbol));
}

}  // namespace

Result<std::vector<DonorCheck>> parse_donor_checks(std::string_view section) {
    const std::size_t count = section.size() / sizeof(mqi_donor_check);
    if (section.size() % sizeof(mqi_donor_check) != 0 || count > kMaxChecks) {
        return Error{ErrorCode::CorruptData, "its section .mqi_donor is damaged"};
    }
    std::vector<DonorCheck> checks;
    for (std::size_t i = 0; i < count; ++i) {
        mqi_donor_check raw{};
        std::memcpy(&raw, section.data() + i * sizeof raw, sizeof raw);
        checks.push_back({.kind = raw.kind,
                          .offset = raw.offset,
                          .value = raw.value,
                          .symbol = text_of(raw.symbol),
                          .text = text_of(raw.text)});
    }
    return checks;
}

Result<TypeDonor> open_donor(const std::filesystem::path& path, ImageStore& store) {
    const auto refuse = [&path](std::string_view why) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} cannot lend types: {}", path.native(), why)};
    };
    auto image = store.file(path);
    if (!image) return refuse(image.error().message);
    if (!(*image)->has_debug_info()) return refuse("it has no debug information");
    TypeDonor donor{.image = *image, .checks = {}};
    auto checks = parse_donor_checks((*image)->section(kSection));
    if (!checks) return refuse(checks.error().message);
    if (checks->empty()) {
        return refuse("it does not say which library it fits (a section .mqi_donor)");
    }
    donor.checks = std::move(*checks);
    return donor;
}

Result<Done> check_donor(const TypeDonor& donor, const ProcessView& view, const Memory& memory) {
    for (const DonorCheck& check : donor.checks) {
        const auto address = view.find_symbol(check.symbol);
        if (!address) return refusal(donor, fmt::format("it has no symbol {}", check.symbol));
        switch (check.kind) {
            case mqi_donor_text:
                TRY(check_text(donor, check, *address, memory));
                break;
            case mqi_donor_word:
                TRY(check_word(donor, check, *address, memory));
                break;
            case mqi_donor_size:
                TRY(check_size(donor, check, view));
                break;
            default:
                return refusal(
                    donor,
                    fmt::format("it asks for a check of kind {}, which is none", check.kind));
        }
    }
    return Done{};
}

}  // namespace mqinspect::target
