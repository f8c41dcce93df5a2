#include "thread_level/gcc_plugin/callees.h"

#include <string>
#include <string_view>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/strings.h"
#include "thread_level/gcc_plugin/counts.h"
#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

using Kind = CalleeKind;

struct NamedCallee {
    Kind kind = Kind::Other;
    int argument = 0;
};

using NamedCallees = std::unordered_map<std::string_view, NamedCallee>;

const NamedCallees& named_callees() {
    static const NamedCallees callees = {
        {"omp_get_thread_num", {Kind::ThreadNumber}},
        {"omp_get_num_threads", {Kind::TeamSize}},
        {"omp_get_max_threads", {Kind::MaxThreads}},
        {"omp_in_parallel", {Kind::InParallel}},
        {"omp_get_level", {Kind::NestingLevel}},
        {"omp_get_active_level", {Kind::NestingLevel}},
        {"omp_set_lock", {Kind::Acquire}},
        {"omp_set_nest_lock", {Kind::Acquire}},
        {"omp_test_lock", {Kind::TryAcquire}},
        {"omp_test_nest_lock", {Kind::TryAcquire}},
        {"omp_unset_lock", {Kind::Release}},
        {"omp_unset_nest_lock", {Kind::Release}},
        {"omp_init_lock", {Kind::MakeLock}},
        {"omp_init_nest_lock", {Kind::MakeLock}},
        {"omp_init_lock_with_hint", {Kind::MakeLock}},
        {"omp_init_nest_lock_with_hint", {Kind::MakeLock}},
        {"__cxa_guard_acquire", {Kind::StaticGuard}},
        {"GOMP_barrier", {Kind::Barrier}},
        {"GOMP_barrier_cancel", {Kind::Barrier}},
        {"GOMP_taskwait", {Kind::Taskwait}},
        {"pthread_mutex_lock", {Kind::Acquire}},
        {"pthread_mutex_timedlock", {Kind::TryAcquireZero}},
        {"pthread_mutex_trylock", {Kind::TryAcquireZero}},
        {"pthread_mutex_unlock", {Kind::Release}},
        {"pthread_mutex_init", {Kind::MakeLock}},
        {"pthread_spin_lock", {Kind::Acquire}},
        {"pthread_spin_trylock", {Kind::TryAcquireZero}},
        {"pthread_spin_unlock", {Kind::Release}},
        {"pthread_spin_init", {Kind::MakeLock}},
        {"pthread_mutex_clocklock", {Kind::TryAcquireZero}},
        {"pthread_rwlock_wrlock", {Kind::Acquire}},
        {"pthread_rwlock_trywrlock", {Kind::TryAcquireZero}},
        {"pthread_rwlock_timedwrlock", {Kind::TryAcquireZero}},
        {"pthread_rwlock_clockwrlock", {Kind::TryAcquireZero}},
        {"pthread_rwlock_unlock", {Kind::Release}},
        {"pthread_rwlock_init", {Kind::MakeLock}},
        {"mtx_lock", {Kind::Acquire}},
        {"mtx_trylock", {Kind::TryAcquireZero}},
        {"mtx_timedlock", {Kind::TryAcquireZero}},
        {"mtx_unlock", {Kind::Release}},
        {"mtx_init", {Kind::MakeLock}},
        {"__gthread_mutex_lock", {Kind::Acquire}},
        {"__gthread_mutex_trylock", {Kind::TryAcquireZero}},
        {"__gthread_mutex_unlock", {Kind::Release}},
        {"__gthread_recursive_mutex_lock", {Kind::Acquire}},
        {"__gthread_recursive_mutex_unlock", {Kind::Release}},
        {"g_mutex_lock", {Kind::Acquire}},
        {"g_mutex_trylock", {Kind::TryAcquire}},
        {"g_mutex_unlock", {Kind::Release}},
        {"g_rec_mutex_lock", {Kind::Acquire}},
        {"g_rec_mutex_trylock", {Kind::TryAcquire}},
        {"g_rec_mutex_unlock", {Kind::Release}},
        {"uv_mutex_lock", {Kind::Acquire}},
        {"uv_mutex_trylock", {Kind::TryAcquireZero}},
        {"uv_mutex_unlock", {Kind::Release}},
        {"sem_wait", {Kind::SemaphoreWait}},
        {"sem_trywait", {Kind::TrySemaphoreZero}},
        {"sem_timedwait", {Kind::TrySemaphoreZero}},
        {"sem_clockwait", {Kind::TrySemaphoreZero}},
        {"sem_post", {Kind::SemaphorePost}},
        {"sem_init", {Kind::SemaphoreInit, 2}},
        {"sem_open", {Kind::SemaphoreOpen, 3}},
        {"pthread_barrier_init", {Kind::BarrierInit, 2}},
        {"pthread_barrier_wait", {Kind::BarrierWait}},
        {"pthread_once", {Kind::CallOnce, 1}},
        {"call_once", {Kind::CallOnce, 1}},
        {"pthread_create", {Kind::StartThread, 2}},
        {"thrd_create", {Kind::StartThread, 1}},
        {"uv_thread_create", {Kind::StartThread, 1}},
        {"uti_pthread_create", {Kind::StartThread, 2}},
        {"pthread_join", {Kind::JoinThread}},
        {"uv_thread_join", {Kind::JoinThread}},
        {"thrd_join", {Kind::JoinThread}},
    };
    return callees;
}

