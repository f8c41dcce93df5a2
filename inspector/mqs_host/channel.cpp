#include "inspector/mqs_host/channel.h"

#include <unistd.h>

#include <algorithm>
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

void Channel::begin_question(wire::Kind kind, std::size_t process) {
    writer_.begin(kind);
    writer_.put(static_cast<std::uint32_t>(process));
}

std::vector<std::byte> Channel::answer() {
    writer_.end();
    flush();
    wire::Header header;
    read_all(std::as_writable_bytes(std::span{&header, 1}));
    std::vector<std::byte> record(header.length);
    read_all(record);
    return record;
}

std::unique_ptr<target::TypeLayout> Channel::ask_type(std::size_t process, std::string_view name) {
    begin_question(wire::Kind::TypeQuestion, process);
    writer_.put_text(name);
    const std::vector<std::byte> record = answer();
    wire::Reader reader(record);
    return wire::take_type(reader);
}

std::optional<target::Address> Channel::ask_symbol(std::size_t process, std::string_view name) {
    begin_question(wire::Kind::SymbolQuestion, process);
    writer_.put_text(name);
    const std::vector<std::byte> record = answer();
    wire::Reader reader(record);
    if (reader.take<std::uint8_t>() == 0) return std::nullopt;
    return target::Address{reader.take<std::uint64_t>()};
}

bool Channel::ask_memory(std::size_t process,
                         target::Address address,
                         std::span<std::byte> destination) {
    begin_question(wire::Kind::MemoryQuestion, process);
    writer_.put(target::to_integer(address));
    writer_.put(std::uint64_t{destination.size()});
    const std::vector<std::byte> record = answer();
    wire::Reader reader(record);
    if (reader.take<std::uint8_t>() == 0) return false;
    const auto bytes = reader.take_bytes(destination.size());
    if (!reader.ok()) return false;
    std::ranges::copy(bytes, destination.begin());
    return true;
}

}  // namespace mqinspect::mqs_host
