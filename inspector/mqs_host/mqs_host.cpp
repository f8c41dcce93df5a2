#include "inspector/mqs_host/mqs_host.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "inspector/mqs_host/dll.h"
#include "inspector/mqs_host/helper.h"
#include "inspector/mqs_host/wire.h"

namespace mqinspect::mqs_host {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutputBytes = 4096;
constexpr std::size_t kReadBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxNameBytes = 1024;
/// Of one helper. A DLL needs some dozens; each may cost a search of DWARF.
constexpr int kMaxNameQuestions = 2000;
/// Of one helper about processes that only this one can read: 4 GiB in pages.
constexpr int kMaxMemoryQuestions = 1 << 20;
/// Ranks that a DLL may hang at before the others are no longer asked: bounds the
/// time that the job stands still.
constexpr int kMaxHangs = 3;

/// How a conversation with one helper ended.
enum class End { Finished, Refused, Died, Hung, Garbled };

/// The parent's side: starts helpers until every rank has been asked.
class Host {
public:
    Host(const std::string& path,
         std::span<const HostedProcess> processes,
         const HostOptions& options,
         SharedStage stage)
        : path_(path), processes_(processes), options_(options), stage_(std::move(stage)) {}

    Result<HostReport> run();

private:
    End converse(HelperProcess& helper);
    /// Everything that has arrived; false: the other end is closed.
    bool receive(HelperProcess& helper);
    bool take_records(HelperProcess& helper);
    bool take_record(HelperProcess& helper, wire::Kind kind, wire::Reader reader);
    bool take_rank_record(wire::Kind kind, wire::Reader& reader);
    bool answer(HelperProcess& helper, wire::Kind kind, wire::Reader& reader);
    void answer_type(const HostedProcess& process, std::string_view name, wire::Writer& writer);
    void answer_symbol(const HostedProcess& process, std::string_view name, wire::Writer& writer);
    void answer_memory(const HostedProcess& process, wire::Reader& reader, wire::Writer& writer);
    bool asks_too_much(std::string_view name);
    bool send_all(HelperProcess& helper, std::span<const std::byte> bytes) const;
    void drain_output(const HelperProcess& helper);
    void restart_clock() { deadline_ = Clock::now() + options_.patience; }
    std::string explain(End end, const std::string& how) const;
    void finish_rank(Result<HostedQueues> result);
    void finish(std::size_t index, Result<HostedQueues> result);

    const std::string& path_;
    std::span<const HostedProcess> processes_;
    const HostOptions& options_;
    SharedStage stage_;
    HostReport report_;
    std::size_t next_ = 0;       ///< first process that has no result yet
    std::vector<bool> done_;     ///< by process: it has its result
    std::vector<bool> unnamed_;  ///< by process: the DLL crashes when it is told of it

