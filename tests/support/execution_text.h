/// Splitting the statements of execution_builder.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mqinspect::test {

using Fields = std::vector<std::pair<std::string, std::string>>;  ///< name=value, in order

std::string trimmed(std::string text);
/// At the separators that are outside of brackets, parentheses and quotes; trimmed, no empty ones.
std::vector<std::string> split(const std::string& text, char separator);
/// "[a, b]" to "a" and "b"; without brackets one element; empty: none.
std::vector<std::string> list_of(const std::string& text);
/// "a=1, b=[2,3]", separated by `separator`.
Fields fields_of(const std::string& text, char separator);

struct ProcessAndThread {
    int process = 0;
    int thread = 0;
};

/// "0", "0-2,5", "*", "1/2".
std::vector<ProcessAndThread> processes_of(const std::string& text, int processes);

}  // namespace mqinspect::test
