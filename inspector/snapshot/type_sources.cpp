#include "inspector/snapshot/type_sources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace mqinspect::snapshot {

namespace {

namespace fs = std::filesystem;

/// In the order of their names, so that every run takes the same.
std::vector<fs::path> installed_files() {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    const fs::path folder = here.parent_path() / "lib/mqinspect/types";
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".so") files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

Result<TypeSources> TypeSources::find(const std::vector<std::string>& named,
                                      target::ImageStore& images) {
    TypeSources sources;
    for (const std::string& file : named)
        sources.named_.push_back(TRY(target::open_donor(file, images)));
    sources.images_ = &images;
    return sources;
}

const std::vector<target::TypeDonor>& TypeSources::installed() {
    if (!installed_) {
        installed_.emplace();
        for (const fs::path& file : installed_files()) {
            auto donor = target::open_donor(file, *images_);
            if (donor) installed_->push_back(std::move(*donor));
        }
    }
    return *installed_;
}

void TypeSources::use(const target::TypeDonor& donor, target::ProcessView& view) {
    view.borrow_types(donor.image);
    if (std::ranges::find(used_, donor.image->path()) == used_.end()) {
        used_.push_back(donor.image->path());
    }
}

Result<Done> TypeSources::lend(target::ProcessView& view, const target::Memory& memory) {
    for (const target::TypeDonor& donor : named_) {
        TRY(target::check_donor(donor, view, memory));
        use(donor, view);
    }
    const target::Module* library = view.mpi_module();
    if (!named_.empty() || library == nullptr || library->image->has_debug_info()) return Done{};
    const auto fits = [&](const target::TypeDonor& donor) {
        return target::check_donor(donor, view, memory).has_value();
    };
    const auto donor = std::ranges::find_if(installed(), fits);
    if (donor != installed().end()) use(*donor, view);
    return Done{};
}

std::vector<std::string> types_from_environment() {
    const char* list = std::getenv("MQI_TYPES");
    std::vector<std::string> files;
    for (std::string_view rest = list == nullptr ? "" : list; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) files.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return files;
}

}  // namespace mqinspect::snapshot
