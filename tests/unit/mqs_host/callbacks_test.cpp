// Which processes share the DLL's handles.

#include "inspector/mqs_host/callbacks.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::mqs_host {
namespace {

class LoadedAt final : public target::DebugSymbols {
public:
    explicit LoadedAt(LoadedFiles loaded) : loaded_(std::move(loaded)) {}
    std::optional<target::Address> find_symbol(std::string_view /*name*/) const override {
        return {};
    }
    const target::TypeLayout* find_type(std::string_view /*name*/) const override {
        return nullptr;
    }
    LoadedFiles loaded_files() const override { return loaded_; }
    std::string mpi_library() const override { return "library"; }
    std::string program() const override { return "program"; }

private:
    LoadedFiles loaded_;
};

constexpr int kProgram = 0;
constexpr int kLibrary = 0;
constexpr int kOther = 0;

/// The handles of two processes, and how often a type was searched for.
class Two {
public:
    Two(const LoadedAt& first, const LoadedAt& second)
        : hosted_{hosted(first), hosted(second)},
          handles_(hosted_, [this](std::size_t /*process*/, const std::string& /*name*/) {
              ++searches_;
              return std::make_unique<target::TypeLayout>();
          }) {}

    int searches_for_a_type() {
        for (const mqs_process_& process : handles_.processes())
            process.image->types->find("MPIR_Request");
        return searches_;
    }
    bool share_image() { return handles_.images().size() == 1; }

private:
    static HostedProcess hosted(const LoadedAt& view) {
        HostedProcess process;
        process.view = &view;
        return process;
    }

    std::array<HostedProcess, 2> hosted_;
    int searches_ = 0;
    Handles handles_;
};

// Linux 6.7 and later: libraries of over 2 MiB go to where a large page fits.
TEST(Handles, FilesAreTheSameWhateverTheirOrderInMemory) {
    const LoadedAt first({{&kProgram, 1}, {&kLibrary, 2}, {&kOther, 3}});
    const LoadedAt second({{&kProgram, 4}, {&kOther, 5}, {&kLibrary, 6}});
    Two two(first, second);

    EXPECT_EQ(1, two.searches_for_a_type());
    EXPECT_FALSE(two.share_image()) << "their symbols are elsewhere";
}

TEST(Handles, FilesAtTheSamePlacesShareTheirSymbols) {
    const LoadedAt first({{&kProgram, 1}, {&kLibrary, 2}, {&kOther, 3}});
    const LoadedAt second({{&kProgram, 1}, {&kOther, 3}, {&kLibrary, 2}});
    Two two(first, second);

    EXPECT_TRUE(two.share_image());
}

TEST(Handles, OtherFilesHaveOtherTypes) {
    const LoadedAt first({{&kProgram, 1}, {&kLibrary, 2}});
    const LoadedAt second({{&kProgram, 1}, {&kOther, 2}});
    Two two(first, second);

    EXPECT_EQ(2, two.searches_for_a_type());
}

}  // namespace
}  // namespace mqinspect::mqs_host
