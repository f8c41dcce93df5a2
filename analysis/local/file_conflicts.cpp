#include "analysis/local/file_conflicts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/local/call_tells.h"
#include "analysis/local/file_accesses.h"
#include "analysis/local/file_view.h"
#include "analysis/local/shared_pointers.h"
#include "analysis/pairing/outcomes.h"
#include "analysis/replay/ordered_calls.h"

namespace mqinspect::analysis {

namespace {

using model::ProcessId;
using model::Role;

/// Files by their place; those of one MPI_File_open by its number are one at least.
class FilesByPlace {
public:
    explicit FilesByPlace(const model::Execution& execution) {
        std::map<std::string, std::size_t> places;
        for (const model::RecordedFile& file : execution.files) {
            const std::size_t next = sizes_.size();
            const std::size_t at =
                file.place.empty() ? next : places.try_emplace(file.place, next).first->second;
            if (at == next) sizes_.push_back(0);
            place_of_.push_back(at);
            const auto communicator = static_cast<std::size_t>(file.communicator.value);
            if (communicator >= execution.communicators.size()) continue;
            sizes_[at] += execution.communicators[communicator].members.size();
        }
    }

    bool knows(std::int64_t file) const {
        return file >= 0 && static_cast<std::size_t>(file) < place_of_.size();
    }
    /// Several processes may use one, or one process several times.
    bool any_shared() const {
        return std::ranges::any_of(sizes_, [](std::size_t size) { return size > 1; });
    }
    std::size_t place(std::int64_t file) const { return place_of_[static_cast<std::size_t>(file)]; }

private:
    std::vector<std::size_t> place_of_;
    std::vector<std::size_t> sizes_;  ///< processes that have opened it, each time
};

class FileConflictCheck {
public:
    FileConflictCheck(const model::Recording& recording,
                      const std::vector<LocalProcedure>& procedures,
                      Footprints& footprints,
                      Reporter& reporter)
        : execution_(recording.execution()),
          procedures_(procedures),
          footprints_(footprints),
          reporter_(reporter),
          files_(execution_),
          shared_pointers_(execution_, footprints, reporter),
          calls_(recording),
          processes_(execution_.processes.size()) {}

    void run() {
        if (!files_.any_shared() && !any_pending()) return;
        if (!calls_.has_clocks())
            return reporter_.unchecked("conflicting accesses of several processes to a file");
        calls_.read_all([this](const model::RecordedCall& call) { return read(call); });
    }

private:
    using Slots = std::vector<std::pair<std::size_t, FileAccesses::Slot>>;  ///< place, access

    struct OpenFile {
        OpenFile(const model::Execution& execution, const CallView& open) : view(execution, open) {}

        FileView view;
        bool atomic = false;
        std::shared_ptr<const Clock> visible;
        std::uint64_t synchronised = 0;  ///< event of that
        std::vector<FileAccesses::Slot> written;
        std::vector<FileAccesses::Slot> split;  ///< begun
    };
    struct Process {
        std::map<std::int64_t, OpenFile> open;
        std::map<std::int64_t, std::pair<std::int64_t, FileAccesses::Slot>>
            pending;                                      ///< by request
        std::map<std::size_t, std::uint64_t> first_open;  ///< event, by place
        OpenFile* just_opened = nullptr;  ///< what its members knew is known with the next call
    };

