#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "thread_level/facts/values.h"
#include "thread_level/notes/format.h"
#include "thread_level/notes/notes.h"
#include "thread_level/notes/packing.h"
#include "thread_level/notes/reduction.h"

namespace mqinspect::thread_level {
namespace notes {
namespace {

/// The strings that the facts use, sorted, and the number of each in the table.
class StringTable {
public:
    explicit StringTable(const Strings& strings)
        : strings_(strings), numbers_(strings.size(), 0), is_used_(strings.size(), false) {}

    void use(StringId id) { is_used_[id] = true; }
    void number();
    std::uint32_t operator[](StringId id) const { return numbers_[id]; }
    const std::vector<StringId>& order() const { return order_; }

private:
    const Strings& strings_;
    std::vector<std::uint32_t> numbers_;
    std::vector<bool> is_used_;
    std::vector<StringId> order_;
};

void StringTable::number() {
    for (StringId id = 1; id < strings_.size(); ++id)
        if (is_used_[id]) order_.push_back(id);
    std::sort(order_.begin(), order_.end(), [this](StringId a, StringId b) {
        return strings_[a] < strings_[b];
    });
    for (std::size_t at = 0; at < order_.size(); ++at)
        numbers_[order_[at]] = static_cast<std::uint32_t>(at + 1);
}

/// Writes a unit, or only notes which strings it would write.
class Encoder {
public:
    explicit Encoder(const Unit& unit) : unit_(unit), table_(unit.strings) {}
    std::string encode() &&;

private:
    void facts();
    void variable(const Variable& variable);
    void function(const Function& function);
    void region(const Function& function, RegionId id);
    void step(const Function& function, StepId id);
    unsigned fields_of(const Step& step) const;
    void fields(const Step& step, unsigned mask);
    void value(const Value& value);
    void values(const std::vector<Value>& values);
    void place(const Place& place);
    void strings();
    void string_list(const std::vector<StringId>& list);
    void hashes(const std::vector<std::uint32_t>& list);
    void writers();
    void tables();
    void casts();
    void pointed();
    bool has_numbers() const;

