#include "inspector/doctor/doctor.h"

#include "inspector/doctor/checks.h"

namespace mqinspect::doctor {

std::vector<Check> examine(const Subject& subject) {
    std::vector<Check> checks = {
        check_stopping(), check_rights(), check_priority(), check_dll(subject)};
    for (Check& check : check_mpi(subject))
        checks.push_back(std::move(check));
    checks.push_back(check_watchpoints());
    checks.push_back(check_core_files());
    checks.push_back(check_cache());
    return checks;
}

}  // namespace mqinspect::doctor
