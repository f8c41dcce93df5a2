#include "thread_level/analysis/externals.h"

namespace mqinspect::thread_level {
namespace {

// Words with a blank on both sides.

/// Whole families: compiler built-ins and run-time libraries; of C++ std, __gnu_cxx, new and
/// delete; MPI and its Fortran module procedures.
constexpr std::string_view kPrefixes =
    " GOACC_ GOMP_ MPIR_ MPI_ PMPI_ _Unwind_ _ZN9__gnu_cxx _ZNK9__gnu_cxx _ZNKS _ZNS _ZSt _Zda "
    "_Zdl _Zna _Znw __asan_ __atomic_ __builtin_ __ctype_ __cxa_ __errno_ __gcov_ __gthread_ "
    "__gxx_ __ieee754_ __ieee_ __iso_c_ __isoc99_ __mpi_ __sanitizer_ __stack_ __sync_ "
    "__tsan_ __ubsan_ _dl_ _gfortran_ _gfortrani_ acc_ cnd_ isw mpi_ mtx_ omp_ ompi_ pmpi_ "
    "pthread_ sem_ thrd_ ";

/// The C library.
constexpr std::string_view kNames =
    " _IO_getc _IO_putc __assert_fail __fpclassify __fprintf_chk __isfinite __isinf __isnan "
    "__memcpy_chk __memset_chk __overflow __printf_chk __signbit __snprintf_chk __sprintf_chk "
    "__strcpy_chk __uflow _exit abort abs access aligned_alloc asctime asprintf at_quick_exit "
    "atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc chdir chmod clearerr clock "
    "clock_getres clock_gettime clock_nanosleep close closedir creat ctime difftime div dprintf "
    "drand48 dup dup2 erand48 execv execve execvp exit fclose fcntl fdopen feclearexcept "
    "fegetround feof feraiseexcept ferror fesetround fetestexcept fflush fgetc fgets fileno "
    "fopen fork fprintf fputc fputs fread free freopen fscanf fseek fseeko fstat fsync ftell "
    "ftello ftruncate fwrite getc getchar getcwd getenv getgid gethostname getline getopt "
    "getopt_long getpagesize getpid getppid getrlimit getrusage gettimeofday getuid gmtime "
    "gmtime_r htonl htons index ioctl isalnum isalpha isatty isdigit islower isspace isupper "
    "jrand48 kill labs ldiv llabs localtime localtime_r longjmp lrand48 lseek lstat madvise "
    "malloc mbstowcs memccpy memchr memcmp memcpy memmove mempcpy memset mkdir mkstemp mktime "
    "mlock mmap mprotect mrand48 munmap nanosleep nrand48 ntohl ntohs open opendir perror pipe "
    "poll posix_memalign pread printf putc putchar putenv puts pwrite qsort qsort_r quick_exit "
    "raise rand rand_r random read readdir readlink realloc realpath remove rename rewind "
    "rindex rmdir scanf sched_getaffinity sched_getcpu sched_setaffinity sched_yield seed48 "
    "select setbuf setenv setitimer setjmp setlocale setvbuf sigaction sigaddset sigemptyset "
    "siglongjmp signal sigprocmask sleep snprintf sprintf srand srand48 srandom sscanf stat "
    "strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime "
    "strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep "
    "strsignal strspn strstr strtod strtof strtoimax strtok strtok_r strtol strtold strtoll "
    "strtoul strtoull strtoumax strxfrm sysconf system time times tmpfile tolower toupper umask "
    "uname ungetc unlink unsetenv usleep vfprintf vprintf vsnprintf vsprintf wait waitpid "
    "wcscmp wcscpy wcslen wcstombs write ";

/// libm, without the endings for float and long double.
constexpr std::string_view kMathematics =
    " acos acosh asin asinh atan atan2 atanh cabs carg cbrt ceil cexp cimag clog conj copysign "
    "cos cosh cpow creal csqrt erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod "
    "frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
    "lround modf nan nearbyint nextafter pow remainder rint round scalbn sin sincos sinh sqrt "
    "tan tanh tgamma trunc y0 y1 yn ";

constexpr std::string_view kKeepers = " __cxa_atexit at_quick_exit atexit sigaction signal ";

bool contains(std::string_view words, std::string_view name) {
    for (auto at = words.find(name); at != std::string_view::npos; at = words.find(name, at + 1)) {
        if (words[at - 1] == ' ' && words[at + name.size()] == ' ') return true;
    }
    return false;
}

bool is_mathematics(std::string_view symbol) {
    if (contains(kMathematics, symbol)) return true;
    return symbol.size() > 1 && (symbol.back() == 'f' || symbol.back() == 'l') &&
           contains(kMathematics, symbol.substr(0, symbol.size() - 1));
}

bool has_known_prefix(std::string_view symbol) {
    for (std::size_t at = 1; at < kPrefixes.size();) {
        const std::size_t end = kPrefixes.find(' ', at);
        if (symbol.starts_with(kPrefixes.substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace

bool is_harmless(std::string_view symbol) {
    if (symbol.empty()) return true;
    return has_known_prefix(symbol) || contains(kNames, symbol) || is_mathematics(symbol);
}

bool keeps_callbacks(std::string_view symbol) {
    return !symbol.empty() && contains(kKeepers, symbol);
}

}  // namespace mqinspect::thread_level
