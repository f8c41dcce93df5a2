#include "inspector/session/replace_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace mqinspect::session {

namespace {

namespace fs = std::filesystem;

Error failed(const std::string& file) {
    return Error{ErrorCode::System, "cannot write " + file + ": " + std::strerror(errno)};
}

Result<Done> write_into(const std::string& file, const std::function<void(std::ostream&)>& print) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    if (stream) print(stream);
    stream.close();
    if (!stream) return failed(file);
    return Done{};
}

}  // namespace

Result<Done> replace_file(const std::string& file, std::string_view text) {
    return replace_file(file, [&](std::ostream& out) { out << text; });
}

Result<Done> replace_file(const std::string& file,
                          const std::function<void(std::ostream&)>& print) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) return write_into(file, print);
    std::string place = file;
    if (fs::exists(status)) {
        const fs::path target = fs::canonical(file, error);
        if (!error) place = target;
    }
    const std::string fresh = place + ".new";
    TRY(write_into(fresh, print));
    if (std::rename(fresh.c_str(), place.c_str()) != 0) return failed(file);
    return Done{};
}

}  // namespace mqinspect::session
