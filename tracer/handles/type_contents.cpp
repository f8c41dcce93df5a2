#include "tracer/handles/type_contents.h"

#include <algorithm>
#include <cstring>

#include "tracer/handles/datatypes.h"
#include "tracer/pmpi.h"

namespace mqinspect::tracer {

namespace {

struct Combiner {
    int value;
    const char* name;
};

#define MQT_COMBINER(name) \
    { MPI_COMBINER_##name, "MPI_COMBINER_" #name }
constexpr Combiner kCombiners[] = {
    MQT_COMBINER(NAMED),
    MQT_COMBINER(DUP),
    MQT_COMBINER(CONTIGUOUS),
    MQT_COMBINER(VECTOR),
    MQT_COMBINER(HVECTOR),
    MQT_COMBINER(INDEXED),
    MQT_COMBINER(HINDEXED),
    MQT_COMBINER(INDEXED_BLOCK),
    MQT_COMBINER(HINDEXED_BLOCK),
    MQT_COMBINER(STRUCT),
    MQT_COMBINER(SUBARRAY),
    MQT_COMBINER(DARRAY),
    MQT_COMBINER(F90_REAL),
    MQT_COMBINER(F90_COMPLEX),
    MQT_COMBINER(F90_INTEGER),
    MQT_COMBINER(RESIZED),
};
#undef MQT_COMBINER

const char* combiner_name(int value) {
    for (const Combiner& combiner : kCombiners)
        if (combiner.value == value) return combiner.name;
    return "";
}

/// How many of each there are.
struct Counts {
    std::size_t integers = 0;
    std::size_t addresses = 0;
    std::size_t large = 0;
    std::size_t types = 0;
    int combiner = MPI_UNDEFINED;
};

/// As the library gives them.
struct Raw {
    int* integers;
    MPI_Aint* addresses;
    MPI_Count* large;
    MPI_Datatype* types;
};

/// Parts of a piece of memory, one after another.
class Parts {
public:
    explicit Parts(void* memory) : next_(static_cast<std::int64_t*>(memory)) {}

    template <class T>
    T* take(std::size_t count) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): handles may be pointers
        static_assert(sizeof(T) <= sizeof(std::int64_t));
        void* taken = next_;
        next_ += count;
        return static_cast<T*>(taken);
    }

private:
    std::int64_t* next_;
};

#if MPI_VERSION >= 4
bool ask_counts(MPI_Datatype datatype, Counts& counts) {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large = 0;
    MPI_Count types = 0;
    if (pmpi.Type_get_envelope_c(
            datatype, &integers, &addresses, &large, &types, &counts.combiner) != MPI_SUCCESS)
        return false;
    counts.integers = static_cast<std::size_t>(integers);
    counts.addresses = static_cast<std::size_t>(addresses);
    counts.large = static_cast<std::size_t>(large);
    counts.types = static_cast<std::size_t>(types);
    return true;
}

bool ask_contents(MPI_Datatype datatype, const Counts& counts, const Raw& raw) {
    return pmpi.Type_get_contents_c(datatype,
                                    static_cast<MPI_Count>(counts.integers),
                                    static_cast<MPI_Count>(counts.addresses),
                                    static_cast<MPI_Count>(counts.large),
                                    static_cast<MPI_Count>(counts.types),
                                    raw.integers,
                                    raw.addresses,
                                    raw.large,
                                    raw.types) == MPI_SUCCESS;
}
#else
bool ask_counts(MPI_Datatype datatype, Counts& counts) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    if (pmpi.Type_get_envelope(datatype, &integers, &addresses, &types, &counts.combiner) !=
        MPI_SUCCESS)
        return false;
    counts.integers = static_cast<std::size_t>(integers);
    counts.addresses = static_cast<std::size_t>(addresses);
    counts.types = static_cast<std::size_t>(types);
    return true;
}

bool ask_contents(MPI_Datatype datatype, const Counts& counts, const Raw& raw) {
    return pmpi.Type_get_contents(datatype,
                                  static_cast<int>(counts.integers),
                                  static_cast<int>(counts.addresses),
                                  static_cast<int>(counts.types),
                                  raw.integers,
                                  raw.addresses,
                                  raw.types) == MPI_SUCCESS;
}
#endif

/// Of a type made by a large-count procedure (MPI 4.0, 5.1.13): how many of its large counts,
/// which come last, are addresses in the ordinary form.
std::size_t large_addresses(int combiner, std::size_t large, const MPI_Count* values) {
    switch (combiner) {
        case MPI_COMBINER_HVECTOR:
            return 1;
        case MPI_COMBINER_RESIZED:
            return 2;
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_HINDEXED_BLOCK:
        case MPI_COMBINER_STRUCT:
            return large == 0 ? 0 : std::min(large - 1, static_cast<std::size_t>(values[0]));
        default:
            return 0;
    }
}

/// Where in the list of integers the large counts stand in the ordinary form.
std::size_t large_place(int combiner) {
    if (combiner == MPI_COMBINER_SUBARRAY) return 1;
    constexpr std::size_t behind_size_rank_dimensions = 3;
    return combiner == MPI_COMBINER_DARRAY ? behind_size_rank_dimensions : 0;
}

