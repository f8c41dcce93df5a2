#include "tracer/control/instruction.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "tracer/control/mask_registers.h"

namespace mqinspect::tracer {

namespace {

constexpr std::uint64_t kPage = 4096;

struct Library {
    decltype(&ZydisDecoderInit) init = nullptr;
    decltype(&ZydisDecoderDecodeFull) decode = nullptr;
    decltype(&ZydisCalcAbsoluteAddressEx) address = nullptr;
    ZydisDecoder decoder{};
    bool works = false;
};

Library zydis;

/// False: it is not in the library.
template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool load_library() {
    // By the name of the version whose structures the header describes.
    void* const library = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && find(library, "ZydisDecoderInit", zydis.init) &&
           find(library, "ZydisDecoderDecodeFull", zydis.decode) &&
           find(library, "ZydisCalcAbsoluteAddressEx", zydis.address) &&
           ZYAN_SUCCESS(
               zydis.init(&zydis.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
}

struct Register {
    ZydisRegister name;
    int place;  ///< in the kernel's list
};

constexpr Register kRegisters[] = {{ZYDIS_REGISTER_RAX, REG_RAX},
                                   {ZYDIS_REGISTER_RCX, REG_RCX},
                                   {ZYDIS_REGISTER_RDX, REG_RDX},
                                   {ZYDIS_REGISTER_RBX, REG_RBX},
                                   {ZYDIS_REGISTER_RSP, REG_RSP},
                                   {ZYDIS_REGISTER_RBP, REG_RBP},
                                   {ZYDIS_REGISTER_RSI, REG_RSI},
                                   {ZYDIS_REGISTER_RDI, REG_RDI},
                                   {ZYDIS_REGISTER_R8, REG_R8},
                                   {ZYDIS_REGISTER_R9, REG_R9},
                                   {ZYDIS_REGISTER_R10, REG_R10},
                                   {ZYDIS_REGISTER_R11, REG_R11},
                                   {ZYDIS_REGISTER_R12, REG_R12},
                                   {ZYDIS_REGISTER_R13, REG_R13},
                                   {ZYDIS_REGISTER_R14, REG_R14},
                                   {ZYDIS_REGISTER_R15, REG_R15}};

bool is_plain_memory(const ZydisDecodedOperand& operand) {
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM)
        return false;
    const bool of_thread =
        operand.mem.segment == ZYDIS_REGISTER_FS || operand.mem.segment == ZYDIS_REGISTER_GS;
    const bool pushed = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
                        operand.mem.base == ZYDIS_REGISTER_RSP;
    return !of_thread && !pushed;
}

/// Names memory that it leaves alone.
bool only_names(const ZydisDecodedInstruction& decoded) {
    const ZydisInstructionCategory category = decoded.meta.category;
    return category == ZYDIS_CATEGORY_NOP || category == ZYDIS_CATEGORY_WIDENOP ||
           category == ZYDIS_CATEGORY_PREFETCH || category == ZYDIS_CATEGORY_PREFETCHWT1;
}

/// The mask is in a register of vectors.
bool is_masked_by_vector(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_MASKMOVQ:
        case ZYDIS_MNEMONIC_MASKMOVDQU:
        case ZYDIS_MNEMONIC_VMASKMOVDQU:
        case ZYDIS_MNEMONIC_VMASKMOVPS:
        case ZYDIS_MNEMONIC_VMASKMOVPD:
        case ZYDIS_MNEMONIC_VPMASKMOVD:
        case ZYDIS_MNEMONIC_VPMASKMOVQ:
            return true;
        default:
            return false;
    }
}

/// Which elements of the operand are accessed; empty: not known.
std::optional<std::uint64_t> selected_elements(const ucontext_t& context,
                                               const ZydisDecodedInstruction& decoded,
                                               const ZydisDecodedOperand& operand) {
    const std::size_t count = std::min<std::size_t>(operand.element_count, 64);
    const std::uint64_t all = count == 64 ? UINT64_MAX : (std::uint64_t{1} << count) - 1;
    if (is_masked_by_vector(decoded.mnemonic)) return std::nullopt;
    const ZydisRegister mask = decoded.avx.mask.reg;
    const bool masked = mask >= ZYDIS_REGISTER_K1 && mask <= ZYDIS_REGISTER_K7;
    if (!masked || decoded.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID) return all;
    const auto value = mask_register(context, static_cast<std::size_t>(mask - ZYDIS_REGISTER_K0));
    if (!value) return std::nullopt;
    const ZydisInstructionCategory category = decoded.meta.category;
    if (category != ZYDIS_CATEGORY_COMPRESS && category != ZYDIS_CATEGORY_EXPAND)
        return *value & all;
    // As many as are selected, one behind the other.
    const int selected = std::popcount(*value & all);
    return selected == 64 ? UINT64_MAX : (std::uint64_t{1} << static_cast<unsigned>(selected)) - 1;
}

/// What of `access` is accessed. False: nothing.
bool cut_to_selected(const ucontext_t& context,
                     const ZydisDecodedInstruction& decoded,
                     const ZydisDecodedOperand& operand,
                     Access& access) {
    const auto elements = selected_elements(context, decoded, operand);
    access.partial = !elements;
    if (!elements || operand.element_size == 0) return true;
    if (*elements == 0) return false;
    const std::uint64_t element_bytes = operand.element_size / 8U;
    const auto first = static_cast<unsigned>(std::countr_zero(*elements));
    const auto end = static_cast<unsigned>(std::bit_width(*elements));
    if (end * element_bytes > access.bytes) return true;
    access.address += first * element_bytes;
    access.bytes = (end - first) * element_bytes;
    return true;
}

/// Not further than the page that it begins on, unless it is longer: the next may not be there.
bool decode_at(std::uint64_t place,
               ZydisDecodedInstruction& decoded,
               ZydisDecodedOperand (&operands)[ZYDIS_MAX_OPERAND_COUNT]) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the instruction pointer
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(place);
    const std::uint64_t on_page = kPage - place % kPage;
    if (on_page < ZYDIS_MAX_INSTRUCTION_LENGTH &&
        ZYAN_SUCCESS(zydis.decode(&zydis.decoder, bytes, on_page, &decoded, operands)))
        return true;
    return ZYAN_SUCCESS(
        zydis.decode(&zydis.decoder, bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded, operands));
}

}  // namespace