/// Of a function that has to do with the identities of threads.
Identity identity_of(std::string_view name, tree function_declaration) {
    if (name == "pthread_self" || name == "thrd_current") return Identity::OfCaller;
    if (name == "pthread_equal" || name == "thrd_equal") return Identity::Same;
    if (name != "get_id" && name != "operator==" && name != "operator!=") return Identity::None;
    const std::string_view symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function_declaration));
    if (symbol == "_ZNSt11this_thread6get_idEv") return Identity::OfCaller;
    if (symbol == "_ZSteqNSt6thread2idES0_") return Identity::Same;
    return symbol == "_ZStneNSt6thread2idES0_" ? Identity::Different : Identity::None;
}

/// Constructors, destructors and members of std::lock_guard, std::unique_lock, std::scoped_lock.
Callee lock_guard_member(std::string_view symbol) {
    Callee callee;
    callee.kind = Kind::Harmless;
    if (contains(symbol, "EC1I") || contains(symbol, "EC2I")) {
        // For some time, or until then.
        callee.kind = Kind::GuardBind;
        callee.argument = 1;
    } else if (contains(symbol, "EC1E") || contains(symbol, "EC2E")) {
        const bool has_none = symbol.ends_with("Ev");
        const bool binds = has_none || symbol.ends_with("St12defer_lock_t") ||
                           contains(symbol, "St12adopt_lock_t") ||
                           symbol.ends_with("St14adopt_lock_t") ||
                           symbol.ends_with("St13try_to_lock_t");
        callee.kind = binds ? Kind::GuardBind : Kind::GuardAcquire;
        callee.argument = 1;
    } else if (symbol.ends_with("ED1Ev") || symbol.ends_with("ED2Ev") ||
               symbol.ends_with("E6unlockEv")) {
        callee.kind = Kind::GuardRelease;
    } else if (symbol.ends_with("E4lockEv")) {
        callee.kind = Kind::GuardAcquire;
    } else if (symbol.ends_with("E9owns_lockEv") || symbol.ends_with("EcvbEv") ||
               contains(symbol, "E8try_lockEv") || contains(symbol, "E12try_lock_forI") ||
               contains(symbol, "E14try_lock_untilI")) {
        callee.kind = Kind::GuardHolds;
    }
    return callee;
}

bool is_guard(std::string_view symbol) {
    return symbol.starts_with("St10lock_guardI") || symbol.starts_with("St11unique_lockI") ||
           symbol.starts_with("St11scoped_lockI");
}

/// Members of std::unique_ptr and std::optional of a lock guard, which do what that does, and
/// std::make_unique; Other if it is none of them.
Callee guard_holder_member(std::string_view symbol) {
    Callee callee;
    const std::string_view make = "_ZSt11make_uniqueI";
    if (symbol.starts_with(make) && is_guard(symbol.substr(make.size()))) {
        callee.kind = Kind::GuardMake;
        return callee;
    }
    for (const std::string_view holder : {"_ZNSt10unique_ptrI",
                                          "_ZNKSt10unique_ptrI",
                                          "_ZNSt8optionalI",
                                          "_ZNKSt8optionalI",
                                          "_ZNRSt8optionalI",
                                          "_ZNOSt8optionalI"}) {
        if (!symbol.starts_with(holder) || !is_guard(symbol.substr(holder.size()))) continue;
        callee.kind = Kind::Harmless;
        callee.argument = 1;
        if (symbol.ends_with("D1Ev") || symbol.ends_with("D2Ev") || contains(symbol, "E5resetE")) {
            callee.kind = Kind::GuardRelease;
        } else if (contains(symbol, "E7emplaceI")) {
            callee.kind = Kind::GuardAcquire;
        } else if (contains(symbol, "EC1") || contains(symbol, "EC2")) {
            callee.kind = Kind::GuardBind;
        }
    }
    return callee;
}

