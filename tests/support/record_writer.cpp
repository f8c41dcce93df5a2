#include "tests/support/record_writer.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

namespace mqinspect::testing {
namespace {

using model::BlockHeader;
using model::DefinitionKind;
using model::kBlockBytes;
using model::RecordKind;

constexpr std::size_t kRecords = kBlockBytes - sizeof(BlockHeader);

void put(std::vector<std::uint8_t>& out, std::uint64_t value) {
    std::uint8_t digits[model::kMaxVarintBytes];
    out.insert(out.end(), digits, model::put_varint(digits, value));
}

template <class T>
void put_raw(std::vector<std::uint8_t>& out, std::size_t offset, T value) {
    std::memcpy(out.data() + offset, &value, sizeof value);
}

std::int64_t difference(std::int64_t value, std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                     static_cast<std::uint64_t>(before));
}

void put_list(std::vector<std::uint8_t>& out, const Numbers& list) {
    put(out, list.size());
    std::int64_t before = 0;
    for (const std::int64_t element : list) {
        put(out, model::zigzag(difference(element, before)));
        before = element;
    }
}

// What all values are before the first record of a site in a block.
WrittenValue nothing(const WrittenValue& like) {
    return like.index() == 0 ? WrittenValue(std::int64_t{0}) : WrittenValue(Numbers{});
}

std::size_t bound(const WrittenValues& values) {
    std::size_t bytes = 100;
    for (const WrittenValue& value : values)
        bytes += 10 + (value.index() == 1 ? 10 * std::get<1>(value).size() : 0);
    return bytes;
}

}  // namespace

Fields& Fields::number(std::int64_t value) {
    put(bytes_, model::zigzag(value));
    return *this;
}

Fields& Fields::length(std::size_t length) {
    put(bytes_, length);
    return *this;
}

