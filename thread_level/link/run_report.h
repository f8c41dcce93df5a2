/// What recorded runs of a program show: the files that its run-time checks write. See
/// thread_level/checks/checks.h for their form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thread_level/link/finding.h"

namespace mqinspect::thread_level::link {

class RunReports {
public:
    /// A file, or a folder of files, each of one process.
    void read(const std::string& path);

    /// The text of one file. A last line that was cut off is left out.
    void add(const std::string& file, std::string_view text);

    /// Says of each finding whose calls have run-time checks what the runs tell of it, and what
    /// level MPI provided: the lowest.
    void apply(const Unit& program, Report& report);

    bool is_empty() const { return reports_ == 0; }

    /// A line each.
    const std::vector<std::string>& problems() const { return problems_; }

private:
    /// In the order of what it proves.
    enum class Meeting : std::uint8_t { None, InSomeTurn, Unordered, Overlapped };
    using Key = std::string;                   ///< of a call: procedure, line, column and file
    using Sites = std::map<std::size_t, Key>;  ///< of one process, by its numbers

    bool add_line(std::string_view line, Sites& sites);
    bool add_site(std::string_view fields, Sites& sites);
    bool add_context(std::string_view fields, const Sites& sites);
    bool add_pair(std::string_view fields, const Sites& sites);
    Meeting meeting_of(const std::vector<Key>& calls, bool with_any) const;
    Evidence evidence_of(const Finding& finding) const;

    std::map<Key, int> contexts_;  // the highest level that a call of each site needed
    std::map<std::pair<Key, Key>, Meeting> meetings_;
    std::optional<Level> provided_;
    std::size_t reports_ = 0;
    std::vector<std::string> problems_;
};

}  // namespace mqinspect::thread_level::link
