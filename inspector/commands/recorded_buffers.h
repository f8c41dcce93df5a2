/// From the calls of a recorded run to what the program's text declares of their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "inspector/commands/recorded_stacks.h"
#include "model/declared_buffer.h"
#include "model/execution.h"
#include "report/recorded_source.h"

namespace mqinspect::commands {

/// Reads the source line of a call and looks its variables up in the debug information. What is
/// not sure is not known: sources that have been written after the program was built, calls by
/// macros, expressions with calls of functions.
class RecordedBuffers {
public:
    /// Borrows both.
    RecordedBuffers(const model::Execution& execution, StackResolver& resolver)
        : execution_(execution), resolver_(resolver) {}

    /// Null: not known. Valid as long as this object.
    const model::DeclaredBuffer* of(const model::RecordedCall& call, std::size_t parameter);

private:
    using UserPlace = StackResolver::UserPlace;
    using Arguments = std::optional<std::vector<std::string>>;

    std::optional<model::DeclaredBuffer> find(const UserPlace& place,
                                              const model::Procedure& procedure,
                                              std::size_t parameter);
    Arguments arguments_at(const UserPlace& place, const model::Procedure& procedure);
    bool is_older(const std::string& source, const target::Image& image);

    const model::Execution& execution_;
    StackResolver& resolver_;
    report::SourceFiles sources_;
    std::map<int, std::optional<UserPlace>> places_;  ///< by StackId
    /// By image, address, procedure and parameter.
    std::map<std::tuple<const target::Image*, std::uint64_t, int, std::size_t>,
             std::optional<model::DeclaredBuffer>>
        buffers_;
    std::map<std::pair<std::string, std::string>, bool> older_;  ///< by source and image
};

}  // namespace mqinspect::commands