bool can_decode() {
    static bool tried = false;
    if (!tried) {
        tried = true;
        zydis.works = load_library();
    }
    return zydis.works;
}

bool decode(const ucontext_t& context, Instruction& instruction) {
    const greg_t* const registers = context.uc_mcontext.gregs;
    const auto place = static_cast<std::uint64_t>(registers[REG_RIP]);
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!decode_at(place, decoded, operands)) return false;
    instruction.count = 0;
    instruction.length = decoded.length;
    instruction.is_system_call = decoded.meta.category == ZYDIS_CATEGORY_SYSCALL ||
                                 decoded.meta.category == ZYDIS_CATEGORY_INTERRUPT;
    if (only_names(decoded)) return true;
    ZydisRegisterContext known{};
    for (const Register& reg : kRegisters)
        known.values[reg.name] = static_cast<ZyanU64>(registers[reg.place]);
    for (std::size_t i = 0; i < decoded.operand_count; ++i) {
        const ZydisDecodedOperand& operand = operands[i];
        Access access;
        if (!is_plain_memory(operand) || instruction.count == instruction.accesses.size() ||
            !ZYAN_SUCCESS(zydis.address(&decoded, &operand, place, &known, &access.address)))
            continue;
        access.bytes = operand.size / 8U;
        access.operand = access.address;
        access.operand_bytes = access.bytes;
        access.stores = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
        if (cut_to_selected(context, decoded, operand, access))
            instruction.accesses[instruction.count++] = access;
    }
    return true;
}

namespace {

/// Whether the instruction of so many bytes in front of the next one is one.
bool ends_here(const ucontext_t& context, std::uint64_t length, Instruction& instruction) {
    ucontext_t earlier = context;
    earlier.uc_mcontext.gregs[REG_RIP] -= static_cast<greg_t>(length);
    return decode(earlier, instruction) && instruction.length == length;
}

/// Of those that change what an instruction of vectors loads, or stand behind such a one.
bool is_prefix(std::uint64_t place) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a place in the code
    const std::uint8_t byte = *reinterpret_cast<const std::uint8_t*>(place);
    constexpr std::uint8_t operand_size = 0x66;
    constexpr std::uint8_t rep_not_equal = 0xf2;
    constexpr std::uint8_t rep = 0xf3;
    constexpr std::uint8_t rex = 0x40;
    return byte == operand_size || byte == rep_not_equal || byte == rep || (byte & 0xf0U) == rex;
}

/// Whether one of the ways to read the code in front of the next instruction has an access of which
/// `says` is true.
template <class Says>
bool any_access(const ucontext_t& context, Says says) {
    const auto behind = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    // The page before may not be there.
    const std::uint64_t longest = std::min<std::uint64_t>(ZYDIS_MAX_INSTRUCTION_LENGTH,
                                                          behind - (behind - 1) / kPage * kPage);
    for (std::uint64_t length = 1; length <= longest; ++length) {
        Instruction instruction;
        if (!ends_here(context, length, instruction)) continue;
        Instruction prefixed;
        if (length < longest && is_prefix(behind - length - 1) &&
            ends_here(context, length + 1, prefixed))
            continue;  // movsd, which looks like movups behind its first byte
        const auto* const first = instruction.accesses.begin();
        if (std::any_of(first, first + instruction.count, says)) return true;
    }
    return false;
}

/// Of two pieces of memory.
bool meet(std::uint64_t begin,
          std::uint64_t bytes,
          std::uint64_t other_begin,
          std::uint64_t other_bytes) {
    return begin < other_begin + other_bytes && other_begin < begin + bytes;
}

}  // namespace

bool has_loaded_beyond(const ucontext_t& context,
                       std::uint64_t address,
                       std::uint64_t begin,
                       std::uint64_t bytes) {
    return any_access(context, [=](const Access& access) {
        const bool has_it = access.address <= address && address - access.address < access.bytes;
        const bool within =
            access.address >= begin && access.address + access.bytes <= begin + bytes;
        return has_it && !within && !access.stores && access.bytes > kLargestWord;
    });
}

bool has_left_out(const ucontext_t& context,
                  std::uint64_t address,
                  std::uint64_t begin,
                  std::uint64_t bytes) {
    const std::uint64_t first = std::max(address, begin);
    const std::uint64_t end = std::min(address + kLargestWord, begin + bytes);
    if (first >= end) return false;
    return any_access(context, [=](const Access& access) {
        return !access.partial && meet(access.operand, access.operand_bytes, first, end - first) &&
               !meet(access.address, access.bytes, first, end - first);
    });
}

}  // namespace mqinspect::tracer
