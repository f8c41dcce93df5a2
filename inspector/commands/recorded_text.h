/// From the calls of a recorded run to what the program's text declares of their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/program_text.h"
#include "inspector/commands/recorded_stacks.h"
#include "model/declared_buffer.h"
#include "model/execution.h"
#include "report/recorded_source.h"

namespace mqinspect::commands {

/// Reads the source line of a call and looks its variables up in the debug information. What is
/// not sure is not known: sources that have been written after the program was built, calls by
/// macros, expressions with calls of functions.
class RecordedText final : public analysis::ProgramText {
public:
    /// Borrows both.
    RecordedText(const model::Execution& execution, StackResolver& resolver)
        : execution_(execution), resolver_(resolver) {}

    const model::DeclaredBuffer* buffer(const model::RecordedCall& call,
                                        std::size_t parameter) override;
    bool has_returned(model::StackId call, model::StackId later) override;

private:
    using UserPlace = StackResolver::UserPlace;
    using Arguments = std::optional<std::vector<std::string>>;

    std::optional<model::DeclaredBuffer> find(const UserPlace& place,
                                              const model::Procedure& procedure,
                                              std::size_t parameter);
    Arguments arguments_at(const UserPlace& place, const model::Procedure& procedure);
    bool compare(const std::vector<model::CodePlace>& call,
                 const std::vector<model::CodePlace>& later);
    bool is_older(const std::string& source, const target::Image& image);

    const model::Execution& execution_;
    StackResolver& resolver_;
    report::SourceFiles sources_;
    std::map<int, std::optional<UserPlace>> places_;  ///< by StackId
    /// By image, address, procedure and parameter.
    std::map<std::tuple<const target::Image*, std::uint64_t, int, std::size_t>,
             std::optional<model::DeclaredBuffer>>
        buffers_;
    std::map<std::pair<int, int>, bool> returned_;               ///< by StackId
    std::map<std::pair<std::string, std::string>, bool> older_;  ///< by source and image
};

}  // namespace mqinspect::commands
