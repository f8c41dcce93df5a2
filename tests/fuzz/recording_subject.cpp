#include "tests/fuzz/recording_subject.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "model/record_format.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/recording.h"

namespace mqinspect::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using model::BlockHeader;
using model::FileHeader;
using model::kBlockBytes;
using model::ParameterKind;

template <class T>
void set(Bytes& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::span<const std::uint8_t> take(std::span<const std::uint8_t>& bytes, std::size_t count) {
    const auto taken = bytes.first(std::min(count, bytes.size()));
    bytes = bytes.subspan(taken.size());
    return taken;
}

std::size_t take_number(std::span<const std::uint8_t>& bytes, std::size_t width) {
    std::size_t number = 0;
    for (const std::uint8_t byte : take(bytes, width))
        number = number << 8U | byte;
    return number;
}

Bytes header(std::uint64_t magic, std::uint64_t committed, std::uint64_t blocks) {
    Bytes bytes(sizeof(FileHeader));
    set(bytes, offsetof(FileHeader, magic), magic);
    set(bytes, offsetof(FileHeader, format), model::kRecordFormat);
    set(bytes, offsetof(FileHeader, committed), committed);
    set(bytes, offsetof(FileHeader, blocks), blocks);
    return bytes;
}

Bytes log_of(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t most_blocks = 8;
    Bytes log(kBlockBytes);
    std::map<std::size_t, std::uint64_t> sequences;
    std::size_t blocks = 0;
    for (; !bytes.empty() && blocks < most_blocks; ++blocks) {
        const std::size_t length = take_number(bytes, 2);
        const std::size_t thread = take_number(bytes, 1);
        const std::size_t open_calls = take_number(bytes, 1);
        const auto records = take(bytes, std::min(length, kBlockBytes - sizeof(BlockHeader)));
        const std::size_t at = log.size();
        log.resize(at + kBlockBytes);
        set(log, at + offsetof(BlockHeader, magic), model::kBlockMagic);
        set(log, at + offsetof(BlockHeader, thread), static_cast<std::uint32_t>(thread));
        set(log, at + offsetof(BlockHeader, sequence), sequences[thread]++);
        set(log, at + offsetof(BlockHeader, used), static_cast<std::uint32_t>(records.size()));
        set(log, at + offsetof(BlockHeader, open_calls), static_cast<std::uint32_t>(open_calls));
        std::ranges::copy(records,
                          log.begin() + static_cast<std::ptrdiff_t>(at + sizeof(BlockHeader)));
    }
    const Bytes head = header(model::kLogMagic, 0, blocks);
    std::ranges::copy(head, log.begin());
    return log;
}

void require(bool condition) {
    if (!condition) std::abort();
}

template <class T>
bool fits(const std::vector<T>& things, std::int64_t id) {
    return id == model::kNullHandle || id == model::kInvalidHandle ||
           (id >= 0 && static_cast<std::size_t>(id) < things.size());
}

void check_values(const model::Execution& execution,
                  const model::Procedure& procedure,
                  std::span<const model::Value> values) {
    require(values.empty() || values.size() == procedure.parameters.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        const std::int64_t number = values[at].number;
        // A value that is none of this record's stays 0.
        if (number == 0) continue;
        if (parameter.kind == ParameterKind::Communicator)
            require(fits(execution.communicators, number));
        if (parameter.kind == ParameterKind::Datatype) require(fits(execution.datatypes, number));
        if (parameter.kind == ParameterKind::Operator) require(fits(execution.operators, number));
        if (parameter.kind == ParameterKind::Window) require(fits(execution.windows, number));
        if (parameter.kind == ParameterKind::File) require(fits(execution.files, number));
        if (parameter.kind == ParameterKind::Text) require(fits(execution.texts, number));
        for (const std::int64_t element : values[at].list) {
            if (parameter.kind == ParameterKind::DatatypeList)
                require(fits(execution.datatypes, element));
        }
    }
}

}  // namespace

std::size_t read_recorded(std::span<const std::uint8_t> bytes) {
    static const testing::RecordedFolder folder;
    const auto definitions = take(bytes, take_number(bytes, 2));
    Bytes file = header(model::kDefinitionsMagic, definitions.size(), 0);
    file.insert(file.end(), definitions.begin(), definitions.end());
    folder.write("h.1.1.mqdef", file);
    folder.write("h.1.1.mqlog", log_of(bytes));
    const auto recording = trace_io::open_recording(folder.path().string());
    if (!recording) return 0;
    const model::Execution& execution = (*recording)->execution();
    std::size_t calls = 0;
    for (const model::RecordedProcess& process : execution.processes) {
        const auto stream = (*recording)->calls(process.id);
        for (model::RecordedCall call; stream->next(call); ++calls) {
            require(call.procedure.index() < execution.procedures.size());
            require(call.stack.index() < execution.stacks.size());
            const model::Procedure& procedure = execution.procedures[call.procedure.index()];
            check_values(execution, procedure, call.before);
            check_values(execution, procedure, call.after);
        }
    }
    return calls;
}

}  // namespace mqinspect::fuzz
