#include "mqs_dll/progress.h"

#include "mqs_dll/ch4_queues.h"

namespace mqinspect::dll {

Status count_progress(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      std::uint64_t& count) {
    std::int32_t value = 0;
    if (symbols.completion_count != 0) {
        const Status status = target.read_int(symbols.completion_count, value);
        if (ok(status)) count = static_cast<std::uint32_t>(value);
        return status;
    }
    if (layout.device != Device::Ch4 || layout.ch4.vci_progress < 0) return Status::NoInformation;
    Array<std::uint64_t> interfaces;
    Status status = find_interfaces(target, layout, symbols, interfaces);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; ok(status) && i < interfaces.size(); ++i) {
        status = target.read_int(
            interfaces[i] + static_cast<std::uint64_t>(layout.ch4.vci_progress), value);
        sum += static_cast<std::uint32_t>(value);
    }
    if (ok(status)) count = sum;
    return status;
}

}  // namespace mqinspect::dll
