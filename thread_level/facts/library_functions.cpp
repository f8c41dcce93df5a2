#include "thread_level/facts/library_functions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

// Sorted, and none begins as another one. "_ZNS" and its kin: nothing but std can be abbreviated in
// the first name of a symbol. "_Zn" and "_Zd": operators new and delete.
constexpr std::string_view kPrefixes =
    "GOMP_alloc GOMP_atomic_ GOMP_critical_ GOMP_doacross_ GOMP_error GOMP_free GOMP_loop_ "
    "GOMP_ordered_ GOMP_scope_ GOMP_sections_ GOMP_single_ GOMP_warning _ITM_ _Unwind_ _ZGTt "
    "_ZN10__cxxabiv1 _ZN9__gnu_cxx _ZNK9__gnu_cxx _ZNKOS _ZNKRS _ZNKS _ZNOS _ZNRS _ZNS _ZS _Zda "
    "_Zdl _Zna _Znw "
    "__acrt_ __asan_ __assert_ __atomic_ __bswap __builtin_ __clz __ctype_ __ctz __cxa_ __div "
    "__dynamic_cast __errno_ __extend __finite __fix __float __fpclassify __fx __gcov_ __get "
    "__gnu_ __gxx_ __h_errno_ __isinf __isnan __isoc23_ __isoc99_ __libc_ __lsan_ __lx __mod "
    "__mul __overflow __popcount __powi __printf_ __rawmemchr __sanitizer_ __sched_cpu __sig "
    "__stack_chk_ __str __sync_ __trunc __tsan_ __ubsan_ __udiv __uflow __umod __x _gfortran_ "
    "_gfortrani_ omp_aligned_alloc omp_aligned_calloc omp_alloc omp_calloc omp_capture_ "
    "omp_destroy_ omp_display_ omp_free omp_get_ omp_in_ omp_init_ omp_is_ omp_pause_ "
    "omp_realloc omp_set_ omp_target_ quadmath_";

// Begin as others do.
constexpr auto kExceptions =
    std::to_array<std::string_view>({"_ZNSt6thread", "omp_set_lock", "omp_set_nest_lock"});

constexpr auto kSuffixes =
    std::to_array<std::string_view>({"f", "l", "f32", "f64", "f128", "f32x", "f64x", "q"});

/// Where the words of a text begin, and where one more would.
template <std::size_t Count>
constexpr std::array<std::uint16_t, Count + 1> starts_in(std::string_view text) {
    std::array<std::uint16_t, Count + 1> starts{};
    std::size_t word = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at == 0 || text[at - 1] == ' ') starts[word++] = static_cast<std::uint16_t>(at);
    }
    starts[word] = static_cast<std::uint16_t>(text.size() + 1);
    return starts;
}

/// A sorted list. It is made when this is compiled: what the plugin is loaded for is often so
/// small that making it would take longer than all questions.
class Words {
public:
    constexpr Words(std::string_view text, std::span<const std::uint16_t> starts)
        : text_(text), starts_(starts) {}

    constexpr bool contains(std::string_view word) const {
        const std::size_t count = up_to(word);
        return count > 0 && at(count - 1) == word;
    }
    /// Only if none of them begins as another one.
    constexpr bool has_start_of(std::string_view symbol) const {
        const std::size_t count = up_to(symbol);
        return count > 0 && symbol.starts_with(at(count - 1));
    }
    constexpr bool is_sorted() const {
        for (std::size_t word = 1; word < size(); ++word)
            if (at(word) <= at(word - 1)) return false;
        return true;
    }
    constexpr bool has_common_starts() const {
        for (std::size_t word = 1; word < size(); ++word)
            if (at(word).starts_with(at(word - 1))) return true;
        return false;
    }

private:
    constexpr std::size_t size() const { return starts_.size() - 1; }
    constexpr std::string_view at(std::size_t word) const {
        return text_.substr(starts_[word], starts_[word + 1] - starts_[word] - 1U);
    }
    /// How many are not behind `word`.
    constexpr std::size_t up_to(std::string_view word) const {
        std::size_t first = 0;
        for (std::size_t end = size(); first < end;) {
            const std::size_t middle = (first + end) / 2;
            if (at(middle) <= word) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first;
    }

    std::string_view text_;
    std::span<const std::uint16_t> starts_;
};

constexpr std::size_t count_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

constexpr auto kLibcStarts = starts_in<count_of(kLibc)>(kLibc);
constexpr auto kLibmStarts = starts_in<count_of(kLibm)>(kLibm);
constexpr auto kPrefixStarts = starts_in<count_of(kPrefixes)>(kPrefixes);
constexpr Words kLibcFunctions(kLibc, kLibcStarts);
constexpr Words kLibmFunctions(kLibm, kLibmStarts);
constexpr Words kKnownStarts(kPrefixes, kPrefixStarts);
static_assert(kLibc.size() < 0xffff && kLibcFunctions.is_sorted() && kLibmFunctions.is_sorted());
static_assert(kKnownStarts.is_sorted() && !kKnownStarts.has_common_starts());

bool is_of_libm(std::string_view symbol) {
    if (kLibmFunctions.contains(symbol)) return true;
    return std::ranges::any_of(kSuffixes, [symbol](std::string_view suffix) {
        return symbol.ends_with(suffix) &&
               kLibmFunctions.contains(symbol.substr(0, symbol.size() - suffix.size()));
    });
}

bool is_exception(std::string_view symbol) {
    return std::ranges::any_of(
        kExceptions, [symbol](std::string_view start) { return symbol.starts_with(start); });
}

}  // namespace

bool is_of_standard_library(std::string_view symbol) {
    if (symbol.starts_with("_ZZ")) symbol.remove_prefix(1);
    for (const std::string_view start : {"_ZNS",
                                         "_ZNKS",
                                         "_ZNKOS",
                                         "_ZNKRS",
                                         "_ZNRS",
                                         "_ZNOS",
                                         "_ZS",
                                         "ZNS",
                                         "ZNKS",
                                         "ZS",
                                         "_ZN9__gnu_cxx",
                                         "_ZNK9__gnu_cxx",
                                         "_ZL14__gthread",
                                         "_ZL15__gthread"}) {
        if (symbol.starts_with(start)) return true;
    }
    return false;
}

bool makes_or_ends_object(std::string_view symbol) {
    if (!symbol.starts_with("_ZN") || is_of_standard_library(symbol)) return false;
    for (const std::string_view part : {"C1E", "C2E", "C1I", "C2I", "D0Ev", "D1Ev", "D2Ev"}) {
        if (symbol.find(part) != std::string_view::npos) return true;
    }
    return false;
}

bool has_name_of_c_library(std::string_view symbol) {
    return kLibcFunctions.contains(symbol) || is_of_libm(symbol);
}

bool is_harmless_library_function(std::string_view symbol) {
    if (has_name_of_c_library(symbol)) return true;
    // "__module_MOD_procedure" of Fortran.
    if (symbol.find("_MOD_") != std::string_view::npos) return false;
    if (kKnownStarts.has_start_of(symbol)) return !is_exception(symbol);
    // What _FORTIFY_SOURCE makes of a call.
    return symbol.starts_with("__") && symbol.ends_with("_chk");
}

}  // namespace mqinspect::thread_level
