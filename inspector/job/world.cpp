#include "inspector/job/world.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "inspector/target/process_view.h"

namespace mqinspect::job {

namespace {

constexpr std::string_view kProxyName = "hydra_pmi_proxy";

std::string argument_after(const std::vector<std::string>& arguments, std::string_view option) {
    const auto found = std::ranges::find(arguments, option);
    if (found == arguments.end() || found + 1 == arguments.end()) return {};
    return *(found + 1);
}

}  // namespace

pid_t proxy_of(const ProcessTable& table, pid_t pid) {
    for (const pid_t ancestor : table.ancestors(pid)) {
        const auto* entry = table.find(ancestor);
        if (entry != nullptr && entry->name == kProxyName) return ancestor;
    }
    return 0;
}

std::string world_key(const ProcessTable& table, pid_t pid, const RankEnvironment& environment) {
    const pid_t proxy = proxy_of(table, pid);
    if (proxy == 0) return environment.world;
    // mpiexec opens one port for each of its process groups; the proxies of one
    // group, on whatever host, are told the same.
    const auto arguments = arguments_of(proxy);
    const std::string port = argument_after(arguments, "--control-port");
    if (port.empty()) return environment.world;
    return fmt::format("{} {}", port, argument_after(arguments, "--pgid"));
}

int world_group(const ProcessTable& table, pid_t pid) {
    const pid_t proxy = proxy_of(table, pid);
    if (proxy == 0) return 0;
    const std::string text = argument_after(arguments_of(proxy), "--pgid");
    int group = 0;
    std::from_chars(text.data(), text.data() + text.size(), group);
    return group;
}

std::vector<World> find_worlds(const ProcessTable& table, std::span<const pid_t> scope) {
    std::vector<World> worlds;
    for (const pid_t pid : scope) {
        const auto environment = rank_environment_of(pid);
        if (!environment) continue;
        std::string key = world_key(table, pid, *environment);
        auto world = std::ranges::find(worlds, key, &World::key);
        if (world == worlds.end()) {
            worlds.push_back({.key = std::move(key),
                              .group = world_group(table, pid),
                              .spawned = environment->spawned,
                              .size = environment->size,
                              .local_size = environment->local_size,
                              .ranks = {}});
            world = worlds.end() - 1;
        }
        world->ranks[environment->rank].push_back(pid);
    }
    std::ranges::stable_sort(worlds, {}, &World::group);
    return worlds;
}

bool is_mpi_process(pid_t pid, target::ImageStore& images) {
    if (maps_mpi_library(pid)) return true;
    const auto view = target::ProcessView::create(pid, images);
    return view && view->mpi_module() != nullptr;
}

pid_t choose_mpi_process(const ProcessTable& table,
                         std::span<const pid_t> pids,
                         target::ImageStore& images) {
    pid_t chosen = 0;
    for (const pid_t pid : pids) {
        const auto* entry = table.find(pid);
        if (entry == nullptr || entry->ended()) continue;
        if (chosen != 0 && !table.is_descendant(pid, chosen)) continue;
        if (!is_mpi_process(pid, images)) continue;
        if (chosen == 0 || !is_forked_copy(pid, chosen)) chosen = pid;
    }
    return chosen;
}

}  // namespace mqinspect::job
