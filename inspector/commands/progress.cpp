#include "inspector/commands/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace mqinspect::commands {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kStep = 1 << 14;  ///< calls between two looks at the clock
constexpr auto kFirst = 1s;
constexpr auto kEvery = 250ms;

class CountedStream : public model::CallStream {
public:
    CountedStream(std::unique_ptr<model::CallStream> stream, Progress& progress)
        : stream_(std::move(stream)), progress_(progress) {}

    bool next(model::RecordedCall& call) override {
        if (++calls_ == kStep) {
            progress_.add(calls_);
            calls_ = 0;
        }
        return stream_->next(call);
    }

private:
    std::unique_ptr<model::CallStream> stream_;
    Progress& progress_;
    std::uint64_t calls_ = 0;
};

class CountedRecording : public model::Recording {
public:
    CountedRecording(const model::Recording& recording, Progress& progress)
        : recording_(recording), progress_(progress) {}

    const model::Execution& execution() const override { return recording_.execution(); }
    std::unique_ptr<model::CallStream> calls(model::ProcessId process) const override {
        return std::make_unique<CountedStream>(recording_.calls(process), progress_);
    }

private:
    const model::Recording& recording_;
    Progress& progress_;
};

std::int64_t nanoseconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

}  // namespace

Progress::Progress(bool wanted) : visible_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    clear();
}

void Progress::begin(std::string_view stage) {
    end();
    stage_ = stage;
    begin_ = Time::now();
    calls_ = 0;
    next_ns_ = nanoseconds((begin_ + kFirst).time_since_epoch());
}

void Progress::end() {
    if (stage_.empty()) return;
    clear();
    times_.push_back({stage_, std::chrono::duration<double>(Time::now() - begin_).count()});
    stage_.clear();
}

void Progress::add(std::uint64_t calls) {
    calls_ += calls;
    if (!visible_) return;
    const auto now = Time::now();
    std::int64_t due = next_ns_;
    if (nanoseconds(now.time_since_epoch()) < due) return;
    // One thread of those that come here writes.
    if (next_ns_.compare_exchange_strong(due, nanoseconds((now + kEvery).time_since_epoch())))
        show(now);
}

void Progress::show(Time::time_point now) {
    shown_ = true;
    fmt::print(stderr,
               "\r{}: {:.1f} million calls, {:.0f} s\x1b[K",
               stage_,
               static_cast<double>(calls_.load()) / 1e6,
               std::chrono::duration<double>(now - begin_).count());
    std::fflush(stderr);
}

void Progress::clear() {
    if (!shown_.exchange(false)) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
}

std::unique_ptr<model::Recording> Progress::counted(const model::Recording& recording) {
    return std::make_unique<CountedRecording>(recording, *this);
}

}  // namespace mqinspect::commands
