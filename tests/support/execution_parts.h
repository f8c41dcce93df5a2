/// What the calls of a recording in tests refer to: worlds, communicators, datatypes, ...
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/execution.h"
#include "tests/support/execution_text.h"

namespace mqinspect::test {

/// The definitions of an Execution, and the names by which statements call them.
class ExecutionParts {
public:
    ExecutionParts(model::Execution& execution, int processes);

    void add_world(int size);
    /// "communicator", "row members=[0,1]"; see execution_builder.h.
    void add_thing(const std::string& kind, const std::string& text);
    /// Precondition: the name is in execution_procedures.cpp.
    model::ProcedureId procedure_id(const std::string& name);
    model::StackId stack_id(const std::string& place);
    /// A value as a statement writes it; requests and messages are not known here.
    std::int64_t number(model::ParameterKind kind,
                        const std::string& text,
                        model::ProcessId process);

private:
    using Names = std::map<std::string, std::int64_t, std::less<>>;

    void add_communicator(std::string name, const Fields& fields);
    void add_datatype(const std::string& text);
    void add_operator(const std::string& name, const Fields& fields);
    void add_window(const std::string& name, const Fields& fields);
    std::int64_t text_id(const std::string& text);
    std::int64_t communicator(const std::string& text, model::ProcessId process) const;

    model::Execution& execution_;
    Names communicators_;
    Names datatypes_;
    Names operators_;
    Names windows_;
    Names files_;
    std::map<std::string, model::ProcedureId, std::less<>> procedures_;
    std::map<std::string, model::StackId, std::less<>> stacks_;
};

}  // namespace mqinspect::test