/// absl::Mutex, in whichever version; Other if it is none of them.
Kind absl_mutex_member(std::string_view symbol) {
    if (!symbol.starts_with("_ZN4absl")) return Kind::Other;
    if (symbol.ends_with("5Mutex4LockEv")) return Kind::Acquire;
    if (symbol.ends_with("5Mutex7TryLockEv")) return Kind::TryAcquire;
    return symbol.ends_with("5Mutex6UnlockEv") ? Kind::Release : Kind::Other;
}

/// std::mutex and its kin, and Qt's; Other if it is none of them.
Kind mutex_member(std::string_view symbol) {
    for (const std::string_view mutex : {"_ZNSt5mutex",
                                         "_ZNSt15recursive_mutex",
                                         "_ZNSt11timed_mutex",
                                         "_ZNSt21recursive_timed_mutex",
                                         "_ZNSt12shared_mutex",
                                         "_ZNSt18shared_timed_mutex",
                                         "_ZN6QMutex",
                                         "_ZN15QRecursiveMutex"}) {
        if (!symbol.starts_with(mutex)) continue;
        const std::string_view member = symbol.substr(mutex.size());
        if (member == "4lockEv") return Kind::Acquire;
        if (member == "8try_lockEv" || member.starts_with("7tryLockE") ||
            member.starts_with("12try_lock_forI") || member.starts_with("14try_lock_untilI"))
            return Kind::TryAcquire;
        if (member == "6unlockEv") return Kind::Release;
        return Kind::Harmless;
    }
    return absl_mutex_member(symbol);
}

/// std::thread, std::jthread, std::async and futures; Other if it is none of them.
Callee thread_member(std::string_view symbol) {
    Callee callee;
    if (symbol.starts_with("_ZNSt6thread") || symbol.starts_with("_ZNKSt6thread") ||
        symbol.starts_with("_ZNSt7jthread") || symbol.starts_with("_ZNSt13__future_base") ||
        symbol.starts_with("_ZNSt14_Function_base") ||
        // Of a container that grows: what is destroyed has been moved.
        symbol.starts_with("_ZSt19__relocate_object_aISt7jthread") ||
        symbol.starts_with("_ZSt19__relocate_object_aISt10unique_ptrI"))
        callee.kind = Kind::Harmless;
    if (symbol.starts_with("_ZNSt6threadC1I") || symbol.starts_with("_ZNSt6threadC2I") ||
        symbol.starts_with("_ZNSt7jthreadC1I") || symbol.starts_with("_ZNSt7jthreadC2I")) {
        callee.kind = Kind::StartThread;
        callee.argument = 1;
    } else if (symbol.starts_with("_ZSt5asyncI")) {
        callee.kind = Kind::StartThread;
        callee.argument = contains(symbol, "ESt6launch") ? 1 : 0;
    } else if (symbol.starts_with("_ZSt4lockI")) {
        callee.kind = Kind::AcquireAll;
    } else if (symbol.starts_with("_ZSt9call_onceI")) {
        callee.kind = Kind::CallOnce;
        callee.argument = 1;
    } else if (symbol == "_ZNSt6thread4joinEv" || symbol == "_ZNSt7jthread4joinEv" ||
               symbol == "_ZNSt7jthreadD1Ev" || symbol == "_ZNSt7jthreadD2Ev" ||
               ends_with_threads(symbol)) {
        callee.kind = Kind::JoinThread;
    }
    return callee;
}

