#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "thread_level/notes/format.h"
#include "thread_level/notes/notes.h"
#include "thread_level/notes/packing.h"
#include "thread_level/notes/reader.h"

namespace mqinspect::thread_level {
namespace notes {
namespace {

constexpr std::uint64_t kNumbers = std::uint64_t{1} << 32U;

class Decoder {
public:
    explicit Decoder(Reader reader)
        : reader_(std::move(reader)), memory_(kMemoryAtLeast + kMemoryPerByte * reader_.left()) {}

    std::optional<Unit> decode();
    const std::string& error() const { return reader_.error(); }

private:
    void strings();
    void variable();
    std::int8_t level();
    void function();
    std::vector<std::uint32_t> hashes();
    void writers();
    void tables();
    void casts();
    void pointed();
    void region(Function& function);
    void region_fields(Region& region);
    void step(Function& function, std::size_t count);
    void step_fields(Step& step, std::size_t regions);
    Value value();
    Place place();
    std::vector<StringId> string_list();

    template <class Enumeration>
    Enumeration constant(unsigned bits, Enumeration last, std::string_view what) {
        if (bits > static_cast<unsigned>(last)) reader_.fail(what);
        return reader_.is_good() ? static_cast<Enumeration>(bits) : Enumeration{};
    }
    std::uint32_t head() { return reader_.number_below(kNumbers, "a head has unknown bits"); }
    StringId string() {
        const auto at = reader_.number_below(table_.size(), "a string is not in the table");
        return table_[at];
    }
    void allocate(std::size_t bytes) {
        if (bytes > memory_) reader_.fail("it holds more than its size allows for");
        memory_ -= std::min(bytes, memory_);
    }

    Reader reader_;
    std::size_t memory_;  // that may still be allocated
    Unit unit_;
    std::vector<StringId> table_{0};
    Place last_;
};

void Decoder::strings() {
    const std::size_t count = reader_.count();
    const std::size_t start = reader_.position();
    std::size_t letters = 0;
    std::string text;
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        const std::uint64_t shared = reader_.number();
        if (shared > text.size()) reader_.fail("a string shares more than there is");
        const std::string_view rest = reader_.text(reader_.number());
        if (!reader_.is_good()) return;
        text.resize(static_cast<std::size_t>(shared));
        text += rest;
        letters += text.size();
        if (letters > kLettersPerByte * (reader_.position() - start))
            reader_.fail("its strings share too much");
        table_.push_back(unit_.strings.intern(text));
    }
}

std::vector<StringId> Decoder::string_list() {
    std::vector<StringId> list;
    const std::size_t count = reader_.count();
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at)
        list.push_back(string());
    return list;
}

Place Decoder::place() {
    const std::int64_t bits = reader_.signed_number();
    const std::int64_t line = std::int64_t{last_.line} + (bits >> 1U);
    if (bits >= (1LL << 40U) || bits <= -(1LL << 40U) || line < 0 ||
        line >= static_cast<std::int64_t>(kNumbers)) {
        reader_.fail("a line has no number");
        return {};
    }
    last_.line = static_cast<std::uint32_t>(line);
    if ((static_cast<std::uint64_t>(bits) & 1U) != 0) last_.file = string();
    last_.column = reader_.number_below(kNumbers, "a column is too large");
    return last_;
}

Value Decoder::value() {
    const unsigned head = this->head();
    Value value;
    const bool is_further = (head & value_head::kFurtherKind) != 0;
    value.kind =
        constant((head & value_head::kKindMask) + (is_further ? value_head::kKindMask + 1 : 0),
                 Value::Kind::Function,
                 "a value is of an unknown kind");
    value.created_once = (head & value_head::kCreatedOnce) != 0;
    value.is_shared = (head & value_head::kShared) != 0;
    if ((head & value_head::kName) != 0) value.name = string();
    if ((head & value_head::kNumber) != 0) value.number = reader_.signed_number();
    return value;
}

void Decoder::variable() {
    Variable variable;
    variable.name = string();
    const unsigned head = this->head();
    variable.is_local = (head & variable_head::kLocal) != 0;
    variable.has_constant = (head & variable_head::kConstant) != 0;
    variable.holds_provided = (head & variable_head::kProvided) != 0;
    variable.changes_in_team = (head & variable_head::kChanges) != 0;
    variable.creations = reader_.number_below(kNumbers, "a number of writes is too large");
    variable.other_writes = reader_.number_below(kNumbers, "a number of writes is too large");
    if (variable.has_constant) variable.constant = reader_.signed_number();
    if ((head & variable_head::kLevels) != 0) {
        variable.level_if_true = level();
        variable.level_if_false = level();
    }
    unit_.variables.push_back(variable);
}

std::int8_t Decoder::level() {
    const std::int64_t number = reader_.signed_number();
    if (number < -kTold || number > kTold) reader_.fail("a flag is of an unknown level");
    return static_cast<std::int8_t>(number);
}

void Decoder::region_fields(Region& region) {
    const unsigned mask = head();
    if ((mask & region_field::kName) != 0) region.name = string();
    if ((mask & region_field::kCondition) != 0) {
        region.condition = constant(head(), Condition::NoThread, "a condition is unknown");
    }
    if ((mask & region_field::kWrapper) != 0) region.wrapper = string();
    if ((mask & region_field::kNumber) != 0) region.number = reader_.signed_number();
    if ((mask & region_field::kTested) != 0) region.tested = value();
    if ((mask & region_field::kLimit) != 0) region.limit = value();
    if ((mask & region_field::kDependences) == 0) return;
    const std::size_t count = reader_.count();
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        allocate(sizeof(Dependence));
        Dependence dependence;
        dependence.writes = head() != 0;
        dependence.on = value();
        region.dependences.push_back(dependence);
    }
}

