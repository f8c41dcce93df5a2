#include "tests/support/recorded_folder.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace mqinspect::testing {
namespace {

std::vector<std::int64_t> flat(const model::Procedure& procedure,
                               std::span<const model::Value> values) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (model::is_list(procedure.parameters[i].kind)) {
            numbers.insert(numbers.end(), values[i].list.begin(), values[i].list.end());
        } else {
            numbers.push_back(values[i].number);
        }
    }
    return numbers;
}

}  // namespace

RecordedFolder::RecordedFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "mqinspect-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
}

RecordedFolder::~RecordedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void RecordedFolder::write(std::string_view name, const std::vector<std::uint8_t>& bytes) const {
    std::ofstream file(path_ / name, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::uint8_t> RecordedFolder::read(std::string_view name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<KeptCall> all_calls(const model::Recording& recording, int process) {
    std::vector<KeptCall> calls;
    const auto stream = recording.calls(model::ProcessId(process));
    model::RecordedCall call;
    while (stream->next(call)) {
        const model::Procedure& procedure =
            recording.execution().procedures[call.procedure.index()];
        calls.push_back(
            {call, procedure.name, flat(procedure, call.before), flat(procedure, call.after)});
    }
    return calls;
}

}  // namespace mqinspect::testing