/// boost::thread and boost::thread_group; Other if it is none of them.
Callee boost_thread_member(std::string_view symbol) {
    Callee callee;
    if (symbol.starts_with("_ZN5boost6threadC1I") || symbol.starts_with("_ZN5boost6threadC2I") ||
        symbol.starts_with("_ZN5boost12thread_group13create_threadI")) {
        callee.kind = Kind::StartThread;
        callee.argument = 1;
    } else if (symbol == "_ZN5boost6thread4joinEv" ||
               symbol == "_ZN5boost12thread_group8join_allEv") {
        callee.kind = Kind::JoinThread;
    } else if (symbol.starts_with("_ZN5boost6thread") || symbol.starts_with("_ZNK5boost6thread") ||
               symbol.starts_with("_ZN5boost12thread_group")) {
        callee.kind = Kind::Harmless;
    }
    return callee;
}

Callee standard_library_member(std::string_view symbol) {
    if (symbol.starts_with("_ZNSt10lock_guardI") || symbol.starts_with("_ZNSt11unique_lockI") ||
        symbol.starts_with("_ZNKSt11unique_lockI") || symbol.starts_with("_ZNSt11scoped_lockI"))
        return lock_guard_member(symbol);
    Callee callee = guard_holder_member(symbol);
    if (callee.kind != Kind::Other) return callee;
    callee = thread_member(symbol);
    if (callee.kind == Kind::Other) callee = boost_thread_member(symbol);
    if (callee.kind == Kind::Other) {
        callee.kind = kind_of_future_member(symbol);
        if (callee.kind == Kind::StartThread) callee.argument = 1;
    }
    if (callee.kind == Kind::Other) callee.kind = mutex_member(symbol);
    if (callee.kind != Kind::Other) return callee;
    callee.kind = kind_of_turn_object_member(symbol);
    callee.argument = 1;
    return callee;
}

/// "omp_get_thread_num" of "__builtin_omp_get_thread_num" and Fortran's "omp_get_thread_num_".
std::string_view plain_name(std::string_view name) {
    const std::string_view builtin = "__builtin_";
    if (name.starts_with(builtin)) name.remove_prefix(builtin.size());
    if (is_fortran()) {
        while (name.ends_with('_'))
            name.remove_suffix(1);
    }
    return name;
}

/// A procedure of a Fortran module that is not one of MPI's.
bool is_of_users_module(std::string_view symbol) {
    return contains(symbol, "_MOD_") && !symbol.starts_with("__mpi") &&
           !symbol.starts_with("__pmpi");
}

/// A function of MPI that the unit defines, in front of the library's.
bool is_of_program(tree function_declaration) {
    return !is_fortran() && !DECL_EXTERNAL(function_declaration) &&
           DECL_INITIAL(function_declaration) != NULL_TREE;
}

/// Whether it may be handed a function to call back.
bool takes_function(tree function_declaration) {
    for (tree argument = TYPE_ARG_TYPES(TREE_TYPE(function_declaration)); argument != NULL_TREE;
         argument = TREE_CHAIN(argument)) {
        const tree type = TREE_VALUE(argument);
        if (POINTER_TYPE_P(type) && TREE_CODE(TREE_TYPE(type)) == FUNCTION_TYPE) return true;
    }
    return false;
}

/// Functions of the C library that don't call back are marked so in its headers.
bool is_leaf_of_system(tree function_declaration) {
    return DECL_EXTERNAL(function_declaration) &&
           in_system_header_at(DECL_SOURCE_LOCATION(function_declaration)) &&
           lookup_attribute("leaf", DECL_ATTRIBUTES(function_declaration)) != NULL_TREE;
}

/// Whether the program itself declares a function of that name, which then is its own.
bool is_declared_by_program(tree function_declaration) {
    const location_t place = DECL_SOURCE_LOCATION(function_declaration);
    return !is_fortran() && !DECL_ARTIFICIAL(function_declaration) && place > BUILTINS_LOCATION &&
           !in_system_header_at(place);
}

/// Whether it is where MPI_Sendrecv or MPI_Sendrecv_replace gets source and tag of what it
/// receives.
bool is_of_receipt(const MpiProcedure& procedure, int position) {
    const int behind = position - procedure.tag;
    if (procedure.name == "MPI_Sendrecv") return behind == 4 || behind == 5;
    return procedure.name == "MPI_Sendrecv_replace" && (behind == 1 || behind == 2);
}

/// Whether the argument is the count or the type of what is sent, received or reduced.
bool is_size(const MpiProcedure& procedure, int position) {
    const bool is_message = procedure.peer == 3 && procedure.communicator > procedure.peer;
    const bool is_reduction = procedure.communicator == (procedure.peer == 5 ? 6 : 5) &&
                              (procedure.peer == 5 || procedure.peer < 0);
    return (is_message && (position == 1 || position == 2)) ||
           (is_reduction && position >= 2 && position <= 4);
}

}  // namespace