    /// There are accesses that go on behind their calls.
    bool any_pending() const {
        return std::ranges::any_of(procedures_, [](const LocalProcedure& local) {
            const bool moves =
                local.buffers == BufferRule::FileRead || local.buffers == BufferRule::FileWrite;
            return moves && (local.makes_request || is_begin(local.procedure->name));
        });
    }
    static bool is_begin(std::string_view name) {
        return name.ends_with("_begin") || name.ends_with("_begin_c");
    }
    bool read(const model::RecordedCall& call);
    void on_open(const CallView& view);
    void on_file_call(const CallView& view, OpenFile& file, std::int64_t id);
    void synchronise(OpenFile& file, std::int64_t id, const CallView& view, std::uint64_t event);
    void access(const CallView& view, OpenFile& file, std::int64_t id);
    void complete_requests(const CallView& view);
    void report(const FileAccess& made, const FileAccess& earlier);
    /// The process may know of what others have done since they opened the file, in a way that is
    /// not in the record.
    bool may_know_of_others(ProcessId process, std::size_t place);
    bool all_know(const FileAccess& access, std::size_t place);

    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    Footprints& footprints_;
    Reporter& reporter_;
    FilesByPlace files_;
    SharedPointers shared_pointers_;
    OrderedCalls calls_;
    std::vector<Process> processes_;
    std::map<std::size_t, FileAccesses> accesses_;  ///< by place
};

bool FileConflictCheck::read(const model::RecordedCall& call) {
    if (call.procedure.value < 0 || call.procedure.index() >= procedures_.size()) return false;
    const CallView view{call, procedures_[call.procedure.index()]};
    Process& process = processes_[call.process.index()];
    if (OpenFile* const opened = std::exchange(process.just_opened, nullptr))
        opened->visible = calls_.clock_of(call.process);
    if (view.local.requests != RequestAction::None) {
        complete_requests(view);
    } else if (view.name() == "MPI_File_open") {
        on_open(view);
    } else if (view.local.is(Role::File)) {
        const std::int64_t id = view.number(Role::File, model::kNullHandle);
        const auto found = process.open.find(id);
        if (found != process.open.end()) on_file_call(view, found->second, id);
    }
    if (tells(view, calls_.kind_of(call)) == Tells::Anything)
        calls_.may_know_all(call.process, call.event);
    return false;
}

void FileConflictCheck::on_open(const CallView& view) {
    const std::int64_t id = view.result(Role::File, model::kNullHandle);
    if (!view.succeeded() || !files_.knows(id)) return;
    Process& process = processes_[view.call.process.index()];
    process.first_open.try_emplace(files_.place(id), view.call.event);
    process.open.erase(id);
    process.just_opened = &process.open.try_emplace(id, execution_, view).first->second;
    process.just_opened->synchronised = *view.call.leave_event;
}

void FileConflictCheck::on_file_call(const CallView& view, OpenFile& file, std::int64_t id) {
    if (view.call.error_code != 0 || !view.call.leave_event) return;
    const std::string_view name = view.name();
    if (name == "MPI_File_sync") return synchronise(file, id, view, *view.call.leave_event);
    if (name == "MPI_File_close") {
        // Programs count on it that the members of a file wait for each other here.
        synchronise(file, id, view, view.call.event - 1);
        processes_[view.call.process.index()].open.erase(id);
        return;
    }
    if (name == "MPI_File_set_atomicity") {
        const model::Value* const flag = view.named("flag");
        file.atomic = flag == nullptr || flag->number != 0;
    } else if (name.ends_with("_end")) {
        for (const FileAccesses::Slot slot : file.split)
            accesses_[files_.place(id)].at(slot).completed = *view.call.leave_event;
        file.split.clear();
    } else if (view.local.buffers == BufferRule::FileRead ||
               view.local.buffers == BufferRule::FileWrite) {
        if (uses_shared_pointer(name)) shared_pointers_.check(view, id, file.view);
        access(view, file, id);
    } else {
        file.view.update(view);
    }
}

void FileConflictCheck::synchronise(OpenFile& file,
                                    std::int64_t id,
                                    const CallView& view,
                                    std::uint64_t event) {
    FileAccesses& accesses = accesses_[files_.place(id)];
    std::erase_if(file.written, [&](FileAccesses::Slot slot) {
        FileAccess& access = accesses.at(slot);
        if (access.completed == FileAccess::kNever) return false;
        access.synchronised = event;
        return true;
    });
    file.visible = calls_.clock_of(view.call.process);
    file.synchronised = event;
    if (!accesses.is_long()) return;
    accesses.clean([&](const FileAccess& access) { return all_know(access, files_.place(id)); });
}

void FileConflictCheck::access(const CallView& view, OpenFile& file, std::int64_t id) {
    FileAccess made;
    made.process = view.call.process;
    made.site = site_of(view.call);
    made.file = id;
    made.writes = view.local.buffers == BufferRule::FileWrite;
    made.atomic = file.atomic;
    made.bytes = file.view.take(view, footprints_);
    made.checksum = view.number(Role::SendChecksum, 0);
    // Others may say by a file that they are ready.
    if (file.atomic && !made.writes) calls_.may_know_all(view.call.process, view.call.event);
    if (!made.bytes.known || made.bytes.runs.empty() || calls_.lost()) return;
    const std::size_t place = files_.place(id);
    const bool split = is_begin(view.name());
    if (!split && !view.local.makes_request) made.completed = *view.call.leave_event;
    made.known = calls_.clock_of(view.call.process);
    made.visible = file.visible;
    made.synchronised_before = file.synchronised;
    const bool writes = made.writes;
    const FileAccess shown = made;
    const bool certain = !may_know_of_others(view.call.process, place);
    const FileAccesses::Slot slot =
        accesses_[place].add(std::move(made), [&](const FileAccess& earlier) {
            if (certain || earlier.process == shown.process) report(shown, earlier);
        });
    if (slot == kNoSlot) {
        return reporter_.unchecked("conflicts between more than " +
                                   std::to_string(FileAccesses::kMost) +
                                   " accesses to one file, or accesses of too many parts");
    }
    if (writes) file.written.push_back(slot);
    if (split) file.split.push_back(slot);
    const std::int64_t request = view.result(Role::Request, model::kNullHandle);
    if (view.local.makes_request && request >= 0)
        processes_[view.call.process.index()].pending[request] = {id, slot};
}

void FileConflictCheck::complete_requests(const CallView& view) {
    auto& pending = processes_[view.call.process.index()].pending;
    const CallKind& kind = calls_.kind_of(view.call);
    if (pending.empty() || kind.action != Action::Complete) return;
    for_each_completed(
        *view.local.procedure, kind, view.call, [&](std::int64_t request, auto&&...) {
            const auto found = pending.find(request);
            if (found == pending.end()) return;
            const auto [id, slot] = found->second;
            accesses_[files_.place(id)].at(slot).completed = *view.call.leave_event;
            pending.erase(found);
        });
}

bool FileConflictCheck::may_know_of_others(ProcessId process, std::size_t place) {
    const Clock& sources = calls_.unknown_sources(process);
    for (std::size_t other = 0; other < sources.size(); ++other) {
        if (sources[other] == 0) continue;
        const auto opened = processes_[other].first_open.find(place);
        if (opened == processes_[other].first_open.end() || sources[other] > opened->second)
            return true;
    }
    return false;
}

/// Whatever they do from now on is ordered behind it.
bool FileConflictCheck::all_know(const FileAccess& access, std::size_t place) {
    const std::uint64_t event = access.writes ? access.synchronised : access.completed;
    if (event == FileAccess::kNever || access.completed == FileAccess::kNever) return false;
    for (const model::RecordedProcess& process : execution_.processes) {
        const bool own = process.id == access.process;
        if (!own && (*calls_.clock_of(process.id))[access.process.index()] <= event) return false;
        if (!access.writes) continue;
        for (const auto& [id, file] : processes_[process.id.index()].open) {
            if (files_.place(id) != place || file.visible == nullptr) continue;
            const bool sees = own ? id == access.file || file.synchronised > event
                                  : (*file.visible)[access.process.index()] > event;
            if (!sees) return false;
        }
    }
    return true;
}

void FileConflictCheck::report(const FileAccess& made, const FileAccess& earlier) {
    // Of two writes that of the higher rank, whichever was read first; what reads comes behind.
    const bool turned =
        made.writes == earlier.writes ? made.process < earlier.process : !made.writes;
    const FileAccess& first = turned ? earlier : made;
    const FileAccess& second = turned ? made : earlier;
    const auto part = [](const FileAccess& access) {
        return std::string_view{access.writes ? "writes them" : "reads them"};
    };
    Finding* const finding = reporter_.report(
        FindingClass::FileConflict,
        Severity::Error,
        first.process,
        {{first.site, part(first)}, {second.site, part(second), true, second.process}});
    if (finding == nullptr) return;
    const bool own = first.process == second.process;
    const auto text = [&](const FileAccess& access) {
        return execution_.procedures[access.site.procedure.index()].name + " of process " +
               rank_number(execution_, access.process);
    };
    const ByteRange one = hull_of(first.bytes);
    const ByteRange two = hull_of(second.bytes);
    const std::string& file = execution_.files[static_cast<std::size_t>(first.file)].name;
    finding->message = text(first) + " and " + text(second) +
                       " access the same bytes of the file '" + file + "' (among bytes " +
                       std::to_string(std::max(one.low, two.low)) + " to " +
                       std::to_string(std::min(one.high, two.high) - 1) + "), and ";
    if (own && earlier.completed == FileAccess::kNever) {
        finding->message += "the earlier one is not completed when the later one begins.";
    } else if (own) {
        finding->message +=
            "by two handles of the file, of which first the one that wrote and then the other one "
            "has to call MPI_File_sync in between.";
    } else {
        finding->message +=
            "it is neither in atomic mode nor do they synchronise it with MPI_File_sync, then an "
            "operation that orders them, then MPI_File_sync again.";
    }
}

}  // namespace

void check_file_conflicts(const model::Recording& recording,
                          const std::vector<LocalProcedure>& procedures,
                          Footprints& footprints,
                          Reporter& reporter) {
    if (recording.execution().files.empty()) return;
    FileConflictCheck(recording, procedures, footprints, reporter).run();
}

}  // namespace mqinspect::analysis
