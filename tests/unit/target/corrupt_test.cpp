// Damaged files: any answer is right, a crash or an endless walk is not.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "inspector/target/frame_rules.h"
#include "inspector/target/frame_variables.h"
#include "inspector/target/image.h"
#include "inspector/target/name_index.h"
#include "inspector/target/scopes.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {
namespace {

std::string bytes_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// What the variables of a frame are made of.
void ask_for_names(Image& image) {
    if (const NameIndex* names = image.names()) {
        for (const auto kind : {NameIndex::Kind::Variable, NameIndex::Kind::Type})
            names->find(kind, "outer_object", 0x1100);
    }
    Module module;
    module.image = &image;
    for (std::uint64_t address = 0x1000; address < 0x1400; address += 29) {
        used_variable(module, address, "x");
        for (const LocalVariable& variable : visible_variables(module, address)) {
            ValueType type = type_of_entry(module, variable.die);
            for (int depth = 0; depth < 8; ++depth) {
                type_name(type);
                shape_of(type);
                type = target_of(type);
            }
        }
    }
}

// A file that exists only while it is tried.
void ask_everything(const std::string& bytes) {
    const int fd = memfd_create("damaged", MFD_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    const auto image = Image::open(fmt::format("/proc/self/fd/{}", fd), "damaged");
    if (image) {
        for (const char* name : {"Outer", "Anonymous", "ElsewhereAlias", "NoSuchType", "int"})
            (*image)->find_type(name);
        ask_for_names(**image);
        (*image)->find_symbol("outer_object");
        (*image)->has_symbol_table();
        for (std::uint64_t address = 0x1000; address < 0x1400; address += 7) {
            (*image)->function_at(address);
            (*image)->location_at(address);
            (*image)->frame_rules()->at(address);
            if (ScopeIndex* scopes = (*image)->scopes()) {
                scopes->variable(address, "x");
                scopes->frame_base(address);
                scopes->call_site(address);
            }
        }
    }
    close(fd);
}

TEST(DamagedFile, OfAnyLength) {
    const std::string good = bytes_of(FIXTURE_TYPES);
    ASSERT_GT(good.size(), 1000U);
    for (std::size_t i = 0; i <= 100; ++i)
        ask_everything(good.substr(0, good.size() * i / 100));
    for (std::size_t length = 0; length < 128; ++length)
        ask_everything(good.substr(0, length));
}

TEST(DamagedFile, WithRandomBytes) {
    for (const char* path : {FIXTURE_TYPES, FIXTURE_TYPES_4}) {
        const std::string good = bytes_of(path);
        std::mt19937 random(1);
        for (int round = 0; round < 150; ++round) {
            SCOPED_TRACE(fmt::format("{} round {}", path, round));
            std::string damaged = good;
            const std::size_t count = 1 + random() % 64;
            for (std::size_t i = 0; i < count; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            ask_everything(damaged);
        }
    }
}

TEST(DamagedFile, WithDamagedHeaders) {
    const std::string good = bytes_of(FIXTURE_TYPES);
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        std::string damaged = good;
        // The file header and the program headers, or the section headers.
        const std::size_t start = round % 2 == 0 ? 0 : good.size() - 2048;
        for (int i = 0; i < 3; ++i)
            damaged[start + random() % 2048] = static_cast<char>(random());
        ask_everything(damaged);
    }
}

}  // namespace
}  // namespace mqinspect::target
