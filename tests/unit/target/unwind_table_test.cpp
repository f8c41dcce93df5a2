#include "inspector/target/unwind_table.h"

#include <fcntl.h>

#include <vector>

#include <gelf.h>
#include <gtest/gtest.h>

#include "base/unique_fd.h"

namespace mqinspect::target {
namespace {

struct Function {
    std::uint64_t begin;
    std::uint64_t end;
};

class File {
public:
    explicit File(const char* path) : fd_(open(path, O_RDONLY | O_CLOEXEC)) {
        elf_version(EV_CURRENT);
        elf_ = elf_begin(fd_.get(), ELF_C_READ, nullptr);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { elf_end(elf_); }

    Elf* elf() const { return elf_; }
    std::vector<Function> functions() const {
        std::vector<Function> functions;
        for (Elf_Scn* section = elf_nextscn(elf_, nullptr); section != nullptr;
             section = elf_nextscn(elf_, section)) {
            GElf_Shdr header;
            gelf_getshdr(section, &header);
            if (header.sh_type != SHT_SYMTAB) continue;
            Elf_Data* const data = elf_getdata(section, nullptr);
            GElf_Sym symbol;
            for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i)
                if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size != 0)
                    functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
        }
        return functions;
    }

private:
    UniqueFd fd_;
    Elf* elf_ = nullptr;
};

TEST(UnwindTable, FunctionsBeginWhereTheirSymbolsSay) {
    for (const char* program : {FIXTURE_WAITER_O0, FIXTURE_WAITER_O2, FIXTURE_WAITER_FIXED}) {
        const File file(program);
        std::size_t known = 0;
        for (const auto& [begin, end] : file.functions()) {
            const auto found = begin_of_code(file.elf(), begin);
            // Functions without frame information are in the piece before them.
            if (!found || *found != begin) continue;
            ++known;
            EXPECT_EQ(begin_of_code(file.elf(), end - 1), begin);
        }
        EXPECT_GT(known, 8U) << program;
        EXPECT_EQ(begin_of_code(file.elf(), 0), std::nullopt);
    }
}

TEST(UnwindTable, FilesWithoutItHaveNone) {
    EXPECT_EQ(begin_of_code(nullptr, 1), std::nullopt);
    std::vector<char> header(sizeof(Elf64_Ehdr));
    Elf* const elf = elf_memory(header.data(), header.size());
    EXPECT_EQ(begin_of_code(elf, 1), std::nullopt);
    elf_end(elf);
}

}  // namespace
}  // namespace mqinspect::target