    // Of the conversation at hand.
    std::vector<std::byte> buffer_;
    std::size_t filled_ = 0;
    Clock::time_point deadline_;
    int name_questions_ = 0;
    int memory_questions_ = 0;
    bool loaded_ = false;
    bool finished_ = false;
    std::optional<Error> refusal_;
    std::optional<std::size_t> naming_;  ///< the process that the DLL is told of
    std::optional<HostedQueues> rank_;   ///< the process `next_`, being asked
};

void Host::finish(std::size_t index, Result<HostedQueues> result) {
    report_.ranks[index] = std::move(result);
    done_[index] = true;
    while (next_ < done_.size() && done_[next_])
        ++next_;
}

void Host::finish_rank(Result<HostedQueues> result) {
    finish(next_, std::move(result));
    rank_.reset();
    restart_clock();
}

std::string Host::explain(End end, const std::string& how) const {
    const auto where = stage_name(stage_.word().load());
    switch (end) {
        case End::Hung:
            return fmt::format("the debugger DLL {} did not return from {} within {} ms",
                               path_,
                               where,
                               options_.patience.count());
        case End::Garbled:
            return fmt::format("the debugger DLL {} damaged its host process in {}", path_, where);
        default:
            return fmt::format("the debugger DLL {} {} in {}", path_, how, where);
    }
}

void Host::drain_output(const HelperProcess& helper) {
    std::array<char, 4096> chunk{};
    ssize_t taken = 0;
    // Bounded: a DLL may print faster than this reads.
    for (int round = 0; round < 16; ++round) {
        taken = read(helper.output(), chunk.data(), chunk.size());
        if (taken <= 0) return;
        const std::size_t room = kMaxOutputBytes - report_.output.size();
        report_.output.append(chunk.data(), std::min(room, static_cast<std::size_t>(taken)));
    }
}

bool Host::send_all(HelperProcess& helper, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent =
            send(helper.channel(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) return false;
        if (Clock::now() > deadline_) return false;
        pollfd writable{helper.channel(), POLLOUT, 0};
        poll(&writable, 1, 100);
    }
    return true;
}

bool Host::asks_too_much(std::string_view name) {
    return name.size() > kMaxNameBytes || ++name_questions_ > kMaxNameQuestions;
}

void Host::answer_type(const HostedProcess& process, std::string_view name, wire::Writer& writer) {
    wire::put_type(writer, asks_too_much(name) ? nullptr : process.view->find_type(name));
}

void Host::answer_symbol(const HostedProcess& process,
                         std::string_view name,
                         wire::Writer& writer) {
    std::optional<target::Address> address;
    if (!asks_too_much(name)) address = process.view->find_symbol(name);
    writer.begin(wire::Kind::SymbolAnswer);
    writer.put(static_cast<std::uint8_t>(address.has_value()));
    if (address) writer.put(target::to_integer(*address));
    writer.end();
}

void Host::answer_memory(const HostedProcess& process, wire::Reader& reader, wire::Writer& writer) {
    const auto address = reader.take<std::uint64_t>();
    const auto count = reader.take<std::uint64_t>();
    const bool fair =
        reader.ok() && count <= wire::kMaxMemoryBytes && ++memory_questions_ <= kMaxMemoryQuestions;
    std::vector<std::byte> bytes(fair ? count : 0);
    const bool read = fair && process.memory->read(target::Address{address}, bytes).has_value();
    writer.begin(wire::Kind::MemoryAnswer);
    writer.put(static_cast<std::uint8_t>(read));
    if (read) writer.put_bytes(bytes);
    writer.end();
}

bool Host::answer(HelperProcess& helper, wire::Kind kind, wire::Reader& reader) {
    const auto started = Clock::now();
    const auto index = reader.take<std::uint32_t>();
    if (!reader.ok() || index >= processes_.size()) return false;
    const HostedProcess& process = processes_[index];
    wire::Writer writer;
    if (kind == wire::Kind::MemoryQuestion) {
        answer_memory(process, reader, writer);
    } else {
        const auto name = reader.take_text();
        if (!reader.ok()) return false;
        kind == wire::Kind::TypeQuestion ? answer_type(process, name, writer)
                                         : answer_symbol(process, name, writer);
    }
    // A search that this program makes is not the DLL's time.
    deadline_ += Clock::now() - started;
    return send_all(helper, writer.buffer());
}

bool Host::take_rank_record(wire::Kind kind, wire::Reader& reader) {
    if (!rank_) return false;
    auto& communicators = rank_->communicators;
    switch (kind) {
        case wire::Kind::Communicator:
            communicators.push_back(wire::take_communicator(reader));
            return true;
        case wire::Kind::Operation:
            if (communicators.empty()) return false;
            wire::take_operation(reader, communicators.back().operations.emplace_back());
            return true;
        case wire::Kind::Window:
            rank_->windows.push_back(wire::take_window(reader));
            return true;
        case wire::Kind::UnknownQueue:
            if (communicators.empty()) return false;
            communicators.back().unknown_queues.push_back(reader.take<int>());
            return true;
        case wire::Kind::Foreign: {
            ForeignProcess process;
            process.pid = reader.take<long>();
            process.host = reader.take_text();
            rank_->foreign.push_back(std::move(process));
            return true;
        }
        case wire::Kind::Problem:
            rank_->problems.emplace_back(reader.take_text());
            return true;
        case wire::Kind::RankDone: {
            const bool known = reader.take<std::uint8_t>() != 0;
            const auto count = reader.take<std::uint64_t>();
            if (known) rank_->progress_count = count;
            const bool incoming_known = reader.take<std::uint8_t>() != 0;
            const auto incoming = reader.take<std::uint64_t>();
            if (incoming_known) rank_->incoming_count = incoming;
            HostedQueues queues = std::move(*rank_);
            finish_rank(std::move(queues));
            return true;
        }
        case wire::Kind::RankFailed:
            finish_rank(wire::take_error(reader));
            return true;
        default:
            return false;
    }
}

bool Host::take_record(HelperProcess& helper, wire::Kind kind, wire::Reader reader) {
    switch (kind) {
        case wire::Kind::Loaded:
            loaded_ = true;
            report_.dll_version = reader.take_text();
            restart_clock();
            break;
        case wire::Kind::Refused:
            refusal_ = wire::take_error(reader);
            break;
        case wire::Kind::Naming:
            naming_ = reader.take<std::uint32_t>();
            if (rank_ || *naming_ >= processes_.size()) return false;
            restart_clock();
            break;
        case wire::Kind::RankBegin:
            naming_.reset();
            if (rank_ || next_ >= processes_.size()) return false;
            if (reader.take<std::uint32_t>() != next_) return false;
            rank_.emplace();
            restart_clock();
            break;
        case wire::Kind::TypeQuestion:
        case wire::Kind::SymbolQuestion:
        case wire::Kind::MemoryQuestion:
            return answer(helper, kind, reader);
        case wire::Kind::Finished:
            finished_ = true;
            break;
        default:
            if (!take_rank_record(kind, reader)) return false;
    }
    return reader.ok();
}

bool Host::take_records(HelperProcess& helper) {
    std::size_t start = 0;
    wire::Header header;
    while (filled_ - start >= sizeof header) {
        std::memcpy(&header, buffer_.data() + start, sizeof header);
        if (header.length > wire::kMaxRecordBytes) return false;
        const std::size_t whole = sizeof header + header.length;
        if (filled_ - start < whole) {
            buffer_.resize(std::max(buffer_.size(), whole));
            break;
        }
        const std::span body{buffer_.data() + start + sizeof header, header.length};
        if (!take_record(helper, header.kind, wire::Reader(body))) return false;
        start += whole;
    }
    std::memmove(buffer_.data(), buffer_.data() + start, filled_ - start);
    filled_ -= start;
    return true;
}

bool Host::receive(HelperProcess& helper) {
    const std::span room = std::span(buffer_).subspan(filled_);
    const ssize_t taken = recv(helper.channel(), room.data(), room.size(), MSG_DONTWAIT);
    if (taken > 0) filled_ += static_cast<std::size_t>(taken);
    return taken > 0 || (taken < 0 && (errno == EAGAIN || errno == EINTR));
}

End Host::converse(HelperProcess& helper) {
    buffer_.resize(std::max(buffer_.size(), kReadBytes));
    filled_ = 0;
    name_questions_ = 0;
    memory_questions_ = 0;
    loaded_ = false;
    finished_ = false;
    naming_.reset();
    rank_.reset();
    restart_clock();
    int output = helper.output();
    while (true) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
        if (left <= 0) return End::Hung;
        std::array<pollfd, 2> sources{{{helper.channel(), POLLIN, 0}, {output, POLLIN, 0}}};
        if (poll(sources.data(), sources.size(), static_cast<int>(left)) < 0) continue;
        if ((sources[1].revents & POLLIN) != 0) {
            drain_output(helper);
        } else if (sources[1].revents != 0) {
            output = -1;  // closed by the DLL; poll would not wait any more
        }
        if (sources[0].revents != 0) {
            if (!receive(helper)) return End::Died;
            if (!take_records(helper)) return End::Garbled;
            if (refusal_) return End::Refused;
            if (finished_) return End::Finished;
        }
    }
}

