/// Where types come from for an MPI library that was stripped of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/process_view.h"
#include "inspector/target/type_donor.h"

namespace mqinspect::snapshot {

/// Type donors (include/type_donor.h): those that the user names, which must fit, and
/// those of our installation, of which one that fits is taken if the MPI library has no
/// debug information. Borrows the image store.
class TypeSources {
public:
    /// `named`: files. The installation's are *.so in lib/mqinspect/types beside this
    /// program. Fails with InvalidArgument for a named file that is no donor.
    static Result<TypeSources> find(const std::vector<std::string>& named,
                                    target::ImageStore& images);

    /// Fails with InvalidArgument if a named donor does not fit the process.
    Result<Done> lend(target::ProcessView& view, const target::Memory& memory);

    /// Files whose types are in use.
    const std::vector<std::string>& used() const { return used_; }

private:
    void use(const target::TypeDonor& donor, target::ProcessView& view);
    const std::vector<target::TypeDonor>& installed();

    std::vector<target::TypeDonor> named_;
    target::ImageStore* images_ = nullptr;
    std::optional<std::vector<target::TypeDonor>> installed_;  ///< once they were needed
    std::vector<std::string> used_;
};

/// $MQI_TYPES: files, separated by colons.
std::vector<std::string> types_from_environment();

}  // namespace mqinspect::snapshot
