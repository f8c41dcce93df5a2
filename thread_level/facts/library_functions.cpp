#include "thread_level/facts/library_functions.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace mqinspect::thread_level {
namespace {

// Functions of C and POSIX; words are separated by one space.
constexpr std::string_view kLibc =
#include "thread_level/facts/library_functions_libc.inc"
    ;

// Each stands for its variants with f, l, f32, f64 and f128 behind, too.
constexpr std::string_view kLibm =
#include "thread_level/facts/library_functions_libm.inc"
    ;

// "_ZNS" and its kin: nothing but std can be abbreviated in the first name of a symbol. "_Zn" and
// "_Zd": operators new and delete.
constexpr std::string_view kPrefixes =
    "_ZS _ZNS _ZNKS _ZNRS _ZN9__gnu_cxx _ZNK9__gnu_cxx _ZN10__cxxabiv1 _ZGTt _Znw _Zna _Zdl "
    "_Zda __cxa_ __gxx_ __dynamic_cast _Unwind_ _ITM_ _gfortran_ _gfortrani_ __builtin_ "
    "__atomic_ __sync_ __gnu_ __gcov_ __asan_ __ubsan_ __tsan_ __lsan_ __sanitizer_ __isoc99_ "
    "__isoc23_ __ctype_ __assert_ __stack_chk_ __libc_ __fpclassify __isnan __isinf __finite "
    "__signbit __sig __fx __lx __x __mul __div __powi __popcount __udiv __umod __mod __clz "
    "__ctz __bswap __float __fix __extend __trunc __errno_ __h_errno_ __sched_cpu __get __str "
    "__rawmemchr __overflow __uflow __printf_ __acrt_ quadmath_ omp_get_ omp_set_ omp_in_ "
    "omp_is_ omp_init_ omp_destroy_ omp_display_ omp_alloc omp_aligned_alloc omp_calloc "
    "omp_aligned_calloc omp_realloc omp_free omp_capture_ omp_pause_ omp_target_ GOMP_atomic_ "
    "GOMP_single_ GOMP_loop_ GOMP_sections_ GOMP_ordered_ GOMP_critical_ GOMP_alloc GOMP_free "
    "GOMP_scope_ GOMP_doacross_ GOMP_warning GOMP_error";

// Begin as others do.
constexpr std::string_view kExceptions = "_ZNSt6thread omp_set_lock omp_set_nest_lock";

constexpr auto kSuffixes =
    std::to_array<std::string_view>({"f", "l", "f32", "f64", "f128", "f32x", "f64x", "q"});

std::unordered_set<std::string_view> words_of(std::string_view text) {
    std::unordered_set<std::string_view> words;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find(' '), text.size());
        words.insert(text.substr(0, length));
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return words;
}

bool starts_with_any(std::string_view symbol,
                     const std::unordered_set<std::string_view>& prefixes) {
    return std::ranges::any_of(
        prefixes, [symbol](std::string_view prefix) { return symbol.starts_with(prefix); });
}

bool is_of_libm(std::string_view symbol) {
    static const std::unordered_set<std::string_view> names = words_of(kLibm);
    if (names.contains(symbol)) return true;
    for (const std::string_view suffix : kSuffixes) {
        if (symbol.ends_with(suffix) &&
            names.contains(symbol.substr(0, symbol.size() - suffix.size()))) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool is_harmless_library_function(std::string_view symbol) {
    static const std::unordered_set<std::string_view> libc = words_of(kLibc);
    static const std::unordered_set<std::string_view> prefixes = words_of(kPrefixes);
    static const std::unordered_set<std::string_view> exceptions = words_of(kExceptions);
    if (libc.contains(symbol) || is_of_libm(symbol)) return true;
    // "__module_MOD_procedure" of Fortran.
    if (symbol.find("_MOD_") != std::string_view::npos) return false;
    if (starts_with_any(symbol, prefixes)) return !starts_with_any(symbol, exceptions);
    // What _FORTIFY_SOURCE makes of a call.
    return symbol.starts_with("__") && symbol.ends_with("_chk");
}

}  // namespace mqinspect::thread_level
