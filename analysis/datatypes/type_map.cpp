#include "analysis/datatypes/type_map.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/datatypes/checked.h"
#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {
namespace {

using model::DatatypeId;
using model::DeclaredElement;
using Kind = DeclaredElement::Kind;

// Derived datatypes of real programs are nested a few times.
constexpr int kMaxDepth = 32;

/// Two numbers of MPI_MINLOC and MPI_MAXLOC (MPI 4.0, 6.9.4), as the structure of C that they are.
struct Pair {
    std::string_view name;
    DeclaredElement first;
    DeclaredElement second;
};
constexpr std::array<Pair, 9> kPairs{{
    {"MPI_FLOAT_INT", {Kind::Float, 0, 4}, {Kind::Integer, 4, 4}},
    {"MPI_DOUBLE_INT", {Kind::Float, 0, 8}, {Kind::Integer, 8, 4}},
    {"MPI_LONG_INT", {Kind::Integer, 0, 8}, {Kind::Integer, 8, 4}},
    {"MPI_2INT", {Kind::Integer, 0, 4}, {Kind::Integer, 4, 4}},
    {"MPI_SHORT_INT", {Kind::Integer, 0, 2}, {Kind::Integer, 4, 4}},
    {"MPI_LONG_DOUBLE_INT", {Kind::Float, 0, 16}, {Kind::Integer, 16, 4}},
    {"MPI_2REAL", {Kind::Float, 0, 4}, {Kind::Float, 4, 4}},
    {"MPI_2DOUBLE_PRECISION", {Kind::Float, 0, 8}, {Kind::Float, 8, 8}},
    {"MPI_2INTEGER", {Kind::Integer, 0, 4}, {Kind::Integer, 4, 4}},
}};

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

class Mapper {
public:
    Mapper(const model::Execution& execution, std::size_t limit)
        : execution_(execution), limit_(limit) {}

    std::vector<MappedElement> run(DatatypeId type, std::int64_t count) {
        const auto* const known = find(type);
        for (std::int64_t i = 0; known != nullptr && i < count && !full(); ++i) {
            const auto start = checked_product(i, known->extent);
            if (!start) break;
            const std::size_t before = found_.size();
            add(type, *start, 0);
            // What has nothing to tell has nothing in the next element either.
            if (found_.size() == before) break;
        }
        return std::move(found_);
    }

private:
    bool full() const { return found_.size() >= limit_; }

    const model::RecordedDatatype* find(DatatypeId type) const {
        const bool known = type.value >= 0 && type.index() < execution_.datatypes.size();
        return known ? &execution_.datatypes[type.index()] : nullptr;
    }

    void add(DatatypeId type, std::int64_t place, int depth) {
        const model::RecordedDatatype* const known = find(type);
        if (known == nullptr || depth > kMaxDepth || full()) return;
        if (is_basic(*known)) return add_basic(*known, place);
        const auto contents = contents_of(execution_, type);
        if (!contents) return;
        for (const Part& part : contents->parts)
            add_copies(part, contents->dimensions_of(part), place, part.displacement, depth);
    }

    void add_copies(const Part& part,
                    std::span<const Dimension> loops,
                    std::int64_t place,
                    std::int64_t displacement,
                    int depth) {
        const auto start = checked_sum(place, displacement);
        if (!start || full()) return;
        if (loops.empty()) return add(part.type, *start, depth + 1);
        for (std::int64_t i = 0; i < loops[0].count && !full(); ++i) {
            const auto step = checked_product(i, loops[0].stride);
            const std::size_t before = found_.size();
            if (!step) return;
            add_copies(part, loops.subspan(1), *start, *step, depth);
            if (found_.size() == before) return;
        }
    }

    void put(DatatypeId type, std::int64_t place, DeclaredElement element) {
        const auto offset = checked_sum(place, element.offset);
        if (!offset || element.size <= 1) return;
        element.offset = *offset;
        found_.push_back({element, type});
    }

    void add_basic(const model::RecordedDatatype& type, std::int64_t place) {
        const std::string_view name = type.name;
        const auto pair = std::ranges::find(kPairs, name, &Pair::name);
        if (pair != kPairs.end()) {
            put(type.id, place, pair->first);
            return put(type.id, place, pair->second);
        }
        if (name == "MPI_BYTE" || name == "MPI_PACKED" || name == "MPI_CHARACTER") return;
        if (has(name, "COMPLEX") || type.combiner == "MPI_COMBINER_F90_COMPLEX") {
            const std::int64_t half = type.size / 2;
            put(type.id, place, {Kind::Float, 0, half});
            return put(type.id, place, {Kind::Float, half, half});
        }
        const bool real = has(name, "REAL") || has(name, "FLOAT") || has(name, "DOUBLE") ||
                          type.combiner == "MPI_COMBINER_F90_REAL";
        put(type.id, place, {real ? Kind::Float : Kind::Integer, 0, type.size});
    }

    const model::Execution& execution_;
    std::size_t limit_;
    std::vector<MappedElement> found_;
};

}  // namespace

std::vector<MappedElement> type_map(const model::Execution& execution,
                                    DatatypeId type,
                                    std::int64_t count,
                                    std::size_t limit) {
    return Mapper(execution, limit).run(type, count);
}

}  // namespace mqinspect::analysis
