#include "mqs_dll/new_processes.h"

#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

constexpr std::size_t kMostGroups = 4096;
constexpr std::int32_t kMostProcesses = 1 << 24;
/// A connection's text is longer than what is looked at: the host comes first.
constexpr std::size_t kMostText = 512;

std::uint64_t at(std::uint64_t base, int offset) {
    return base + static_cast<std::uint64_t>(offset);
}

/// The host of "description#HOST$port#40001$..." (the business card of ch3's
/// netmods); empty if there is none.
void take_host(const char* text, char* host, std::size_t room) {
    static constexpr char key[] = "description#";
    host[0] = '\0';
    const char* found = std::strstr(text, key);
    if (found == nullptr) return;
    found += sizeof key - 1;
    std::size_t length = 0;
    for (; found[length] != '\0' && found[length] != '$' && length + 1 < room; ++length) {
        const auto c = static_cast<unsigned char>(found[length]);
        host[length] = c < 0x20 || c >= 0x7f ? '?' : found[length];
    }
    host[length] = '\0';
}

}  // namespace

Status NewProcesses::add(const Target& target, const Layout& layout, std::uint64_t group) {
    if (groups_.size() == kMostGroups) return Status::CorruptData;
    Group found;
    found.name = world_name_of(target, layout, group);
    Status status = target.read_int(at(group, layout.pg_size), found.size);
    if (!ok(status)) return status;
    if (found.size < 0 || found.size > kMostProcesses) return Status::CorruptData;
    std::uint64_t data = 0;
    if (layout.pg_conn_data >= 0 && layout.conn_strings >= 0 &&
        ok(target.read_pointer(at(group, layout.pg_conn_data), data)) && data != 0 &&
        !ok(target.read_pointer(at(data, layout.conn_strings), found.connections))) {
        found.connections = 0;
    }
    return groups_.push(found) ? Status::Ok : Status::OutOfMemory;
}

Status NewProcesses::start(const Target& target, const Layout& layout, const Symbols& symbols) {
    groups_.clear();
    group_ = 0;
    rank_ = 0;
    if (symbols.process_groups == 0 || symbols.device_process == 0 || layout.pg_next < 0 ||
        layout.pg_size < 0 || layout.pg_id < 0 || layout.process_my_pg < 0) {
        return Status::NoInformation;
    }
    std::uint64_t own = 0;
    Status status = target.read_pointer(at(symbols.device_process, layout.process_my_pg), own);
    std::uint64_t group = 0;
    if (ok(status)) status = target.read_pointer(symbols.process_groups, group);
    // A list that leads back into itself ends at the most groups that there can be.
    for (std::size_t seen = 0; ok(status) && group != 0; ++seen) {
        if (seen > kMostGroups) return Status::CorruptData;
        if (group != own) status = add(target, layout, group);
        if (ok(status)) status = target.read_pointer(at(group, layout.pg_next), group);
    }
    if (!ok(status)) return status;
    return groups_.empty() ? Status::EndOfList : Status::Ok;
}

Status NewProcesses::next(const Target& target,
                          const Layout& layout,
                          const JobState* job,
                          mqs_process_location& location) {
    for (; group_ < groups_.size(); ++group_, rank_ = 0) {
        const Group& group = groups_[group_];
        for (; rank_ < group.size; ++rank_) {
            if (job != nullptr && job->identity_of(group.name, rank_) >= 0) continue;
            location = mqs_process_location{};
            location.pid = -1;
            const auto place =
                static_cast<std::uint64_t>(rank_) * static_cast<std::uint64_t>(layout.pointer_size);
            std::uint64_t text = 0;
            char card[kMostText];
            if (group.connections != 0 &&
                ok(target.read_pointer(group.connections + place, text)) && text != 0 &&
                ok(read_text(target, text, card, sizeof card))) {
                take_host(card, location.host_name, sizeof location.host_name);
            }
            ++rank_;
            return Status::Ok;
        }
    }
    return Status::EndOfList;
}

const char* spawn_breakpoint(mqs_image* image, const mqs_image_callbacks& callbacks) {
    // The first is called by ch3 for each process of a new world (SetupNewIntercomm in
    // ch3u_port.c); the second for each communicator that is made, of any device.
    static constexpr const char* candidates[] = {"MPIDI_PG_Dup_vcr", "MPIR_Comm_commit"};
    if (callbacks.mqs_find_function_fp == nullptr) return nullptr;
    for (const char* candidate : candidates) {
        char name[64];
        TextWriter(name, sizeof name).append(candidate);
        mqs_taddr_t address = 0;
        if (callbacks.mqs_find_function_fp(image, name, mqs_lang_c, &address) == mqs_ok) {
            return candidate;
        }
    }
    return nullptr;
}

}  // namespace mqinspect::dll