void Decoder::region(Function& function) {
    allocate(sizeof(Region));
    const auto id = static_cast<RegionId>(function.regions.size());
    const unsigned head = this->head();
    Region region;
    region.kind = static_cast<RegionKind>(head & region_head::kKindMask);
    if ((region.kind == RegionKind::Function) != (id == 0))
        reader_.fail("a region is of the wrong kind");
    region.barrier_at_end = (head & region_head::kBarrier) != 0;
    region.team = constant((head >> region_head::kTeamShift) & region_head::kTeamMask,
                           Team::Perhaps,
                           "a region's team is unknown");
    if (id != 0) {
        const std::uint32_t up =
            reader_.number_below(std::uint64_t{id} + 1, "a region has no parent");
        if (up == 0) reader_.fail("a region is its own parent");
        region.parent = id - up;
    }
    region.place = place();
    if ((head & region_head::kFields) != 0) region_fields(region);
    if (reader_.is_good()) function.regions.push_back(std::move(region));
}

void Decoder::step_fields(Step& step, std::size_t regions) {
    const unsigned mask = head();
    if ((mask & step_field::kName) != 0) step.name = string();
    if ((mask & step_field::kTarget) != 0)
        step.target = reader_.number_below(regions, "a step is of a region that is not there");
    step.is_virtual = (mask & step_field::kVirtual) != 0;
    step.is_conditional = (mask & step_field::kConditional) != 0;
    step.fills_variable = (mask & step_field::kFills) != 0;
    step.is_library = (mask & step_field::kLibrary) != 0;
    step.is_checked = (mask & step_field::kChecked) != 0;
    step.is_by_type = (mask & step_field::kByType) != 0;
    if ((mask & step_field::kArguments) != 0) {
        const std::size_t count = reader_.count();
        for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
            allocate(sizeof(Value));
            step.arguments.push_back(value());
        }
    }
    if ((mask & step_field::kCallbacks) != 0) step.callbacks = string_list();
    if ((mask & step_field::kCommunicator) != 0) step.mpi.communicator = value();
    if ((mask & step_field::kPeer) != 0) step.mpi.peer = value();
    if ((mask & step_field::kTag) != 0) step.mpi.tag = value();
    if ((mask & step_field::kObject) != 0) step.mpi.object = value();
    if ((mask & step_field::kLevel) != 0) step.mpi.level = value();
    step.mpi.tests_provided = (mask & step_field::kTestsProvided) != 0;
    if ((mask & step_field::kValue) != 0) step.value = value();
    if ((mask & step_field::kTurn) != 0)
        step.turn = static_cast<Turn>(reader_.number_below(kTurns, "an unknown kind of turn"));
    step.spares_moved = (mask & step_field::kSparesMoved) != 0;
    if ((mask & step_field::kMoved) != 0)
        step.moved = reader_.number_below(kNumbers, "the number of an object is too large");
    if ((mask & step_field::kCallee) != 0) step.callee = value();
    if ((mask & step_field::kClass) != 0) step.object_class = string();
}

