/// Communicators, groups, datatypes, operators, windows, files, info objects, error handlers,
/// attribute keys, matched messages, memory of MPI_Alloc_mem and ports of one process: who has made
/// them, who has given them back, who uses them afterwards, and what is never given back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/local/id_map.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// Memory is bounded by the number of definitions. Equal datatypes, operators and groups are one
/// in a record. Datatypes and groups are told apart by the library's own numbers, of those that
/// have the same the newest counts as the first to be freed; of others the oldest does.
class Handles {
public:
    Handles(model::ProcessId process, const model::Execution& execution, Reporter& reporter);

    /// Reports uses of what has been freed. True: there were some.
    bool check_use(const CallView& view);
    /// As long as it is the same, all questions have the answers that they had.
    std::uint64_t generation() const { return generation_; }
    /// Null: all right, or not known. Else the call that made the datatype, which nobody has
    /// committed since.
    const CallSite* uncommitted(std::int64_t datatype) const;
    /// The call that made a window whose memory begins at the address, or in the bytes from there
    /// on; null: there is none.
    const CallSite* window_at(std::int64_t address, std::int64_t bytes = 1) const;
    /// " handle that this process has never had", behind its noun; with the reason if it is known.
    std::string never_had(HandleKind kind) const;
    /// The call that has made a handle what it is: a null handle where some have been freed and no
    /// call has given out a null handle, or a handle that is none any more where some have been
    /// freed. Null: it has another reason, or that is not certain. `handle` is model::kNullHandle
    /// or kInvalidHandle.
    const CallSite* ended_by(HandleKind kind, std::int64_t handle) const;
    /// The last call that gave out a null handle, where nothing of the kind was freed: that is
    /// where null handles come from. Null: there is none.
    const CallSite* null_given_by(HandleKind kind) const;
    /// The first call that gave it out; null: it is not known.
    const CallSite* made_by(HandleKind kind, const model::Value& value) const;
    /// What the call has made, committed and freed.
    void update(const CallView& view);
    /// The last call that made it has failed to, after all.
    void unmake(HandleKind kind, std::int64_t id);
    /// A call that would have freed something, but after MPI_Finalize. The noun of what it was:
    /// nothing more is said of it then; empty: nothing that is known.
    std::string_view freed_late(const CallView& view);
    /// MPI_Finalize: what is left.
    void finalize();

private:
    struct Live {
        CallSite made;
        bool committed = false;
        bool lent = false;  ///< no leak
        /// Of a group or a datatype: the library's own; 0: not known.
        std::int64_t number = 0;
    };
    /// The oldest one first. Equal types may be thousands: the first ones go without a move of all
    /// the others.
    class LiveList {
    public:
        using Iterator = std::vector<Live>::iterator;

        Iterator begin() { return all_.begin() + first_; }
        Iterator end() { return all_.end(); }
        auto begin() const { return all_.begin() + first_; }
        auto end() const { return all_.end(); }
        bool empty() const { return begin() == end(); }
        const Live& front() const { return *begin(); }
        const Live& back() const { return all_.back(); }
        bool any_lent() const { return lent_ != 0; }
        /// The newest one that `is_it`; empty: none is.
        template <class Predicate>
        std::optional<Iterator> last(Predicate is_it) {
            for (Iterator one = end(); one != begin();)
                if (is_it(*--one)) return one;
            return std::nullopt;
        }

        void add(const Live& one);
        /// The one that is freed by the number, 0: it is not known. `unique`: no two that were made
        /// have the same. Precondition: not empty.
        Iterator freed_by(std::int64_t number, bool unique);
        void remove(Iterator one);

    private:
        std::vector<Live> all_;
        std::ptrdiff_t first_ = 0;
        std::size_t lent_ = 0;
        std::size_t unnumbered_ = 0;
    };
    struct State {
        HandleKind kind{};
        std::int64_t id = 0;
        bool own = false;  ///< made by a call that lends nothing
        LiveList live;
        std::optional<CallSite> freed;
    };
    /// Of all handles of a kind.
    struct Ended {
        std::optional<CallSite> freed;       ///< the last one that was
        std::optional<CallSite> null_given;  ///< the last call that gave out a null handle
        std::optional<std::int64_t> null;    ///< the null handle, where the record has it raw
    };

    static std::int64_t key_of(HandleKind kind, const model::Value& value);
    State* find(HandleKind kind, const model::Value& value);
    bool check_handle(const CallView& view, HandleKind kind, const model::Value& value);
    void made(const CallView& view, const LocalProcedure::Handle& handle);
    void freed(const CallView& view, const LocalProcedure::Handle& handle);
    void add(const CallView& view,
             HandleKind kind,
             const model::Value& value,
             std::int64_t number = 0);
    /// `number`: Live::number of the one that it is, if that is known.
    void remove(const CallView& view,
                HandleKind kind,
                const model::Value& value,
                std::int64_t number = 0);
    bool is_predefined(HandleKind kind, std::int64_t id) const;
    bool is_committed_copy(const CallView& view) const;

    model::ProcessId process_;
    const model::Execution& execution_;
    Reporter& reporter_;
    IdMap places_;
    std::vector<State> states_;
    std::vector<std::uint32_t> free_states_;
    std::array<Ended, kHandleKinds> ended_;
    std::uint64_t generation_ = 0;
};

}  // namespace mqinspect::analysis