Fields& Fields::text(std::string_view text) {
    length(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
}

Fields& Fields::numbers(const Numbers& list) {
    length(list.size());
    for (const std::int64_t element : list)
        number(element);
    return *this;
}

RecordWriter::RecordWriter(std::string name, std::uint64_t start_ns, std::uint32_t tick_shift)
    : name_(std::move(name)), start_ns_(start_ns), tick_shift_(tick_shift) {}

void RecordWriter::define(DefinitionKind kind, const Fields& fields) {
    put(definitions_, fields.bytes().size());
    definitions_.push_back(static_cast<std::uint8_t>(kind));
    definitions_.insert(definitions_.end(), fields.bytes().begin(), fields.bytes().end());
}

void RecordWriter::define_usual(std::int64_t rank, std::int64_t size, std::uint64_t world_key) {
    const auto start = static_cast<std::int64_t>(start_ns_);
    define(DefinitionKind::Process,
           Fields()
               .text("host")
               .text("/bin/app")
               .length(1)
               .text("/bin/app")
               .text("MPICH Version: 4.0.2")
               .text("mqinspect 0.1.0"));
    define(DefinitionKind::Clock, Fields().number(0).number(start));
    define(DefinitionKind::Clock, Fields().number(1'000'000).number(start + 1'000'000));
    define(DefinitionKind::World,
           Fields()
               .number(rank)
               .number(size)
               .number(static_cast<std::int64_t>(world_key))
               .number(0)
               .number(0));
    define(DefinitionKind::Constant, Fields().text("MPI_THREAD_SINGLE").number(0));
    define(DefinitionKind::Image,
           Fields().number(0).text("/bin/app").text("c0ffee").number(0x400000).number(0x10000));
    for (std::int64_t stack = 0; stack < 4; ++stack) {
        Fields fields;
        fields.number(stack).length(stack == 0 ? 0 : 1);
        if (stack != 0) fields.number(1).number(0x1000 * stack);
        define(DefinitionKind::Stack, fields);
    }
    define(DefinitionKind::Communicator,
           Fields()
               .number(0)
               .number(model::kNullHandle)
               .text("MPI_COMM_WORLD")
               .number(0)
               .number(0)
               .number(rank)
               .length(1)
               .number(0)
               .number(size - 1)
               .number(1)
               .length(0)
               .length(0)
               .text("")
               .length(0)
               .length(0));
    define(DefinitionKind::Datatype,
           Fields()
               .number(0)
               .text("MPI_INT")
               .text("MPI_COMBINER_NAMED")
               .length(0)
               .length(0)
               .length(0)
               .number(4)
               .number(0)
               .number(4)
               .number(0)
               .number(4));
}

std::int64_t RecordWriter::define_procedure(std::string_view name,
                                            const std::vector<WrittenParameter>& parameters) {
    Fields fields;
    fields.number(procedures_).text(name).length(parameters.size());
    for (const WrittenParameter& parameter : parameters) {
        fields.text(parameter.name)
            .number(static_cast<std::int64_t>(parameter.kind))
            .number(static_cast<std::int64_t>(parameter.direction));
    }
    define(DefinitionKind::Procedure, fields);
    return procedures_++;
}

void RecordWriter::begin_block(std::uint32_t id, std::uint64_t ticks) {
    Thread& thread = threads_[id];
    thread.block = blocks_.size();
    thread.ticks = ticks;
    thread.before.clear();
    Block block;
    block.thread = id;
    block.sequence = thread.sequence++;
    block.ticks = ticks;
    block.first_event = thread.event;
    block.open_calls = static_cast<std::uint32_t>(thread.open.size());
    blocks_.push_back(std::move(block));
    for (const OpenCall& open : thread.open) {
        std::vector<std::uint8_t> record =
            head(thread, RecordKind::Resume, static_cast<std::uint64_t>(open.procedure), ticks);
        put(record, open.stack);
        put(record, open.event);
        append(id, ticks, std::move(record));
    }
}

void RecordWriter::make_room(std::uint32_t id, std::uint64_t ticks, std::size_t bytes) {
    const Thread& thread = threads_[id];
    if (thread.block == SIZE_MAX || blocks_[thread.block].records.size() + bytes > kRecords)
        begin_block(id, ticks);
}

void RecordWriter::end_block(std::uint32_t thread) {
    threads_[thread].block = SIZE_MAX;
}

std::vector<std::uint8_t> RecordWriter::head(const Thread& thread,
                                             RecordKind kind,
                                             std::uint64_t number,
                                             std::uint64_t ticks) const {
    std::vector<std::uint8_t> record;
    put(record, number << 2U | static_cast<std::uint64_t>(kind));
    put(record, (ticks - thread.ticks) >> tick_shift_);
    return record;
}

void RecordWriter::append(std::uint32_t id, std::uint64_t ticks, std::vector<std::uint8_t> record) {
    Thread& thread = threads_[id];
    thread.ticks += (ticks - thread.ticks) >> tick_shift_ << tick_shift_;
    std::vector<std::uint8_t>& records = blocks_[thread.block].records;
    records.insert(records.end(), record.begin(), record.end());
}

void RecordWriter::put_values(std::vector<std::uint8_t>& out,
                              Thread& thread,
                              const Site& site,
                              const WrittenValues& values) {
    WrittenValues& before = thread.before[site];
    for (std::size_t i = before.size(); i < values.size(); ++i)
        before.push_back(nothing(values[i]));
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != before[i]) changed |= std::uint64_t{1} << std::min<std::size_t>(i, 63);
    }
    put(out, changed);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if ((changed >> std::min<std::size_t>(i, 63) & 1U) == 0) continue;
        if (values[i].index() == 1) {
            put_list(out, std::get<1>(values[i]));
        } else {
            put(out, model::zigzag(difference(std::get<0>(values[i]), std::get<0>(before[i]))));
        }
    }
    before = values;
}