void Decoder::step(Function& function, std::size_t count) {
    allocate(sizeof(Step));
    constexpr std::string_view no_region = "a step is of a region that is not there";
    const auto id = static_cast<std::int64_t>(function.steps.size());
    const std::size_t regions = function.regions.size();
    const unsigned head = this->head();
    Step step;
    step.kind =
        constant(head & step_head::kKindMask, StepKind::Keep, "a step is of an unknown kind");
    step.is_unwinding = (head & step_head::kUnwinding) != 0;
    step.is_caught = (head & step_head::kCaught) != 0;
    if (!function.steps.empty()) step.region = function.steps.back().region;
    if ((head & step_head::kRegion) != 0) step.region = reader_.number_below(regions, no_region);
    std::size_t successors = 1;
    if ((head & step_head::kNext) != 0) successors = reader_.count();
    for (std::size_t at = 0; at < successors && reader_.is_good(); ++at) {
        const std::int64_t away = (head & step_head::kNext) != 0 ? reader_.signed_number() : 1;
        if (away < -id || away >= static_cast<std::int64_t>(count) - id) {
            reader_.fail("a step is followed by one that is not there");
        } else {
            step.next.push_back(static_cast<StepId>(id + away));
        }
    }
    if ((head & step_head::kPlace) != 0) step.place = place();
    if (has_name(step.kind)) step.name = string();
    if (has_target(step.kind)) step.target = reader_.number_below(regions, no_region);
    if ((head & step_head::kFields) != 0) step_fields(step, regions);
    if (reader_.is_good()) function.steps.push_back(std::move(step));
}

void Decoder::function() {
    allocate(sizeof(Function) + sizeof(Region));
    const unsigned head = this->head();
    Function function;
    function.is_local = (head & function_head::kLocal) != 0;
    function.is_mergeable = (head & function_head::kMergeable) != 0;
    function.address_taken = (head & function_head::kAddressTaken) != 0;
    function.runs_at_start = (head & function_head::kRunsAtStart) != 0;
    const unsigned more =
        (head & function_head::kMoreReturns) != 0 ? function_head::kReturnsMask + 1 : 0;
    function.returns =
        constant(((head >> function_head::kReturnsShift) & function_head::kReturnsMask) + more,
                 Returns::Never,
                 "a function returns something unknown");
    function.symbol = string();
    function.name = (head & function_head::kName) != 0 ? string() : function.symbol;
    function.place = place();
    if ((head & function_head::kType) != 0) function.type = string();
    if ((head & function_head::kOverrides) != 0) function.overrides = string_list();
    if ((head & function_head::kResult) != 0) function.result = value();
    const std::size_t regions = reader_.count();
    if ((head & function_head::kFirstRegion) != 0) {
        region(function);
    } else {
        function.regions.push_back(first_region(function.place));
    }
    for (std::size_t at = 0; at < regions && reader_.is_good(); ++at)
        region(function);
    const std::size_t steps = reader_.count();
    for (std::size_t at = 0; at < steps && reader_.is_good(); ++at)
        step(function, steps);
    if (reader_.is_good()) unit_.functions.push_back(std::move(function));
}

std::vector<std::uint32_t> Decoder::hashes() {
    std::vector<std::uint32_t> list;
    const std::size_t count = reader_.count();
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        hash += reader_.number_below(std::uint64_t{1} << 32U, "a hash is too large");
        if (hash >> 32U != 0) reader_.fail("a hash is too large");
        list.push_back(static_cast<std::uint32_t>(hash));
    }
    return list;
}