/// Brings both forms into that of MPI_Type_get_contents.
void normalise(const Counts& counts,
               const Raw& raw,
               std::int64_t* integers,
               std::int64_t* addresses,
               TypeContents& contents) {
    const std::size_t as_address =
        counts.large == 0 ? 0 : large_addresses(counts.combiner, counts.large, raw.large);
    const std::size_t as_integer = counts.large - std::min(counts.large, as_address);
    const std::size_t before = std::min(large_place(counts.combiner), counts.integers);
    std::int64_t* out = std::copy(raw.integers, raw.integers + before, integers);
    out = std::copy(raw.large, raw.large + as_integer, out);
    out = std::copy(raw.integers + before, raw.integers + counts.integers, out);
    contents.integers = integers;
    contents.integer_count = static_cast<std::size_t>(out - integers);
    out = std::copy(raw.addresses, raw.addresses + counts.addresses, addresses);
    out = std::copy(raw.large + as_integer, raw.large + counts.large, out);
    contents.addresses = addresses;
    contents.address_count = static_cast<std::size_t>(out - addresses);
}

bool is_predefined(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/// Derived types among the contents were given out once more, and must be given back.
void read_types(const Counts& counts, const Raw& raw, std::int64_t* ids, TypeContents& contents) {
    for (std::size_t i = 0; i < counts.types; ++i) {
        ids[i] = datatype_id(raw.types[i]);
        Counts of_type;
        if (ask_counts(raw.types[i], of_type) && !is_predefined(of_type.combiner))
            pmpi.Type_free(&raw.types[i]);
    }
    contents.types = ids;
    contents.type_count = counts.types;
}

bool equal(const std::int64_t* a, std::size_t a_count, const std::int64_t* b, std::size_t b_count) {
    return std::equal(a, a + a_count, b, b + b_count);
}

void add_to_hash(std::uint64_t& hash, const std::int64_t* values, std::size_t count) {
    hash = (hash ^ count) * 0x9e37'79b9'7f4a'7c15ULL;
    for (std::size_t i = 0; i < count; ++i) {
        hash = ((hash ^ static_cast<std::uint64_t>(values[i])) * 0x9e37'79b9'7f4a'7c15ULL) ^
               (hash >> 29U);
    }
}

}  // namespace

bool operator==(const TypeContents& a, const TypeContents& b) {
    return std::strcmp(a.combiner, b.combiner) == 0 && std::strcmp(a.name, b.name) == 0 &&
           equal(a.integers, a.integer_count, b.integers, b.integer_count) &&
           equal(a.addresses, a.address_count, b.addresses, b.address_count) &&
           equal(a.types, a.type_count, b.types, b.type_count);
}

std::uint64_t hash_of(const TypeContents& contents) {
    std::uint64_t hash = 0;
    for (const char* text : {contents.combiner, contents.name})
        hash = hash_text(hash, text);
    add_to_hash(hash, contents.integers, contents.integer_count);
    add_to_hash(hash, contents.addresses, contents.address_count);
    add_to_hash(hash, contents.types, contents.type_count);
    return hash >> 8U;
}

bool copy(const TypeContents& from, TypeContents& to, Arena& arena) {
    to = from;
    auto* all =
        arena.take_array<std::int64_t>(from.integer_count + from.address_count + from.type_count);
    if (all == nullptr) return false;
    to.integers = all;
    all = std::copy(from.integers, from.integers + from.integer_count, all);
    to.addresses = all;
    all = std::copy(from.addresses, from.addresses + from.address_count, all);
    to.types = all;
    std::copy(from.types, from.types + from.type_count, all);
    return true;
}

ContentsReader::ContentsReader(MPI_Datatype datatype, TypeContents& contents) {
    Counts counts;
    if (!ask_counts(datatype, counts)) return;
    contents.combiner = combiner_name(counts.combiner);
    if (counts.combiner == MPI_COMBINER_NAMED) return;
    const std::size_t all = counts.integers + counts.addresses + counts.large + counts.types;
    // Once as the library gives them, and once as they are kept; both at most 8 bytes each.
    memory_.emplace((2 * all + counts.large + 1) * sizeof(std::int64_t));
    if (memory_->place() == nullptr) return;
    Parts parts(memory_->place());
    Raw raw{};
    raw.integers = parts.take<int>(counts.integers);
    raw.addresses = parts.take<MPI_Aint>(counts.addresses);
    raw.large = parts.take<MPI_Count>(counts.large);
    raw.types = parts.take<MPI_Datatype>(counts.types);
    if (!ask_contents(datatype, counts, raw)) return;
    auto* integers = parts.take<std::int64_t>(counts.integers + counts.large);
    auto* addresses = parts.take<std::int64_t>(counts.addresses + counts.large);
    normalise(counts, raw, integers, addresses, contents);
    read_types(counts, raw, parts.take<std::int64_t>(counts.types), contents);
    complete_ = true;
}

}  // namespace mqinspect::tracer
