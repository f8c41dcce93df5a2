#include "trace_io/log_writer.h"

#include <algorithm>
#include <cstring>

namespace mqinspect::trace_io {
namespace {

using model::BlockHeader;
using model::FileHeader;
using model::kBlockBytes;
using model::RecordKind;

constexpr std::size_t kRecordBytes = kBlockBytes - sizeof(BlockHeader);
/// Longer lists are cut, as the recorder does: no block holds them.
constexpr std::size_t kMostElements = 4000;

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

std::size_t bound(const LoggedValues& values) {
    std::size_t bytes = 10 * model::kMaxVarintBytes;
    for (const LoggedValue& value : values) {
        const auto* list = std::get_if<LoggedList>(&value);
        const std::size_t elements = list == nullptr ? 0 : std::min(list->size(), kMostElements);
        bytes += model::kMaxVarintBytes * (1 + elements);
    }
    return bytes;
}

void put_list(std::vector<std::uint8_t>& out, const LoggedList& list) {
    const std::size_t size = std::min(list.size(), kMostElements);
    put(out, size);
    std::int64_t before = 0;
    for (std::size_t at = 0; at < size; ++at) {
        put(out, model::zigzag(difference(list[at], before)));
        before = list[at];
    }
}

void write(std::ofstream& file, const std::vector<std::uint8_t>& bytes) {
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

LogFields& LogFields::number(std::int64_t value) {
    put(bytes_, model::zigzag(value));
    return *this;
}

LogFields& LogFields::length(std::size_t length) {
    put(bytes_, length);
    return *this;
}

LogFields& LogFields::text(std::string_view text) {
    length(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
}

LogWriter::LogWriter(const std::string& path, std::uint64_t pid, std::uint64_t start_ns)
    : path_(path),
      pid_(pid),
      start_ns_(start_ns),
      definitions_(path + ".mqdef", std::ios::binary | std::ios::trunc),
      log_(path + ".mqlog", std::ios::binary | std::ios::trunc) {
    write(definitions_, header(model::kDefinitionsMagic));
    std::vector<std::uint8_t> first = header(model::kLogMagic);
    first.resize(kBlockBytes);
    write(log_, first);
}

std::vector<std::uint8_t> LogWriter::header(std::uint64_t magic) const {
    std::vector<std::uint8_t> bytes(sizeof(FileHeader));
    put_raw(bytes, offsetof(FileHeader, magic), magic);
    put_raw(bytes, offsetof(FileHeader, format), model::kRecordFormat);
    put_raw(bytes, offsetof(FileHeader, pid), pid_);
    put_raw(bytes, offsetof(FileHeader, start_ns), start_ns_);
    put_raw(bytes, offsetof(FileHeader, committed), committed_);
    put_raw(bytes, offsetof(FileHeader, blocks), blocks_);
    return bytes;
}

void LogWriter::define(model::DefinitionKind kind, const LogFields& fields) {
    std::vector<std::uint8_t> bytes;
    put(bytes, fields.bytes().size());
    bytes.push_back(static_cast<std::uint8_t>(kind));
    bytes.insert(bytes.end(), fields.bytes().begin(), fields.bytes().end());
    write(definitions_, bytes);
    committed_ += bytes.size();
}

void LogWriter::put_head(Thread& thread,
                         RecordKind kind,
                         std::uint64_t number,
                         std::uint64_t ticks) {
    const std::uint64_t now = std::max(ticks, thread.ticks);
    put(thread.records, number << 2U | static_cast<std::uint64_t>(kind));
    put(thread.records, now - thread.ticks);
    thread.ticks = now;
}

void LogWriter::begin_block(Thread& thread, std::uint64_t ticks) {
    thread.begun = true;
    thread.before.clear();
    thread.ticks = std::max(thread.ticks, ticks);
    thread.block_ticks = thread.ticks;
    thread.block_event = thread.event;
    thread.block_open = static_cast<std::uint32_t>(thread.open.size());
    for (const OpenCall& open : thread.open) {
        put_head(
            thread, RecordKind::Resume, static_cast<std::uint64_t>(open.procedure), thread.ticks);
        put(thread.records, static_cast<std::uint64_t>(open.stack));
        put(thread.records, open.event);
    }
}

void LogWriter::end_block(std::uint32_t id, Thread& thread) {
    if (!thread.begun) return;
    std::vector<std::uint8_t> block(kBlockBytes);
    put_raw(block, offsetof(BlockHeader, magic), model::kBlockMagic);
    put_raw(block, offsetof(BlockHeader, thread), id);
    put_raw(block, offsetof(BlockHeader, sequence), thread.sequence++);
    put_raw(block, offsetof(BlockHeader, ticks), thread.block_ticks);
    put_raw(block, offsetof(BlockHeader, first_event), thread.block_event);
    put_raw(block, offsetof(BlockHeader, used), static_cast<std::uint32_t>(thread.records.size()));
    put_raw(block, offsetof(BlockHeader, open_calls), thread.block_open);
    std::ranges::copy(thread.records, block.begin() + sizeof(BlockHeader));
    write(log_, block);
    ++blocks_;
    thread.records.clear();
    thread.begun = false;
}

LogWriter::Thread& LogWriter::with_room(std::uint32_t id, std::uint64_t ticks, std::size_t bytes) {
    Thread& thread = threads_[id];
    if (thread.begun && thread.records.size() + bytes > kRecordBytes) end_block(id, thread);
    if (!thread.begun) begin_block(thread, ticks);
    return thread;
}

void LogWriter::put_values(Thread& thread, const Site& site, const LoggedValues& values) {
    LoggedValues& before = thread.before[site];
    if (before.size() != values.size()) {
        before.clear();
        for (const LoggedValue& value : values) {
            before.push_back(value.index() == 0 ? LoggedValue(std::int64_t{0})
                                                : LoggedValue(LoggedList{}));
        }
    }
    std::uint64_t changed = 0;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (values[at] != before[at]) changed |= std::uint64_t{1} << std::min<std::size_t>(at, 63);
    put(thread.records, changed);
    for (std::size_t at = 0; at < values.size(); ++at) {
        if ((changed >> std::min<std::size_t>(at, 63) & 1U) == 0) continue;
        if (const auto* list = std::get_if<LoggedList>(&values[at])) {
            put_list(thread.records, *list);
        } else {
            put(thread.records,
                model::zigzag(difference(std::get<0>(values[at]), std::get<0>(before[at]))));
        }
    }
    before = values;
}

void LogWriter::enter(std::uint32_t id,
                      std::int64_t procedure,
                      std::int64_t stack,
                      std::uint64_t ticks,
                      const LoggedValues& values) {
    Thread& thread = with_room(id, ticks, bound(values));
    put_head(thread, RecordKind::Enter, static_cast<std::uint64_t>(procedure), ticks);
    put(thread.records, static_cast<std::uint64_t>(stack));
    put_values(thread, {RecordKind::Enter, procedure, stack}, values);
    thread.open.push_back({procedure, stack, thread.event++});
}

void LogWriter::leave(std::uint32_t id, std::uint64_t ticks, const LoggedValues& values) {
    Thread& thread = with_room(id, ticks, bound(values));
    if (thread.open.empty()) return;
    const OpenCall open = thread.open.back();
    thread.open.pop_back();
    put_head(thread, RecordKind::Leave, 0, ticks);
    put_values(thread, {RecordKind::Leave, open.procedure, open.stack}, values);
    ++thread.event;
}

void LogWriter::event(std::uint32_t id,
                      model::EventKind kind,
                      std::uint64_t ticks,
                      const LogFields& payload) {
    Thread& thread = with_room(id, ticks, payload.bytes().size() + 3 * model::kMaxVarintBytes);
    put_head(thread, RecordKind::Event, static_cast<std::uint64_t>(kind), ticks);
    put(thread.records, payload.bytes().size());
    thread.records.insert(thread.records.end(), payload.bytes().begin(), payload.bytes().end());
}

Result<Done> LogWriter::finish() {
    for (auto& [id, thread] : threads_)
        end_block(id, thread);
    definitions_.seekp(0);
    write(definitions_, header(model::kDefinitionsMagic));
    log_.seekp(0);
    write(log_, header(model::kLogMagic));
    definitions_.close();
    log_.close();
    if (!definitions_ || !log_)
        return Error{ErrorCode::System, path_ + ": cannot be written; is the disk full?"};
    return Done{};
}

}  // namespace mqinspect::trace_io
