/// A process that only this helper's parent can look into. Used in the helper process only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "inspector/mqs_host/channel.h"
#include "inspector/mqs_host/mqs_host.h"
#include "inspector/target/debug_symbols.h"
#include "inspector/target/memory.h"

namespace mqinspect::mqs_host {

/// Asks through the channel; what was answered is not asked again, since the process
/// stands still. Borrows the channel.
class AskedProcess final : public target::DebugSymbols, public target::Memory {
public:
    AskedProcess(Channel& channel, std::size_t process, const HostedProcess& original)
        : channel_(channel),
          process_(process),
          files_(original.view->loaded_files()),
          mpi_library_(original.view->mpi_library()),
          program_(original.view->program()) {}
    AskedProcess(const AskedProcess&) = delete;
    AskedProcess(AskedProcess&&) = delete;
    AskedProcess& operator=(const AskedProcess&) = delete;
    AskedProcess& operator=(AskedProcess&&) = delete;
    ~AskedProcess() override = default;

    std::optional<target::Address> find_symbol(std::string_view name) const override;
    const target::TypeLayout* find_type(std::string_view name) const override;
    LoadedFiles loaded_files() const override { return files_; }
    std::string mpi_library() const override { return mpi_library_; }
    std::string program() const override { return program_; }

    Result<Done> read(target::Address address, std::span<std::byte> destination) const override;

private:
    /// Empty: it cannot be read as a whole.
    const std::vector<std::byte>& page(std::uint64_t number) const;

    Channel& channel_;
    std::size_t process_;
    LoadedFiles files_;
    std::string mpi_library_;
    std::string program_;
    mutable std::map<std::string, std::optional<target::Address>, std::less<>> symbols_;
    mutable std::map<std::string, std::unique_ptr<target::TypeLayout>, std::less<>> types_;
    mutable std::unordered_map<std::uint64_t, std::vector<std::byte>> pages_;
};

}  // namespace mqinspect::mqs_host