void RecordWriter::enter(std::uint32_t id,
                         std::int64_t procedure,
                         std::uint64_t stack,
                         std::uint64_t ticks,
                         const WrittenValues& values) {
    make_room(id, ticks, bound(values));
    Thread& thread = threads_[id];
    std::vector<std::uint8_t> record =
        head(thread, RecordKind::Enter, static_cast<std::uint64_t>(procedure), ticks);
    put(record, stack);
    put_values(record, thread, {RecordKind::Enter, procedure, stack}, values);
    append(id, ticks, std::move(record));
    thread.open.push_back({procedure, stack, thread.event++});
}

void RecordWriter::leave(std::uint32_t id, std::uint64_t ticks, const WrittenValues& values) {
    make_room(id, ticks, bound(values));
    Thread& thread = threads_[id];
    const OpenCall open = thread.open.back();
    thread.open.pop_back();
    std::vector<std::uint8_t> record = head(thread, RecordKind::Leave, 0, ticks);
    put_values(record, thread, {RecordKind::Leave, open.procedure, open.stack}, values);
    append(id, ticks, std::move(record));
    ++thread.event;
}

void RecordWriter::event(std::uint32_t id,
                         model::EventKind kind,
                         std::uint64_t ticks,
                         const Fields& payload) {
    make_room(id, ticks, payload.bytes().size() + 100);
    std::vector<std::uint8_t> record =
        head(threads_[id], RecordKind::Event, static_cast<std::uint64_t>(kind), ticks);
    put(record, payload.bytes().size());
    record.insert(record.end(), payload.bytes().begin(), payload.bytes().end());
    append(id, ticks, std::move(record));
}

std::vector<std::uint8_t> RecordWriter::header(std::uint64_t magic) const {
    std::vector<std::uint8_t> bytes(sizeof(model::FileHeader));
    put_raw(bytes, offsetof(model::FileHeader, magic), magic);
    put_raw(bytes, offsetof(model::FileHeader, format), model::kRecordFormat);
    put_raw(bytes, offsetof(model::FileHeader, tick_shift), tick_shift_);
    put_raw(bytes, offsetof(model::FileHeader, pid), std::uint64_t{4711});
    put_raw(bytes, offsetof(model::FileHeader, start_ns), start_ns_);
    put_raw(bytes, offsetof(model::FileHeader, committed), std::uint64_t{definitions_.size()});
    put_raw(bytes, offsetof(model::FileHeader, blocks), std::uint64_t{blocks_.size()});
    return bytes;
}

std::vector<std::uint8_t> RecordWriter::definitions() const {
    std::vector<std::uint8_t> bytes = header(model::kDefinitionsMagic);
    bytes.insert(bytes.end(), definitions_.begin(), definitions_.end());
    return bytes;
}

std::vector<std::uint8_t> RecordWriter::log() const {
    std::vector<std::uint8_t> bytes = header(model::kLogMagic);
    bytes.resize((blocks_.size() + 1) * kBlockBytes);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const Block& block = blocks_[i];
        const std::size_t at = (i + 1) * kBlockBytes;
        put_raw(bytes, at + offsetof(BlockHeader, magic), model::kBlockMagic);
        put_raw(bytes, at + offsetof(BlockHeader, thread), block.thread);
        put_raw(bytes, at + offsetof(BlockHeader, sequence), block.sequence);
        put_raw(bytes, at + offsetof(BlockHeader, ticks), block.ticks);
        put_raw(bytes, at + offsetof(BlockHeader, first_event), block.first_event);
        put_raw(bytes,
                at + offsetof(BlockHeader, used),
                static_cast<std::uint32_t>(block.records.size()));
        put_raw(bytes, at + offsetof(BlockHeader, open_calls), block.open_calls);
        std::ranges::copy(block.records,
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(BlockHeader)));
    }
    return bytes;
}

void RecordWriter::save(const std::filesystem::path& folder) const {
    const auto write = [&](const char* suffix, const std::vector<std::uint8_t>& bytes) {
        std::ofstream file(folder / (name_ + suffix), std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    };
    write(".mqdef", definitions());
    write(".mqlog", log());
}

}  // namespace mqinspect::testing
