#include "tracer/handles/objects.h"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>

#include <climits>

#include "model/record_format.h"

#include "tracer/control/freed_memory.h"
#include "tracer/control/window_memory.h"
#include "tracer/handles/communicators.h"
#include "tracer/handles/datatypes.h"
#include "tracer/handles/handle_map.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"
#include "tracer/stack/images.h"

namespace mqinspect::tracer {

namespace {

struct Object {
    std::atomic<std::int64_t> id{-1};
    const char* predefined = nullptr;
};

SpinLock lock;
Arena arena;
Handles<Object> operators;
Handles<Object> windows;
Handles<Object> files;
std::int64_t next_operator = 0;
std::int64_t next_window = 0;
std::int64_t next_file = 0;

/// The lock is held.
Object* add(Handles<Object>& map, std::uint64_t handle, std::int64_t id) {
    auto* object = arena.make<Object>();
    if (object == nullptr) return nullptr;
    object->id.store(id);
    map.put(handle, object);
    return object;
}

std::int64_t id_in(const Handles<Object>& map, std::uint64_t handle) {
    const Object* object = map.find(handle);
    return object == nullptr ? model::kInvalidHandle : object->id.load();
}

void freed(Handles<Object>& map, std::uint64_t handle, model::DefinitionKind kind) {
    const Object* object = map.find(handle);
    if (object == nullptr) return;
    map.remove(handle);
    Definition(recorder.definitions(), model::DefinitionKind::Freed)
        .number(static_cast<std::int64_t>(kind))
        .number(object->id.load());
}

void put_operator(std::int64_t id, const char* name, bool commutes, std::uint64_t function) {
    CodeAddress place;
    if (function != 0) place = code_address(recorder.definitions(), function);
    Definition(recorder.definitions(), model::DefinitionKind::Operator)
        .number(id)
        .text(name)
        .number(commutes ? 1 : 0)
        .bits(place.image)
        .bits(place.offset);
}

void named(model::DefinitionKind kind, std::int64_t id, const char* name) {
    if (id < 0 || name == nullptr) return;
    Definition(recorder.definitions(), model::DefinitionKind::Name)
        .number(static_cast<std::int64_t>(kind))
        .number(id)
        .text(name);
}

/// Attributes are given as pointers to their values.
template <class T>
T window_attribute(MPI_Win window, int keyval, T otherwise) {
    void* value = nullptr;
    int found = 0;
    if (pmpi.Win_get_attr(window, keyval, &value, &found) != MPI_SUCCESS || found == 0)
        return otherwise;
    return *static_cast<T*>(value);
}

}  // namespace

void learn_predefined_operators() {
    const Locked locked(lock);
    for (const PredefinedOperator& known : predefined_operators()) {
        Object* object = add(operators, known.handle, -1);
        if (object != nullptr) object->predefined = known.name;
    }
}

std::int64_t operator_id(MPI_Op op) {
    if (op == MPI_OP_NULL) return model::kNullHandle;
    Object* object = operators.find(handle_bits(op));
    if (object == nullptr) return model::kInvalidHandle;
    const std::int64_t id = object->id.load(std::memory_order_acquire);
    if (id >= 0) return id;
    const Locked locked(lock);
    if (object->id.load() < 0) {
        put_operator(next_operator, object->predefined, true, 0);
        object->id.store(next_operator++, std::memory_order_release);
    }
    return object->id.load();
}

void operator_created(MPI_Op op, std::uint64_t function, bool commutes) {
    const Locked locked(lock);
    put_operator(next_operator, "", commutes, function);
    add(operators, handle_bits(op), next_operator++);
}

void operator_freed(MPI_Op op) {
    freed(operators, handle_bits(op), model::DefinitionKind::Operator);
}

std::int64_t window_id(MPI_Win window) {
    return window == MPI_WIN_NULL ? model::kNullHandle : id_in(windows, handle_bits(window));
}

void window_created(const char* kind, MPI_Win window, MPI_Comm communicator) {
    if (window == MPI_WIN_NULL) return;
    void* base = nullptr;
    int found = 0;
    pmpi.Win_get_attr(window, MPI_WIN_BASE, &base, &found);
    const auto bytes = window_attribute<MPI_Aint>(window, MPI_WIN_SIZE, 0);
    const auto unit = window_attribute<int>(window, MPI_WIN_DISP_UNIT, 1);
    const std::int64_t communicator_of_it = communicator_id(communicator);
    const Locked locked(lock);
    Definition(recorder.definitions(), model::DefinitionKind::Window)
        .number(next_window)
        .number(communicator_of_it)
        .text(kind)
        .bits(reinterpret_cast<std::uint64_t>(base))
        .number(bytes)
        .number(unit);
    add(windows, handle_bits(window), next_window++);
    window_memory_made(handle_bits(window), kind, base, bytes, unit);
    if (std::strcmp(kind, "MPI_Win_create") == 0) memory_lent(handle_bits(window), base, bytes);
}

void window_freed(MPI_Win window) {
    freed(windows, handle_bits(window), model::DefinitionKind::Window);
    window_memory_freed(handle_bits(window));
    memory_given_back(handle_bits(window));
}

namespace {

/// What the name of a file stands for while the lock is held.
struct FilePlace {
    explicit FilePlace(const char* name) {
        if (name == nullptr) return;
        const char* behind = std::strchr(name, ':');
        // ROMIO takes a file system's kind in front of the name.
        for (const char* tried : {name, behind == nullptr ? name : behind + 1}) {
            struct stat status {};
            if (realpath(tried, absolute) == nullptr || stat(absolute, &status) != 0) continue;
            path = absolute;
            device = static_cast<std::int64_t>(status.st_dev);
            number = static_cast<std::int64_t>(status.st_ino);
            return;
        }
    }

    inline static char absolute[PATH_MAX];
    const char* path = "";
    std::int64_t device = 0;
    std::int64_t number = 0;
};

}  // namespace

std::int64_t file_id(MPI_File file) {
    return file == MPI_FILE_NULL ? model::kNullHandle : id_in(files, handle_bits(file));
}

void file_opened(MPI_File file, MPI_Comm communicator, const char* name, int mode) {
    const std::int64_t communicator_of_it = communicator_id(communicator);
    const Locked locked(lock);
    const FilePlace place(name);
    Definition(recorder.definitions(), model::DefinitionKind::File)
        .number(next_file)
        .number(communicator_of_it)
        .text(name == nullptr ? "" : name)
        .number(mode)
        .text(place.path)
        .number(place.device)
        .number(place.number);
    add(files, handle_bits(file), next_file++);
}

void file_closed(MPI_File file) {
    freed(files, handle_bits(file), model::DefinitionKind::File);
}

void communicator_named(MPI_Comm communicator, const char* name) {
    named(model::DefinitionKind::Communicator, communicator_id(communicator), name);
    CommunicatorInfo* info = communicator_info(communicator);
    if (info != nullptr && name != nullptr)
        std::strncpy(info->shown.name, name, sizeof info->shown.name - 1);
}

void datatype_named(MPI_Datatype datatype, const char* name) {
    named(model::DefinitionKind::Datatype, datatype_id(datatype), name);
}

void window_named(MPI_Win window, const char* name) {
    named(model::DefinitionKind::Window, window_id(window), name);
}

}  // namespace mqinspect::tracer
