/// A look at a job as a file, which another machine can show (docs/formats.md).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "inspector/session/session.h"

namespace mqinspect::session {

/// The snapshot, and of the verdict what cannot be worked out from it.
std::string print_findings(const Findings& findings);

/// It begins as print_findings does.
bool is_saved_findings(std::string_view text);

/// What print_findings was given. CorruptData with one line for the user: the text is not
/// of this kind, of a newer format, or not whole.
Result<Findings> parse_findings(std::string_view text);

/// As replace_file.
Result<Done> save_findings(const Findings& findings, const std::string& file);

/// As parse_findings; System: the file cannot be read. Errors name the file.
Result<Findings> load_findings(const std::string& file);

}  // namespace mqinspect::session
