#include "tracer/recorder.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tracer/checksum.h"
#include "tracer/constants.h"
#include "tracer/control/endings.h"
#include "tracer/handles/communicators.h"
#include "tracer/handles/datatypes.h"
#include "tracer/handles/handle_map.h"
#include "tracer/handles/objects.h"
#include "tracer/pending.h"
#include "tracer/pmpi.h"
#include "tracer/stack/python.h"
#include "tracer/world_key.h"

namespace mqinspect::tracer {

thread_local constinit Thread* this_thread = nullptr;
Recorder recorder;

namespace {

constexpr std::size_t kPathBytes = 4096;
constexpr std::uint64_t kNanoseconds = 1'000'000'000;
/// Ticks of some seconds on any processor.
constexpr std::uint64_t kClockTicks = 4'000'000'000;

pthread_key_t thread_end;

std::size_t number_from(const char* name, std::size_t otherwise) {
    const char* text = getenv(name);
    if (text == nullptr || *text == '\0') return otherwise;
    return strtoull(text, nullptr, 10);
}

Guards guards_from(const char* name) {
    const char* text = getenv(name);
    if (text == nullptr || *text == '\0' || strcmp(text, "few") == 0) return Guards::Few;
    return strtoull(text, nullptr, 10) == 0 ? Guards::None : Guards::All;
}

Options options_from_environment() {
    Options options;
    options.folder = getenv("MQI_RECORD");
    options.limit_bytes = number_from("MQI_RECORD_LIMIT", options.limit_bytes);
    options.stack_depth = number_from("MQI_RECORD_STACK", options.stack_depth);
    const std::size_t checksum_bytes =
        number_from("MQI_RECORD_CHECKSUM", static_cast<std::size_t>(options.checksum_bytes));
    options.checksum_bytes = static_cast<std::int64_t>(
        std::min(checksum_bytes, static_cast<std::size_t>(kMostChecksumBytes)));
    options.reduced = number_from("MQI_RECORD_REDUCED", 0) != 0;
    options.signals = number_from("MQI_RECORD_SIGNALS", 1) != 0;
    options.guards = options.signals ? guards_from("MQI_RECORD_GUARD") : Guards::None;
    return options;
}

struct Text {
    Text* next = nullptr;
    const char* text = nullptr;
    std::size_t length = 0;
    std::int64_t id = 0;
};

constexpr std::size_t kTextBuckets = 512;
SpinLock text_lock;
Arena text_arena;
Text* texts[kTextBuckets];
std::int64_t next_text = 0;

const Text* find_text(const Text* first, std::string_view text) {
    for (; first != nullptr; first = first->next) {
        if (first->length == text.size() && std::memcmp(first->text, text.data(), text.size()) == 0)
            return first;
    }
    return nullptr;
}

/// The command line, as texts that end with a NUL each.
std::size_t read_command_line(char* buffer, std::size_t bytes) {
    FILE* file = fopen("/proc/self/cmdline", "re");
    if (file == nullptr) return 0;
    const std::size_t length = fread(buffer, 1, bytes, file);
    fclose(file);
    return length;
}

void put_command_line(Definition& definition) {
    static char line[std::size_t{16} * 1024];
    const std::size_t bytes = read_command_line(line, sizeof line - 1);
    const auto words = static_cast<std::size_t>(std::count(line, line + bytes, '\0'));
    definition.length(words);
    const char* word = line;
    for (std::size_t i = 0; i < words; ++i) {
        const std::size_t length = std::strlen(word);
        definition.text({word, length});
        word += length + 1;
    }
}

}  // namespace

std::uint64_t wall_clock_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kNanoseconds +
           static_cast<std::uint64_t>(now.tv_nsec);
}

void say(const char* format, ...) {
    char line[1024];
    int length = snprintf(line, sizeof line, "mqinspect: ");
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start
    length += vsnprintf(
        line + length, sizeof line - static_cast<std::size_t>(length) - 1, format, arguments);
    va_end(arguments);
    length = std::min(length, static_cast<int>(sizeof line) - 2);
    line[length++] = '\n';
    // In one piece: other ranks write to the same terminal.
    (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(length));
}

