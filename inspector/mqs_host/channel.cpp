#include "inspector/mqs_host/channel.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace mqinspect::mqs_host {

namespace {

constexpr std::size_t kBatchBytes = std::size_t{96} << 10;

}  // namespace

void Channel::flush() {
    std::span<const std::byte> rest = writer_.buffer();
    while (!rest.empty()) {
        const ssize_t written = write(fd_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(EXIT_FAILURE);
        rest = rest.subspan(static_cast<std::size_t>(written));
    }
    writer_.buffer().clear();
}

void Channel::flush_if_large() {
    if (writer_.buffer().size() >= kBatchBytes) flush();
}

void Channel::read_all(std::span<std::byte> destination) const {
    while (!destination.empty()) {
        const ssize_t taken = read(fd_, destination.data(), destination.size());
        if (taken < 0 && errno == EINTR) continue;
        if (taken <= 0) _exit(EXIT_FAILURE);
        destination = destination.subspan(static_cast<std::size_t>(taken));
    }
}

std::unique_ptr<target::TypeLayout> Channel::ask_type(std::size_t process,
                                                      const std::string& name) {
    writer_.begin(wire::Kind::TypeQuestion);
    writer_.put(static_cast<std::uint32_t>(process));
    writer_.put_text(name);
    writer_.end();
    flush();

    wire::Header header;
    read_all(std::as_writable_bytes(std::span{&header, 1}));
    std::vector<std::byte> record(header.length);
    read_all(record);
    wire::Reader reader(record);
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

}  // namespace mqinspect::mqs_host
