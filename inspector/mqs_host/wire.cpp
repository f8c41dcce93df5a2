#include "inspector/mqs_host/wire.h"

#include <algorithm>

namespace mqinspect::mqs_host::wire {

namespace {

constexpr std::size_t kOperationHead = offsetof(mqs_pending_operation, extra_text);
constexpr std::size_t kDetailsHead = offsetof(mqs_operation_details, datatype_name);
constexpr std::size_t kTextLines = std::extent_v<decltype(mqs_pending_operation::extra_text)>;

template <class T>
std::span<const std::byte> head_of(const T& value, std::size_t bytes) {
    return std::as_bytes(std::span{&value, 1}).first(bytes);
}

template <class T>
void take_head(Reader& reader, T& value, std::size_t bytes) {
    const auto head = reader.take_bytes(bytes);
    if (reader.ok()) std::memcpy(&value, head.data(), bytes);
}

template <std::size_t size>
std::string_view text_in(const char (&text)[size]) {
    const char* end = std::find(text, text + size, '\0');
    return {text, static_cast<std::size_t>(end - text)};
}

/// Leaves the last byte NUL: `text` is value-initialised.
template <std::size_t size>
void store_text(std::string_view from, char (&text)[size]) {
    std::memcpy(text, from.data(), std::min(from.size(), size - 1));
}

}  // namespace

void Writer::begin(Kind kind) {
    record_ = buffer_.size();
    put(Header{0, kind});
}

void Writer::end() {
    const auto length = static_cast<std::uint32_t>(buffer_.size() - record_ - sizeof(Header));
    std::memcpy(buffer_.data() + record_ + offsetof(Header, length), &length, sizeof length);
}

void Writer::put_bytes(std::span<const std::byte> bytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void Writer::put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    put_bytes(std::as_bytes(std::span{text}));
}

void Writer::put_ranks(const std::vector<int>& ranks) {
    put(static_cast<std::uint32_t>(ranks.size()));
    put_bytes(std::as_bytes(std::span{ranks}));
}

std::span<const std::byte> Reader::take_bytes(std::size_t count) {
    if (!ok_ || count > rest_.size()) {
        ok_ = false;
        return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
}

std::string_view Reader::take_text() {
    const auto bytes = take_bytes(take<std::uint32_t>());
    // Text is bytes: the one cast that the language allows for looking at them.
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<int> Reader::take_ranks() {
    const auto bytes = take_bytes(take<std::uint32_t>() * sizeof(int));
    std::vector<int> ranks(bytes.size() / sizeof(int));
    if (!bytes.empty()) std::memcpy(ranks.data(), bytes.data(), bytes.size());
    return ranks;
}

void put_error(Writer& writer, Kind kind, const Error& error) {
    writer.begin(kind);
    writer.put(error.code);
    writer.put_text(error.message);
    writer.end();
}

Error take_error(Reader& reader) {
    const auto code = reader.take<std::uint32_t>();
    Error error{ErrorCode::CorruptData, std::string(reader.take_text())};
    if (code <= static_cast<std::uint32_t>(ErrorCode::System)) {
        error.code = static_cast<ErrorCode>(code);
    }
    return error;
}

void put_communicator(Writer& writer, const HostedCommunicator& communicator) {
    writer.begin(Kind::Communicator);
    writer.put(communicator.communicator);
    writer.put(communicator.details);
    writer.put(static_cast<std::uint8_t>(communicator.has_details));
    writer.put_ranks(communicator.group);
    writer.put_ranks(communicator.remote_group);
    writer.put(communicator.counted);
    writer.put_bytes(std::as_bytes(std::span(communicator.message_counts)));
    writer.end();
}

HostedCommunicator take_communicator(Reader& reader) {
    HostedCommunicator communicator;
    communicator.communicator = reader.take<mqs_communicator>();
    communicator.communicator.name[sizeof communicator.communicator.name - 1] = '\0';
    communicator.details = reader.take<mqs_comm_details>();
    communicator.has_details = reader.take<std::uint8_t>() != 0;
    communicator.group = reader.take_ranks();
    communicator.remote_group = reader.take_ranks();
    communicator.counted = reader.take<Counted>();
    communicator.message_counts.resize(reader.left() / sizeof(mqs_message_counts));
    for (mqs_message_counts& counts : communicator.message_counts)
        counts = reader.take<mqs_message_counts>();
    return communicator;
}

void put_operation(Writer& writer, const HostedOperation& operation) {
    writer.begin(Kind::Operation);
    writer.put(operation.queue);
    writer.put_bytes(head_of(operation.operation, kOperationHead));
    for (const auto& line : operation.operation.extra_text) {
        writer.put_text(text_in(line));
        if (line[0] == '\0') break;
    }
    writer.put(static_cast<std::uint8_t>(operation.has_details));
    if (operation.has_details) {
        writer.put_bytes(head_of(operation.details, kDetailsHead));
        writer.put_text(text_in(operation.details.datatype_name));
        writer.put(operation.details.part_of);
        writer.put_text(text_in(operation.details.function));
    }
    if (operation.queue == mqs_pending_collectives) {
        writer.put_ranks(operation.receives_from);
        writer.put_ranks(operation.sends_to);
    }
    writer.end();
}

void take_operation(Reader& reader, HostedOperation& operation) {
    operation.queue = reader.take<int>();
    take_head(reader, operation.operation, kOperationHead);
    for (std::size_t i = 0; i < kTextLines; ++i) {
        const std::string_view line = reader.take_text();
        if (line.empty()) break;
        store_text(line, operation.operation.extra_text[i]);
    }
    operation.has_details = reader.take<std::uint8_t>() != 0;
    if (operation.has_details) {
        take_head(reader, operation.details, kDetailsHead);
        store_text(reader.take_text(), operation.details.datatype_name);
        operation.details.part_of = reader.take<unsigned int>();
        store_text(reader.take_text(), operation.details.function);
    }
    if (operation.queue == mqs_pending_collectives) {
        operation.receives_from = reader.take_ranks();
        operation.sends_to = reader.take_ranks();
    }
}

void put_window(Writer& writer, const HostedWindow& window) {
    writer.begin(Kind::Window);
    writer.put(window.window);
    writer.put(static_cast<std::uint32_t>(window.peers.size()));
    writer.put_bytes(std::as_bytes(std::span{window.peers}));
    writer.end();
}

HostedWindow take_window(Reader& reader) {
    HostedWindow window;
    window.window = reader.take<mqs_window>();
    window.window.name[sizeof window.window.name - 1] = '\0';
    const auto bytes =
        reader.take_bytes(std::size_t{reader.take<std::uint32_t>()} * sizeof(mqs_window_peer));
    window.peers.resize(bytes.size() / sizeof(mqs_window_peer));
    if (!bytes.empty()) std::memcpy(window.peers.data(), bytes.data(), bytes.size());
    return window;
}

void put_type(Writer& writer, const target::TypeLayout* type) {
    writer.begin(Kind::TypeAnswer);
    writer.put(static_cast<std::uint8_t>(type != nullptr));
    if (type != nullptr) {
        writer.put_text(type->name);
        writer.put(type->size);
        writer.put(static_cast<std::uint32_t>(type->fields.size()));
        for (const auto& field : type->fields) {
            writer.put_text(field.name);
            writer.put(field.offset);
            writer.put(field.size);
        }
    }
    writer.end();
}

std::unique_ptr<target::TypeLayout> take_type(Reader& reader) {
    if (reader.take<std::uint8_t>() == 0) return nullptr;
    auto layout = std::make_unique<target::TypeLayout>();
    layout->name = reader.take_text();
    layout->size = reader.take<std::uint64_t>();
    layout->fields.resize(reader.take<std::uint32_t>());
    for (auto& field : layout->fields) {
        field.name = reader.take_text();
        field.offset = reader.take<std::int64_t>();
        field.size = reader.take<std::uint64_t>();
    }
    return layout;
}

}  // namespace mqinspect::mqs_host::wire