void Decoder::writers() {
    constexpr std::uint64_t most = std::uint64_t{1} << 32U;
    const std::size_t count = reader_.count();
    std::uint64_t function = 0;
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        function += reader_.number_below(most, "a hash is too large");
        if (function >> 32U != 0) reader_.fail("a hash is too large");
        const std::uint64_t variable = reader_.number_below(most, "a hash is too large");
        unit_.writers.push_back({.function = static_cast<std::uint32_t>(function),
                                 .variable = static_cast<std::uint32_t>(variable)});
    }
}

void Decoder::tables() {
    const std::size_t count = reader_.count();
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        allocate(sizeof(VirtualTable));
        VirtualTable table{.name = string(), .slots = {}};
        table.slots = string_list();
        unit_.tables.push_back(std::move(table));
    }
}

void Decoder::casts() {
    const std::size_t count = reader_.count();
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        allocate(sizeof(SignatureCast));
        const StringId to = string();
        unit_.casts.push_back({.to = to, .from = string()});
    }
}

void Decoder::pointed() {
    const std::size_t count = reader_.count();
    for (std::size_t at = 0; at < count && reader_.is_good(); ++at) {
        allocate(sizeof(PointedFunction));
        const bool is_shared = reader_.number_below(2, "a pointer is of an unknown kind") != 0;
        const StringId pointer = string();
        unit_.pointed.push_back({.pointer = pointer, .function = string(), .is_shared = is_shared});
    }
}

std::optional<Unit> Decoder::decode() {
    const unsigned flags = head();
    unit_.openmp = (flags & unit_flag::kOpenMp) != 0;
    strings();
    unit_.source = string();
    const std::size_t variables = reader_.count();
    for (std::size_t at = 0; at < variables && reader_.is_good(); ++at) {
        allocate(sizeof(Variable));
        variable();
    }
    const std::size_t functions = reader_.count();
    for (std::size_t at = 0; at < functions && reader_.is_good(); ++at)
        function();
    unit_.idle = hashes();
    if ((flags & unit_flag::kTaken) != 0) unit_.taken = string_list();
    if ((flags & unit_flag::kNumbers) != 0) {
        unit_.numbers = string_list();
        unit_.other_numbers = hashes();
    }
    if ((flags & unit_flag::kWriters) != 0) writers();
    if ((flags & unit_flag::kTables) != 0) tables();
    if ((flags & unit_flag::kCasts) != 0) casts();
    if ((flags & unit_flag::kPointed) != 0) pointed();
    if (reader_.left() != 0) reader_.fail("more follows than it says");
    if (!reader_.is_good()) return {};
    return std::move(unit_);
}

std::string error_at(std::size_t offset, std::string_view what) {
    return "offset " + std::to_string(offset) + ": " + std::string(what);
}

}  // namespace
}  // namespace notes

Decoded decode(std::string_view section) {
    using notes::error_at;
    Decoded decoded;
    const auto fail = [&decoded](const std::string& error) {
        if (decoded.error.empty()) decoded.error = error;
    };
    std::size_t at = 0;
    while (true) {
        at = section.find_first_not_of('\0', at);
        if (at == std::string_view::npos) break;
        if (section.substr(at, notes::kMagic.size()) != notes::kMagic) {
            fail(error_at(at, "no note starts here"));
            break;
        }
        const std::size_t start = at + notes::kMagic.size();
        notes::Reader head(section.substr(start), start);
        const auto version = head.number_below(256, "its version is unknown");
        const std::size_t length = head.count();
        if (!head.is_good()) {
            fail(head.error());
            break;
        }
        const std::size_t body = start + head.position();
        at = body + length;
        if (version != notes::kVersion && version != notes::kPackedVersion) {
            fail(error_at(start, "version " + std::to_string(version) + " is not known here"));
            continue;
        }
        notes::Reader record(section.substr(body, length), body);
        std::string unpacked;
        if (version == notes::kPackedVersion) {
            unpacked = notes::unpack(record, record.number());
            if (!record.is_good()) {
                fail(record.error());
                continue;
            }
            record = notes::Reader(unpacked, body, true);
        }
        notes::Decoder decoder(std::move(record));
        if (std::optional<Unit> unit = decoder.decode()) {
            decoded.units.push_back(std::move(*unit));
        } else {
            fail(decoder.error());
        }
    }
    return decoded;
}

}  // namespace mqinspect::thread_level