Thread* Recorder::thread() {
    if (this_thread != nullptr && recording()) return this_thread;
    if (!find_pmpi()) return nullptr;
    if (state_.load(std::memory_order_acquire) == State::Idle) {
        const Locked locked(lock_);
        if (state_.load(std::memory_order_relaxed) == State::Idle)
            state_.store(start() ? State::Recording : State::Stopped, std::memory_order_release);
    }
    return recording() ? make_thread() : nullptr;
}

int Recorder::create_files(std::uint64_t start_ns) {
    model::FileHeader header;
    header.format = model::kRecordFormat;
    header.tick_shift = kTickShift;
    header.pid = static_cast<std::uint64_t>(getpid());
    header.start_ns = start_ns;
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    char path[kPathBytes];
    const auto name = [&](const char* extension) {
        const int length = snprintf(path,
                                    sizeof path,
                                    "%s/%s.%d.%llx.%s",
                                    options_.folder,
                                    host,
                                    getpid(),
                                    static_cast<unsigned long long>(start_ns),
                                    extension);
        return length < static_cast<int>(sizeof path);
    };
    if (!name("mqdef")) return ENAMETOOLONG;
    header.magic = model::kDefinitionsMagic;
    if (const int code = definitions_.create(path, header)) return code;
    if (!name("mqlog")) return ENAMETOOLONG;
    header.magic = model::kLogMagic;
    return log_.create(path, header, options_.limit_bytes);
}

/// The lock is held.
bool Recorder::start() {
    pid_ = getpid();
    options_ = options_from_environment();
    if (options_.folder == nullptr || *options_.folder == '\0') return false;
    const std::uint64_t start_ns = wall_clock_ns();
    if (const int code = create_files(start_ns)) {
        say("cannot record into '%s': %s", options_.folder, strerrordesc_np(code));
        return false;
    }
    define_clock();
    define_process();
    for (const Constant& constant : constants()) {
        Definition(definitions_, model::DefinitionKind::Constant)
            .text(constant.name)
            .number(constant.value);
    }
    for (const auto& [name, address] : {std::pair{"MPI_UNWEIGHTED", unweighted()},
                                        std::pair{"MPI_WEIGHTS_EMPTY", weights_empty()}}) {
        Definition(definitions_, model::DefinitionKind::Constant)
            .text(name)
            .bits(reinterpret_cast<std::uint64_t>(address));
    }
    learn_predefined_datatypes();
    learn_predefined_operators();
    pthread_key_create(&thread_end, [](void* thread) {
        static_cast<Thread*>(thread)->log.close();
        this_thread = nullptr;
    });
    pthread_atfork(nullptr, nullptr, [] { recorder.forget_after_fork(); });
    watch_endings(options_);
    look_for_python();
    mqi_pending.state = pending::State::Recording;
    return true;
}

