#include "thread_level/gcc_plugin/lock_types.h"

#include <string_view>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// In an inline namespace by its version.
bool is_of_absl(tree type) {
    tree scope = TYPE_CONTEXT(TYPE_MAIN_VARIANT(type));
    for (int i = 0; i < 2 && scope != NULL_TREE && TREE_CODE(scope) == NAMESPACE_DECL; ++i) {
        if (declared_name(scope) == "absl") return true;
        scope = DECL_CONTEXT(scope);
    }
    return false;
}

}  // namespace

bool is_lock_type(tree type) {
    const std::string_view text = written_name(type);
    for (const std::string_view known : {"omp_lock_t",
                                         "omp_nest_lock_t",
                                         "pthread_mutex_t",
                                         "pthread_spinlock_t",
                                         "pthread_rwlock_t",
                                         "mtx_t",
                                         "uv_mutex_t",
                                         "GMutex",
                                         "GRecMutex",
                                         "QMutex",
                                         "QRecursiveMutex"}) {
        if (text == known) return true;
    }
    return text.ends_with("mutex") || (text == "Mutex" && is_of_absl(type));
}

bool points_to_lock(tree type) {
    return POINTER_TYPE_P(type) && is_lock_type(TREE_TYPE(type));
}

}  // namespace mqinspect::thread_level::plugin