bool is_runtime_symbol(std::string_view symbol) {
    return is_harmless_library_function(symbol) || symbol.starts_with("GOMP_") ||
           symbol.starts_with("GOACC_") || symbol.starts_with("omp_") || symbol.starts_with("_ZGV");
}

bool ends_with_threads(std::string_view symbol) {
    if (!symbol.ends_with("D1Ev") && !symbol.ends_with("D2Ev")) return false;
    for (const std::string_view ended : {"_ZNSt6threadD",
                                         "_ZNSt5arrayISt6threadLm",
                                         "_ZNSt5dequeISt6threadSaIS0_EE",
                                         "_ZNSt6vectorISt6threadSaIS0_EE",
                                         "_ZNSt7__cxx114listISt6threadSaIS1_EE"}) {
        if (symbol.starts_with(ended)) return true;
    }
    return false;
}

Callee Callees::classify(tree function_declaration) {
    Callee callee;
    const tree identifier = DECL_NAME(function_declaration);
    if (identifier == NULL_TREE) return callee;
    const std::string_view name = plain_name(IDENTIFIER_POINTER(identifier));
    if (is_count(name, function_declaration)) {
        callee.kind = Kind::Count;
        return callee;
    }
    callee.identity = identity_of(name, function_declaration);
    if (callee.identity != Identity::None) {
        callee.kind = Kind::Harmless;
        return callee;
    }
    callee.atomic = atomic_kind(name, function_declaration);
    if (callee.atomic != AtomicKind::None) {
        callee.kind = Kind::Atomic;
        return callee;
    }
    if (const auto named = named_callees().find(name); named != named_callees().end()) {
        callee.kind = named->second.kind;
        callee.argument = named->second.argument;
    } else if (fndecl_built_in_p(function_declaration) || name.starts_with("omp_") ||
               name.starts_with("GOMP_")) {
        callee.kind = Kind::Harmless;
        return callee;
    }
    if (callee.kind != Kind::StartThread && callee.kind != Kind::Other) return callee;
    callee.symbol = gathering_.symbol(function_declaration);
    const std::string& symbol = gathering_.unit.strings[callee.symbol];
    callee.mpi = find_mpi_procedure(IDENTIFIER_POINTER(identifier), is_fortran());
    if (callee.mpi != nullptr &&
        (is_of_users_module(symbol) || is_of_program(function_declaration)))
        callee.mpi = nullptr;
    if (callee.mpi == nullptr) callee.mpi = find_library_procedure(symbol);
    if (callee.mpi != nullptr) {
        callee.kind = Kind::Mpi;
    } else if (symbol.starts_with("_Z")) {
        const StringId id = callee.symbol;
        callee = standard_library_member(symbol);
        callee.symbol = id;
    }
    const bool may_be_elsewhere =
        DECL_EXTERNAL(function_declaration) && !gimple_has_body_p(function_declaration);
    if (callee.kind != Kind::Other || !may_be_elsewhere) return callee;
    if (has_name_of_c_library(symbol) && is_declared_by_program(function_declaration)) {
        gathering_.unit.own_names.push_back(callee.symbol);
    } else if (!takes_function(function_declaration) &&
               (is_leaf_of_system(function_declaration) || is_runtime_symbol(symbol))) {
        callee.kind = Kind::Harmless;
    }
    return callee;
}

const Callee& Callees::of(tree function_declaration) {
    const auto [found, is_new] = known_.try_emplace(DECL_UID(function_declaration));
    if (is_new) found->second = classify(function_declaration);
    return found->second;
}

bool is_only_read(const gimple* call, const Callee& callee, tree variable) {
    if (callee.kind == CalleeKind::Harmless) return true;
    if (callee.kind != CalleeKind::Mpi) return false;
    const MpiProcedure& procedure = *callee.mpi;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        const auto position = static_cast<int>(i);
        const bool is_read = position == procedure.peer || position == procedure.tag ||
                             position == procedure.required || position == procedure.communicator ||
                             is_size(procedure, position) || is_of_receipt(procedure, position);
        if (TREE_CODE(argument) == ADDR_EXPR && TREE_OPERAND(argument, 0) == variable && !is_read)
            return false;
    }
    return true;
}

}  // namespace mqinspect::thread_level::plugin
