#include "analysis/local/file_view.h"

#include <algorithm>

#include "analysis/datatypes/checked.h"
#include "analysis/pairing/outcomes.h"

namespace mqinspect::analysis {

namespace {

using model::DatatypeId;
using model::Role;

constexpr std::int64_t kFarthest = INT64_MAX / 8;  ///< sums of some of them need no checks

std::int64_t given(const CallView& view, std::string_view name, std::int64_t otherwise) {
    const model::Value* const value = view.named(name);
    return value == nullptr ? otherwise : value->number;
}

/// Bytes `begin` up to `end` of those that the run has, one after the other. Precondition: it has
/// one loop at most.
void add_part(Footprint& into,
              const Run& run,
              const Dimension& loop,
              std::int64_t base,
              std::int64_t begin,
              std::int64_t end) {
    const auto add =
        [&](std::int64_t block, std::int64_t from, std::int64_t to, std::int64_t count) {
            if (from >= to || count <= 0) return;
            Run part{base + run.start + block * loop.stride + from,
                     to - from,
                     static_cast<std::uint32_t>(into.loops.size()),
                     count > 1 ? 1U : 0U};
            if (count > 1) into.loops.push_back({count, loop.stride});
            into.runs.push_back(part);
        };
    if (begin >= end) return;
    const std::int64_t first = begin / run.length;
    const std::int64_t last = (end - 1) / run.length;
    if (first == last) return add(first, begin % run.length, (end - 1) % run.length + 1, 1);
    add(first, begin % run.length, run.length, 1);
    add(first + 1, 0, run.length, last - first - 1);
    add(last, 0, (end - 1) % run.length + 1, 1);
}

/// The same of a whole file type whose runs follow each other: those with several loops do not.
void add_part(Footprint& into,
              const Footprint& type,
              std::int64_t base,
              std::int64_t begin,
              std::int64_t end) {
    if (std::ranges::any_of(type.runs, [](const Run& run) { return run.dimensions > 1; })) return;
    std::int64_t before = 0;
    for (const Run& run : type.runs) {
        const Dimension loop =
            run.dimensions == 0 ? Dimension{1, run.length} : type.loops_of(run).front();
        const std::int64_t bytes = loop.count * run.length;
        add_part(into,
                 run,
                 loop,
                 base,
                 std::max<std::int64_t>(begin - before, 0),
                 std::min(end - before, bytes));
        before += bytes;
    }
}

/// File types go through the file in one direction, as they must: each run begins behind the one
/// before, and they have as many bytes as the type.
bool in_order(const Footprint& type, std::int64_t size) {
    std::int64_t bytes = 0;
    std::int64_t behind = 0;
    for (const Run& run : type.runs) {
        if (run.start < behind) return false;
        std::int64_t copies = 1;
        behind = run.start + run.length;
        for (const Dimension& loop : type.loops_of(run)) {
            behind += (loop.count - 1) * loop.stride;
            if (__builtin_mul_overflow(copies, loop.count, &copies)) return false;
        }
        std::int64_t all = 0;
        if (__builtin_mul_overflow(copies, run.length, &all) ||
            __builtin_add_overflow(bytes, all, &bytes))
            return false;
    }
    return bytes == size;
}

void append(Footprint& into, const Footprint& more) {
    for (Run run : more.runs) {
        const auto loops = more.loops_of(run);
        run.first = static_cast<std::uint32_t>(into.loops.size());
        into.loops.insert(into.loops.end(), loops.begin(), loops.end());
        into.runs.push_back(run);
    }
}

}  // namespace

bool uses_shared_pointer(std::string_view procedure) {
    return procedure.find("_shared") != std::string_view::npos ||
           procedure.find("_ordered") != std::string_view::npos;
}

ByteRange hull_of(const Footprint& footprint) {
    ByteRange hull;
    for (const Run& run : footprint.runs) {
        ByteRange range{run.start, run.start + run.length};
        for (const Dimension& loop : footprint.loops_of(run))
            range.high += (loop.count - 1) * loop.stride;
        hull = hull.empty()
                   ? range
                   : ByteRange{std::min(hull.low, range.low), std::max(hull.high, range.high)};
    }
    return hull;
}

FileView::FileView(const model::Execution& execution, const CallView& open)
    : execution_(execution) {
    const std::int64_t append = execution.constant("MPI_MODE_APPEND", 0);
    if ((given(open, "amode", append) & append) == 0) pointer_ = 0;
}

void FileView::update(const CallView& view) {
    if (view.name() == "MPI_File_set_view") set_view(view);
    if (view.name() == "MPI_File_seek") seek(view);
}

// In other representations than "native" elements may have other sizes (MPI 4.0, 14.5).
void FileView::set_view(const CallView& view) {
    const model::RecordedDatatype* const unit = execution_.datatype(given(view, "etype", -1));
    const std::int64_t type = given(view, "filetype", -1);
    ++times_set_;
    set_by_ = site_of(view.call);
    displacement_ = given(view, "disp", -1);
    known_ = unit != nullptr && unit->size > 0 && execution_.datatype(type) != nullptr &&
             displacement_ >= 0 && displacement_ < kFarthest &&
             text_of(execution_, view.named("datarep")) == "native";
    if (!known_) return;
    unit_ = unit->size;
    type_ = DatatypeId{static_cast<int>(type)};
    pointer_ = 0;
}

bool FileView::differs_from(const FileView& other, Footprints& footprints) const {
    if (!known_ || !other.known_) return false;
    if (displacement_ != other.displacement_ || unit_ != other.unit_) return true;
    if (type_ == other.type_) return false;
    const auto shown = hull(footprints);
    const auto others = other.hull(footprints);
    if (!shown || !others) return false;
    const auto all = [](const Hull& one) {
        return one.size == one.extent && one.bytes.low == 0 && one.bytes.high == one.size;
    };
    // Types without gaps show all of the file, whatever their sizes.
    if (all(*shown) && all(*others)) return false;
    return shown->size != others->size || shown->extent != others->extent ||
           shown->bytes.low != others->bytes.low || shown->bytes.high != others->bytes.high;
}

std::optional<FileView::Hull> FileView::hull(Footprints& footprints) const {
    const model::RecordedDatatype* const type = execution_.datatype(type_.value);
    if (type == nullptr) return Hull{{0, 1}, 1, 1};
    const Footprint bytes = footprints.of(0, 1, type_);
    if (!bytes.known) return std::nullopt;
    return Hull{hull_of(bytes), type->size, type->extent};
}

void FileView::seek(const CallView& view) {
    const std::int64_t whence = given(view, "whence", -1);
    const std::int64_t offset = given(view, "offset", -1);
    if (whence == execution_.constant("MPI_SEEK_SET", INT64_MIN)) {
        pointer_ = offset;
    } else if (whence == execution_.constant("MPI_SEEK_CUR", INT64_MIN) && pointer_) {
        pointer_ = checked_step(*pointer_, 1, offset);
    } else {
        pointer_.reset();
    }
}

Footprint FileView::take(const CallView& view, Footprints& footprints) {
    if (uses_shared_pointer(view.name())) return {};
    const model::RecordedDatatype* const type =
        execution_.datatype(view.number(Role::Datatype, model::kNullHandle));
    const std::int64_t count = view.number(Role::Count);
    std::int64_t length = 0;
    const bool sized = known_ && type != nullptr && count >= 0 &&
                       !__builtin_mul_overflow(count, type->size, &length) && length < kFarthest;
    const bool individual = view.named("offset") == nullptr;
    const std::optional<std::int64_t> at =
        individual ? pointer_ : std::optional{given(view, "offset", -1)};
    if (individual) {
        pointer_.reset();
        // At the end of a file less may be read, and the pointer is moved by as much.
        const std::int64_t* const status = status_at(view.out(Role::Status), 0);
        const bool reads = view.local.buffers == BufferRule::FileRead;
        const bool whole = !reads || (status != nullptr && status[3] == length);
        if (sized && at && whole && length % unit_ == 0)
            pointer_ = checked_step(*at, 1, length / unit_);
    }
    std::int64_t begin = 0;
    if (!sized || !at || *at < 0 || length == 0 || __builtin_mul_overflow(*at, unit_, &begin) ||
        begin >= kFarthest)
        return {};
    return bytes(begin, begin + length, footprints);
}

Footprint FileView::bytes(std::int64_t begin, std::int64_t end, Footprints& footprints) const {
    Footprint result;
    const Dimension once{1, 0};
    const model::RecordedDatatype* const type = execution_.datatype(type_.value);
    if (type == nullptr) {
        add_part(result, Run{0, end, 0, 0}, once, displacement_, begin, end);
        return result;
    }
    const Footprint one = footprints.of(0, 1, type_);
    if (!one.known || one.runs.empty() || !in_order(one, type->size) || type->extent <= 0)
        return result;
    if (one.runs.size() == 1 && one.runs[0].dimensions == 0 && type->extent == type->size) {
        add_part(result, Run{one.runs[0].start, end, 0, 0}, once, displacement_, begin, end);
        return result;
    }
    const std::int64_t first = begin / type->size;
    const std::int64_t last = end / type->size;
    const auto base = [&](std::int64_t copy) {
        return checked_step(displacement_, copy, type->extent);
    };
    const auto farthest = base(last + 1);
    if (!farthest || *farthest >= kFarthest) return result;
    if (first == last) {
        add_part(result, one, *base(first), begin - first * type->size, end - first * type->size);
        return result;
    }
    const std::int64_t whole = begin % type->size == 0 ? first : first + 1;
    add_part(
        result, one, *base(first), begin - first * type->size, whole == first ? 0 : type->size);
    if (last > whole) append(result, footprints.of(*base(whole), last - whole, type_));
    add_part(result, one, *base(last), 0, end - last * type->size);
    return result;
}

}  // namespace mqinspect::analysis