    void number(std::uint64_t value) {
        while (value >= 0x80) {
            bytes_ += static_cast<char>(value | 0x80U);
            value >>= 7U;
        }
        bytes_ += static_cast<char>(value);
    }
    void signed_number(std::int64_t value) {
        const auto bits = static_cast<std::uint64_t>(value);
        number((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
    }
    void string(StringId id) {
        table_.use(id);
        number(table_[id]);
    }
    bool omits_name(const Function& function) const {
        return function.name == function.symbol || unit_.strings[function.symbol].starts_with("_Z");
    }

    const Unit& unit_;
    StringTable table_;
    std::string bytes_;
    Place last_;
};

void Encoder::strings() {
    number(table_.order().size());
    const std::size_t start = bytes_.size();
    std::size_t letters = 0;
    std::string_view last;
    for (const StringId id : table_.order()) {
        const std::string_view text = unit_.strings[id];
        const auto differs = std::mismatch(last.begin(), last.end(), text.begin(), text.end());
        auto shared = static_cast<std::size_t>(differs.second - text.begin());
        if (letters + text.size() > kLettersPerByte * (bytes_.size() - start)) shared = 0;
        number(shared);
        number(text.size() - shared);
        bytes_ += text.substr(shared);
        letters += text.size();
        last = text;
    }
}

void Encoder::string_list(const std::vector<StringId>& list) {
    number(list.size());
    for (const StringId id : list)
        string(id);
}

void Encoder::place(const Place& place) {
    const std::int64_t difference = std::int64_t{place.line} - std::int64_t{last_.line};
    const bool is_other_file = place.file != last_.file;
    signed_number(2 * difference + (is_other_file ? 1 : 0));
    if (is_other_file) string(place.file);
    number(place.column);
    last_ = place;
}

void Encoder::value(const Value& value) {
    const auto kind = static_cast<unsigned>(value.kind);
    unsigned head = kind & value_head::kKindMask;
    if (kind > value_head::kKindMask) head |= value_head::kFurtherKind;
    if (value.created_once) head |= value_head::kCreatedOnce;
    if (value.is_shared) head |= value_head::kShared;
    if (value.name != 0) head |= value_head::kName;
    if (value.number != 0) head |= value_head::kNumber;
    number(head);
    if (value.name != 0) string(value.name);
    if (value.number != 0) signed_number(value.number);
}

void Encoder::values(const std::vector<Value>& values) {
    number(values.size());
    for (const Value& each : values)
        value(each);
}

void Encoder::variable(const Variable& variable) {
    const bool is_flag = is_level_flag(variable);
    string(variable.name);
    number((variable.is_local ? variable_head::kLocal : 0) |
           (variable.has_constant ? variable_head::kConstant : 0) |
           (variable.holds_provided ? variable_head::kProvided : 0) |
           (variable.changes_in_team ? variable_head::kChanges : 0) |
           (is_flag ? variable_head::kLevels : 0));
    number(variable.creations);
    number(variable.other_writes);
    if (variable.has_constant) signed_number(variable.constant);
    if (is_flag) {
        signed_number(variable.level_if_true);
        signed_number(variable.level_if_false);
    }
}

void Encoder::region(const Function& function, RegionId id) {
    const Region& region = function.regions[id];
    unsigned mask = 0;
    if (region.name != 0) mask |= region_field::kName;
    if (region.condition != Condition::None) mask |= region_field::kCondition;
    if (region.wrapper != 0) mask |= region_field::kWrapper;
    if (region.number != 0) mask |= region_field::kNumber;
    if (!region.dependences.empty()) mask |= region_field::kDependences;
    if (region.tested != Value{}) mask |= region_field::kTested;
    if (region.limit != Value{}) mask |= region_field::kLimit;

    number(static_cast<unsigned>(region.kind) |
           (region.barrier_at_end ? region_head::kBarrier : 0) |
           static_cast<unsigned>(region.team) << region_head::kTeamShift |
           (mask != 0 ? region_head::kFields : 0));
    if (id != 0) number(id - region.parent);
    place(region.place);
    if (mask == 0) return;
    number(mask);
    if (region.name != 0) string(region.name);
    if (region.condition != Condition::None) number(static_cast<unsigned>(region.condition));
    if (region.wrapper != 0) string(region.wrapper);
    if (region.number != 0) signed_number(region.number);
    if ((mask & region_field::kTested) != 0) value(region.tested);
    if ((mask & region_field::kLimit) != 0) value(region.limit);
    if (region.dependences.empty()) return;
    number(region.dependences.size());
    for (const Dependence& each : region.dependences) {
        number(each.writes ? 1 : 0);
        value(each.on);
    }
}

unsigned Encoder::fields_of(const Step& step) const {
    const auto bit = [](unsigned field, bool is_set) { return is_set ? field : 0U; };
    const Value unknown;
    return bit(step_field::kName, step.name != 0 && !has_name(step.kind)) |
           bit(step_field::kTarget, step.target != kNone && !has_target(step.kind)) |
           bit(step_field::kVirtual, step.is_virtual) |
           bit(step_field::kArguments, !step.arguments.empty()) |
           bit(step_field::kCallbacks, !step.callbacks.empty()) |
           bit(step_field::kCommunicator, step.mpi.communicator != unknown) |
           bit(step_field::kPeer, step.mpi.peer != unknown) |
           bit(step_field::kTag, step.mpi.tag != unknown) |
           bit(step_field::kObject, step.mpi.object != unknown) |
           bit(step_field::kLevel, step.mpi.level != unknown) |
           bit(step_field::kTestsProvided, step.mpi.tests_provided) |
           bit(step_field::kValue, step.value != unknown) |
           bit(step_field::kConditional, step.is_conditional) |
           bit(step_field::kFills, step.fills_variable) |
           bit(step_field::kLibrary, step.is_library) | bit(step_field::kChecked, step.is_checked) |
           bit(step_field::kByType, step.is_by_type) |
           bit(step_field::kTurn, step.turn != Turn::No) |
           bit(step_field::kSparesMoved, step.spares_moved) |
           bit(step_field::kMoved, step.moved != 0) |
           bit(step_field::kCallee, step.callee != unknown) |
           bit(step_field::kClass, step.object_class != 0);
}

void Encoder::fields(const Step& step, unsigned mask) {
    number(mask);
    if ((mask & step_field::kName) != 0) string(step.name);
    if ((mask & step_field::kTarget) != 0) number(step.target);
    if ((mask & step_field::kArguments) != 0) values(step.arguments);
    if ((mask & step_field::kCallbacks) != 0) string_list(step.callbacks);
    if ((mask & step_field::kCommunicator) != 0) value(step.mpi.communicator);
    if ((mask & step_field::kPeer) != 0) value(step.mpi.peer);
    if ((mask & step_field::kTag) != 0) value(step.mpi.tag);
    if ((mask & step_field::kObject) != 0) value(step.mpi.object);
    if ((mask & step_field::kLevel) != 0) value(step.mpi.level);
    if ((mask & step_field::kValue) != 0) value(step.value);
    if ((mask & step_field::kTurn) != 0) number(static_cast<unsigned>(step.turn));
    if (step.moved != 0) number(step.moved);
    if ((mask & step_field::kCallee) != 0) value(step.callee);
    if ((mask & step_field::kClass) != 0) string(step.object_class);
}

void Encoder::step(const Function& function, StepId id) {
    const Step& step = function.steps[id];
    const RegionId before = id == 0 ? 0 : function.steps[id - 1].region;
    const bool goes_on = step.next.size() == 1 && step.next.front() == id + 1;
    const bool has_place = step.place.line != 0 || step.place.file != 0 || step.place.column != 0;
    const unsigned mask = fields_of(step);

    number(static_cast<unsigned>(step.kind) | (goes_on ? 0 : step_head::kNext) |
           (step.region == before ? 0 : step_head::kRegion) | (has_place ? step_head::kPlace : 0) |
           (mask != 0 ? step_head::kFields : 0) | (step.is_unwinding ? step_head::kUnwinding : 0) |
           (step.is_caught ? step_head::kCaught : 0));
    if (step.region != before) number(step.region);
    if (!goes_on) {
        number(step.next.size());
        for (const StepId next : step.next)
            signed_number(std::int64_t{next} - std::int64_t{id});
    }
    if (has_place) place(step.place);
    if (has_name(step.kind)) string(step.name);
    if (has_target(step.kind)) number(step.target);
    if (mask != 0) fields(step, mask);
}

void Encoder::function(const Function& function) {
    const bool is_named = !omits_name(function);
    const Region expected = first_region(function.place);
    const bool is_expected = function.regions.front() == expected;
    const auto returns = static_cast<unsigned>(function.returns);
    number((function.is_local ? function_head::kLocal : 0) |
           (function.is_mergeable ? function_head::kMergeable : 0) |
           (function.address_taken ? function_head::kAddressTaken : 0) |
           (returns & function_head::kReturnsMask) << function_head::kReturnsShift |
           (returns > function_head::kReturnsMask ? function_head::kMoreReturns : 0) |
           (is_named ? function_head::kName : 0) | (function.type != 0 ? function_head::kType : 0) |
           (function.overrides.empty() ? 0 : function_head::kOverrides) |
           (is_expected ? 0 : function_head::kFirstRegion) |
           (function.result == Value{} ? 0 : function_head::kResult) |
           (function.runs_at_start ? function_head::kRunsAtStart : 0));
    string(function.symbol);
    if (is_named) string(function.name);
    place(function.place);
    if (function.type != 0) string(function.type);
    if (!function.overrides.empty()) string_list(function.overrides);
    if (function.result != Value{}) value(function.result);
    number(function.regions.size() - 1);
    for (RegionId id = is_expected ? 1 : 0; id < function.regions.size(); ++id)
        region(function, id);
    number(function.steps.size());
    for (StepId id = 0; id < function.steps.size(); ++id)
        step(function, id);
}

void Encoder::facts() {
    last_ = {};
    string(unit_.source);
    number(unit_.variables.size());
    for (const Variable& each : unit_.variables)
        variable(each);
    number(unit_.functions.size());
    for (const Function& each : unit_.functions)
        function(each);
    hashes(unit_.idle);
    if (!unit_.taken.empty()) string_list(unit_.taken);
    if (has_numbers()) {
        string_list(unit_.numbers);
        hashes(unit_.other_numbers);
    }
    if (!unit_.writers.empty()) writers();
    if (!unit_.tables.empty()) tables();
    if (!unit_.casts.empty()) casts();
    if (!unit_.pointed.empty()) pointed();
}

void Encoder::tables() {
    number(unit_.tables.size());
    for (const VirtualTable& table : unit_.tables) {
        string(table.name);
        string_list(table.slots);
    }
}

void Encoder::casts() {
    number(unit_.casts.size());
    for (const SignatureCast& cast : unit_.casts) {
        string(cast.to);
        string(cast.from);
    }
}

void Encoder::pointed() {
    number(unit_.pointed.size());
    for (const PointedFunction& each : unit_.pointed) {
        number(each.is_shared ? 1 : 0);
        string(each.pointer);
        string(each.function);
    }
}

void Encoder::writers() {
    number(unit_.writers.size());
    std::uint32_t before = 0;
    for (const NumberWriter& each : unit_.writers) {
        number(each.function - std::exchange(before, each.function));
        number(each.variable);
    }
}

void Encoder::hashes(const std::vector<std::uint32_t>& list) {
    number(list.size());
    std::uint32_t before = 0;
    for (const std::uint32_t hash : list)
        number(hash - std::exchange(before, hash));
}

bool Encoder::has_numbers() const {
    return !unit_.numbers.empty() || !unit_.other_numbers.empty();
}

std::string Encoder::encode() && {
    facts();
    table_.number();
    bytes_.clear();
    number((unit_.openmp ? unit_flag::kOpenMp : 0) | (unit_.taken.empty() ? 0 : unit_flag::kTaken) |
           (has_numbers() ? unit_flag::kNumbers : 0) |
           (unit_.writers.empty() ? 0 : unit_flag::kWriters) |
           (unit_.tables.empty() ? 0 : unit_flag::kTables) |
           (unit_.casts.empty() ? 0 : unit_flag::kCasts) |
           (unit_.pointed.empty() ? 0 : unit_flag::kPointed));
    strings();
    facts();
    const std::string plain = std::move(bytes_);
    bytes_.clear();
    number(plain.size());
    const std::string deflated = pack(plain);
    const std::string packed = bytes_ + deflated;
    const bool is_shorter = !deflated.empty() && packed.size() < plain.size();
    const std::string& body = is_shorter ? packed : plain;
    bytes_ = kMagic;
    bytes_ += static_cast<char>(is_shorter ? kPackedVersion : kVersion);
    number(body.size());
    return bytes_ + body;
}

}  // namespace
}  // namespace notes

std::string encode(Unit unit) {
    const Unit reduced = notes::reduce(std::move(unit));
    return notes::Encoder(reduced).encode();
}

}  // namespace mqinspect::thread_level
