#include "inspector/debugger/held_ranks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "inspector/job/rank_environment.h"

namespace mqinspect::debugger {

namespace {

/// Of one process; more is no environment.
constexpr std::size_t kMaxVariables = 8192;
constexpr std::size_t kMaxVariableBytes = 4096;

/// The variables that `environ` leads to, each with its NUL, as /proc/PID/environ has them.
/// Those that are too long are left out.
std::string environment_of(const HeldProcess& process) {
    std::string text;
    auto symbol = process.find_symbol("__environ");
    if (!symbol) symbol = process.find_symbol("environ");
    if (!symbol) return text;
    const auto array = target::read_value<std::uint64_t>(process, *symbol);
    for (std::size_t i = 0; array && i < kMaxVariables; ++i) {
        const auto entry = target::read_value<std::uint64_t>(
            process, target::Address{*array} + i * sizeof(std::uint64_t));
        if (!entry || *entry == 0) break;
        const auto variable =
            target::read_string(process, target::Address{*entry}, kMaxVariableBytes);
        if (variable) (text += *variable) += '\0';
    }
    return text;
}

struct World {
    std::string name;
    int size = 0;
    int first = 0;
};

World& world_called(const std::string& name, std::vector<World>& worlds) {
    const auto found = std::ranges::find(worlds, name, &World::name);
    return found != worlds.end() ? *found : worlds.emplace_back(World{name});
}

}  // namespace

Result<HeldRanks> find_ranks(std::span<const HeldProcess* const> held) {
    std::vector<World> worlds;
    std::vector<job::RankEnvironment> environments;
    for (const HeldProcess* process : held) {
        auto environment = job::parse_rank_environment(environment_of(*process));
        const bool possible = environment && environment->rank >= 0 &&
                              environment->rank < job::kMaxWorldSize &&
                              environment->size.value_or(1) <= job::kMaxWorldSize;
        if (!possible) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} (pid {}) is no rank of an MPI job: no launcher has left "
                                     "its rank in the environment",
                                     process->name(),
                                     process->pid())};
        }
        World& world = world_called(environment->world, worlds);
        world.size = std::max({world.size, environment->size.value_or(0), environment->rank + 1});
        environments.push_back(*std::move(environment));
    }
    HeldRanks ranks;
    int first = 0;
    for (World& world : worlds) {
        world.first = std::exchange(first, first + world.size);
        ranks.world_sizes.push_back(world.size);
    }
    std::map<int, const HeldProcess*> taken;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const World& world = world_called(environments[i].world, worlds);
        mqs_host::HostedProcess process;
        process.rank = model::WorldRank(world.first + environments[i].rank);
        process.view = held[i];
        process.memory = held[i];
        process.ask_here = true;
        process.world_first = world.first;
        process.world_size = world.size;
        const auto [other, is_new] = taken.emplace(process.rank.value, held[i]);
        if (!is_new) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} and {} are both rank {}: they are not of one job",
                                     other->second->name(),
                                     held[i]->name(),
                                     environments[i].rank)};
        }
        ranks.processes.push_back(process);
    }
    return ranks;
}

}  // namespace mqinspect::debugger