void Recorder::define_process() {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    char executable[kPathBytes] = {};
    (void)!readlink("/proc/self/exe", executable, sizeof executable - 1);
    static char library[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length = 0;
    pmpi.Get_library_version(library, &length);
    Definition definition(definitions_, model::DefinitionKind::Process);
    definition.text(host).text(executable);
    put_command_line(definition);
    definition.text({library, static_cast<std::size_t>(length)}).text("mqinspect " MQI_VERSION);
}

void Recorder::define_clock() {
    const std::uint64_t ticks = ticks_now();
    const std::uint64_t ns = wall_clock_ns();
    clock_ticks_.store(ticks, std::memory_order_relaxed);
    Definition(definitions_, model::DefinitionKind::Clock).bits(ticks).bits(ns);
}

void Recorder::block_begun(Thread& thread) {
    thread.blocks_seen = thread.log.blocks();
    const int error = log_.error() != 0 ? log_.error() : definitions_.error();
    if (error != 0) stop(error);
    if (ticks_now() - clock_ticks_.load(std::memory_order_relaxed) > kClockTicks) define_clock();
}

void Recorder::define_world(int required, int provided) {
    int rank = 0;
    int size = 0;
    pmpi.Comm_rank(MPI_COMM_WORLD, &rank);
    pmpi.Comm_size(MPI_COMM_WORLD, &size);
    take_place(rank, size, required, provided);
    define_attribute("MPI_TAG_UB", MPI_TAG_UB);
    define_attribute("MPI_WTIME_IS_GLOBAL", MPI_WTIME_IS_GLOBAL);
    define_world_communicators();
    define_clock();
}

void Recorder::define_world_of_session(int rank, int size, int level) {
    take_place(rank, size, level, level);
    define_clock();
}

void Recorder::take_place(int rank, int size, int required, int provided) {
    world_rank_ = rank;
    world_size_ = size;
    const WorldKeys keys = find_world_keys();
    world_key_ = keys.world;
    mqi_pending.world_rank = rank;
    mqi_pending.world_size = size;
    Definition(definitions_, model::DefinitionKind::World)
        .number(rank)
        .number(size)
        .bits(world_key_)
        .number(provided)
        .number(required);
    if (keys.job != 0) Definition(definitions_, model::DefinitionKind::Job).bits(keys.job);
    initialised_.store(true, std::memory_order_release);
}

/// Attributes of MPI_COMM_WORLD are constants of the run.
void Recorder::define_attribute(const char* name, int keyval) {
    void* value = nullptr;
    int found = 0;
    if (pmpi.Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &found) != MPI_SUCCESS || found == 0)
        return;
    Definition(definitions_, model::DefinitionKind::Constant)
        .text(name)
        .number(*static_cast<const int*>(value));
}

Thread* Recorder::make_thread() {
    const Locked locked(lock_);
    void* place = arena_.take(sizeof(Thread));
    if (place == nullptr) return nullptr;
    auto* thread = new (place) Thread(log_, threads_);
    if (!thread->sites.start(options_.stack_depth)) return nullptr;
    several_threads_.store(threads_ != 0, std::memory_order_relaxed);
    const bool main_thread = getpid() == static_cast<pid_t>(syscall(SYS_gettid));
    Definition(definitions_, model::DefinitionKind::Thread)
        .number(threads_++)
        .number(syscall(SYS_gettid))
        .number(main_thread ? 1 : 0);
    pthread_setspecific(thread_end, thread);
    thread->pending.id = static_cast<std::uint64_t>(syscall(SYS_gettid));
    thread->pending.next = mqi_pending.threads;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mqi_pending.threads = reinterpret_cast<std::uint64_t>(&thread->pending);
    this_thread = thread;
    return thread;
}

void Recorder::stop(int why) {
    State expected = State::Recording;
    if (!state_.compare_exchange_strong(expected, State::Stopped)) return;
    mqi_pending.state = pending::State::None;
    if (why != 0) {
        say("rank %lld: recording ends here, the program runs on: %s",
            static_cast<long long>(world_rank_),
            strerrordesc_np(why));
    }
}

void Recorder::finish() {
    if (!recording()) return;
    define_clock();
    state_.store(State::Stopped, std::memory_order_release);
    mqi_pending.state = pending::State::None;
    log_.close();
    definitions_.close();
}

/// The files are those of the parent.
void Recorder::forget_after_fork() {
    state_.store(State::Stopped, std::memory_order_release);
    mqi_pending.state = pending::State::None;
    this_thread = nullptr;
}

std::int64_t Recorder::text_id(std::string_view text) {
    const std::uint64_t hash = hash_text(text.size(), text);
    const Locked locked(text_lock);
    Text*& bucket = texts[(hash >> 16U) % kTextBuckets];
    if (const Text* known = find_text(bucket, text)) return known->id;
    auto* made = text_arena.make<Text>();
    auto* copy = text_arena.take_array<char>(text.size());
    if (made == nullptr || copy == nullptr) return -1;
    std::memcpy(copy, text.data(), text.size());
    *made = {bucket, copy, text.size(), next_text++};
    bucket = made;
    Definition(definitions_, model::DefinitionKind::Text).number(made->id).text(text);
    return made->id;
}

}  // namespace mqinspect::tracer