Result<HostReport> Host::run() {
    report_.ranks.assign(processes_.size(),
                         Error{ErrorCode::System, "was not asked for its queues"});
    done_.clear();
    for (const HostedProcess& process : processes_)
        done_.push_back(!process.asked);
    next_ = static_cast<std::size_t>(std::ranges::find(done_, false) - done_.begin());
    unnamed_.assign(processes_.size(), false);
    int hangs = 0;
    do {
        auto helper =
            HelperProcess::start(Assignment{path_, processes_, done_, unnamed_, options_}, stage_);
        if (!helper) return helper.error().in("the host process of the debugger DLL");
        const std::size_t before = next_;
        const End end = converse(*helper);
        const std::string how = helper->end();
        drain_output(*helper);
        if (end == End::Finished) break;
        if (end == End::Refused) return refusal_->in("the debugger DLL " + path_);
        const Error error{ErrorCode::System, explain(end, how)};
        if (!loaded_ && before == 0) return error;
        bool blamed = rank_.has_value() || naming_.has_value();
        if (rank_) {
            finish_rank(error);
        } else if (naming_) {
            // A second time at the same process would bring no end.
            blamed = !unnamed_[*naming_];
            unnamed_[*naming_] = true;
            if (!done_[*naming_]) finish(*naming_, error);
        }
        if (end == End::Hung) ++hangs;
        // Without a rank to blame, the next helper would end in the same way.
        if ((next_ == before && !blamed) || hangs == kMaxHangs) {
            const Error given_up = error.in("not asked, as for another rank");
            while (next_ < processes_.size())
                finish_rank(given_up);
        }
    } while (next_ < processes_.size());
    return std::move(report_);
}

}  // namespace

Result<HostReport> read_queues(const std::string& path,
                               std::span<const HostedProcess> processes,
                               const HostOptions& options) {
    auto stage = SharedStage::create();
    if (!stage) return stage.error();
    return Host(path, processes, options, std::move(*stage)).run();
}

}  // namespace mqinspect::mqs_host
