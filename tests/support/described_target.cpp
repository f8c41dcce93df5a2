#include "tests/support/described_target.h"

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace mqinspect::test {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 20;

struct Line {
    std::string where;  ///< FILE:LINE
    std::string text;
    bool indented = false;

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(where + ": " + what);
    }
};

/// Words; a quoted string is one word with its quotes; '=' stands alone.
std::vector<std::string> words_of(const Line& line) {
    std::vector<std::string> words;
    std::istringstream stream(line.text);
    while (stream >> std::ws && stream.peek() != std::char_traits<char>::eof()) {
        std::string word;
        if (stream.peek() != '"') {
            stream >> word;
            words.push_back(std::move(word));
            continue;
        }
        stream.get();
        if (!std::getline(stream, word, '"') || stream.eof()) line.fail("a string has no end");
        words.push_back('"' + word);
    }
    return words;
}

void read_lines(const std::filesystem::path& file, std::vector<Line>& lines) {
    std::ifstream stream;
    stream.exceptions(std::ios::failbit | std::ios::badbit);
    stream.open(file);
    stream.exceptions(std::ios::goodbit);
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        Line line{file.filename().string() + ":" + std::to_string(number), text, false};
        line.indented = !text.empty() && text.front() == ' ';
        bool quoted = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"') quoted = !quoted;
            if (text[i] == '#' && !quoted) line.text.resize(i);
            if (line.text.size() != text.size()) break;
        }
        const std::vector<std::string> words = words_of(line);
        if (words.empty()) continue;
        if (words.front() != "include") {
            lines.push_back(std::move(line));
            continue;
        }
        if (words.size() != 2) line.fail("include takes a file");
        read_lines(file.parent_path() / words[1], lines);
    }
}

std::optional<std::uint64_t> number_in(std::string_view word) {
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    int base = 10;
    if (word.starts_with("0x")) {
        base = 16;
        word.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc{} || end != word.data() + word.size() || word.empty()) return {};
    return negative ? 0 - value : value;
}

/// A value of the width is the number, or the number's two's complement.
bool fits(std::uint64_t value, std::size_t bytes) {
    if (bytes >= 8) return true;
    const auto bits = static_cast<unsigned>(bytes * 8);
    return value >> bits == 0 || (~value) >> (bits - 1) == 0;
}

class Reader {
public:
    explicit Reader(DescribedTarget& result) : result_(result) {
        for (const auto& [name, bytes] : std::map<std::string, std::size_t>{{"char", 1},
                                                                            {"int8", 1},
                                                                            {"int16", 2},
                                                                            {"int32", 4},
                                                                            {"int64", 8},
                                                                            {"pointer", 8}}) {
            types_[name].bytes = bytes;
            types_[name].number = true;
        }
    }

    void read(const std::vector<Line>& lines) {
        for (const Line& line : lines)
            declare(line);
        for (const Assignment& assignment : assignments_)
            assign(assignment);
        for (const Line& line : later_)
            finish(line);
        tell_types();
        for (const Line& line : unknown_)
            forget(line);
    }

private:
    using Type = DescribedType;
    /// Something in memory: where, and what.
    struct Place {
        std::uint64_t address = 0;
        const Type* type = nullptr;
        std::size_t count = 1;
        bool array = false;
    };
    struct Assignment {
        Line line;
        std::string path;  ///< from an object
        std::vector<std::string> values;
    };

    const Type& type_named(const Line& line, const std::string& name) const {
        const auto found = types_.find(name);
        if (found == types_.end()) line.fail("no type " + name);
        return found->second;
    }

    static std::uint64_t number(const Line& line, const std::string& word) {
        const auto value = number_in(word);
        if (!value) line.fail(word + " is no number");
        return *value;
    }

    void declare(const Line& line) {
        const std::vector<std::string> words = words_of(line);
        if (line.indented) return declare_part(line, words);
        current_type_ = nullptr;
        current_object_.clear();
        const std::string& what = words.front();
        if (what == "type" || what == "hidden") return declare_type(line, words);
        if (what == "object" || what == "variable") return declare_object(line, words);
        if (what == "alias" && words.size() == 3) {
            aliases_[words[1]] = words[2];
            types_[words[1]] = type_named(line, words[2]);
        } else if (what == "symbol" || what == "unreadable") {
            later_.push_back(line);
        } else if (what == "unknown" && words.size() == 2) {
            unknown_.push_back(line);
        } else if (what == "debugger" && words.size() == 2 && words[1] == "invents-types") {
            result_.target.invents_types = true;
        } else if (what == "debugger" && words.size() == 2 && words[1] == "must-know-sizes") {
            result_.needs_sizes = true;
        } else if (what == "set" && (words.size() == 2 || (words.size() > 3 && words[2] == "="))) {
            if (!places_.contains(words[1])) line.fail("no object " + words[1]);
            current_object_ = words[1];
            if (words.size() > 2) {
                assignments_.push_back({line, words[1], {words.begin() + 3, words.end()}});
            }
        } else {
            line.fail("not understood");
        }
    }

    void declare_type(const Line& line, const std::vector<std::string>& words) {
        if (words.size() != 3) line.fail("a type has a name and a size");
        if (types_.contains(words[1])) line.fail(words[1] + " is there already");
        current_type_ = &types_[words[1]];
        current_type_->bytes = number(line, words[2]);
        if (words.front() == "type") told_.push_back(words[1]);
    }

    /// A member of a type, or a field of an object.
    void declare_part(const Line& line, const std::vector<std::string>& words) {
        if (!current_object_.empty()) {
            if (words.size() < 3 || words[1] != "=") line.fail("expected FIELD = VALUE");
            const std::string separator = words[0].starts_with('[') ? "" : ".";
            assignments_.push_back(
                {line, current_object_ + separator + words[0], {words.begin() + 2, words.end()}});
            return;
        }
        if (current_type_ == nullptr) line.fail("belongs to no type and no object");
        if (words.size() != 3) line.fail("expected MEMBER OFFSET TYPE");
        Type::Member member;
        member.offset = number(line, words[1]);
        member.type = words[2];
        if (const auto bracket = member.type.find('['); bracket != std::string::npos) {
            member.array = true;
            member.count =
                number(line, member.type.substr(bracket + 1, member.type.size() - bracket - 2));
            member.type.resize(bracket);
        }
        const std::size_t bytes = type_named(line, member.type).bytes * member.count;
        if (member.offset + bytes > current_type_->bytes) line.fail("lies beyond its type");
        if (!current_type_->members.emplace(words[0], member).second) {
            line.fail(words[0] + " is there already");
        }
    }

    void declare_object(const Line& line, const std::vector<std::string>& words) {
        if (words.size() < 3) line.fail("an object has a label and a type");
        const Type& type = type_named(line, words[2]);
        std::size_t next = 3;
        Place place{0, &type, 1, false};
        if (next < words.size() && words[next] != "=") {
            place.count = number(line, words[next++]);
            place.array = true;
        }
        if (!places_.emplace(words[1], place).second) line.fail(words[1] + " is there already");
        const std::size_t bytes = type.bytes * place.count;
        if (bytes > kRoom - result_.memory.used() - 16) line.fail("too much memory");
        const std::uint64_t address = result_.memory.allocate(bytes);
        places_[words[1]].address = address;
        result_.objects[words[1]] = {address, bytes};
        if (words.front() == "variable") result_.target.symbols[words[1]] = address;
        current_object_ = words[1];
        if (next == words.size()) return;
        if (next + 1 >= words.size()) line.fail("expected = VALUE");
        assignments_.push_back(
            {line, words[1], {words.begin() + static_cast<std::ptrdiff_t>(next) + 1, words.end()}});
    }

    /// LABEL, LABEL.member, LABEL[2].member[1] and so on.
    Place resolve(const Line& line, std::string_view path) const {
        std::size_t end = path.find_first_of(".[");
        const std::string label(path.substr(0, end));
        const auto object = places_.find(label);
        if (object == places_.end()) line.fail("no object " + label);
        Place place = object->second;
        while (end != std::string_view::npos && end < path.size()) {
            const std::size_t start = end + 1;
            if (path[end] == '[') {
                end = path.find(']', start);
                if (end == std::string_view::npos) line.fail("a bracket has no end");
                const std::uint64_t index =
                    number(line, std::string(path.substr(start, end - start)));
                if (!place.array || index >= place.count) line.fail("no such element");
                place = {place.address + index * place.type->bytes, place.type, 1, false};
                ++end;
                continue;
            }
            end = path.find_first_of(".[", start);
            const std::string name(path.substr(start, end - start));
            const auto member = place.type->members.find(name);
            if (place.array || member == place.type->members.end()) {
                line.fail("no member " + name);
            }
            const Type::Member& found = member->second;
            place = {
                place.address + found.offset, &types_.at(found.type), found.count, found.array};
        }
        return place;
    }

    std::uint64_t value_of(const Line& line, const std::string& word) const {
        if (!word.starts_with('&')) return number(line, word);
        const std::size_t plus = word.find('+');
        const std::uint64_t address = resolve(line, word.substr(1, plus - 1)).address;
        return plus == std::string::npos ? address : address + number(line, word.substr(plus + 1));
    }

    void assign(const Assignment& assignment) {
        const Line& line = assignment.line;
        const Place place = resolve(line, assignment.path);
        if (!place.type->number) line.fail("only numbers, pointers and strings have a value");
        if (assignment.values.front().starts_with('"')) {
            const std::string text = assignment.values.front().substr(1);
            if (place.type->bytes != 1 || text.size() > place.count) line.fail("no room for it");
            for (std::size_t i = 0; i < text.size(); ++i)
                result_.memory.store(place.address + i, text[i]);
            return;
        }
        if (assignment.values.size() > place.count) line.fail("more values than elements");
        std::uint64_t address = place.address;
        for (const std::string& word : assignment.values) {
            const std::uint64_t value = value_of(line, word);
            if (!fits(value, place.type->bytes)) line.fail(word + " does not fit");
            for (std::size_t i = 0; i < place.type->bytes; ++i) {
                result_.memory.store(address + i, static_cast<unsigned char>(value >> 8 * i));
            }
            address += place.type->bytes;
        }
    }

    void finish(const Line& line) {
        const std::vector<std::string> words = words_of(line);
        if (words.front() == "symbol") {
            if (words.size() != 4 || words[2] != "=") line.fail("expected symbol NAME = &PLACE");
            result_.target.symbols[words[1]] = value_of(line, words[3]);
            return;
        }
        if (words.size() != 2) line.fail("unreadable takes a place");
        const Place place = resolve(line, words[1]);
        for (std::size_t i = 0; i < place.type->bytes * place.count; ++i)
            result_.memory.forbid(place.address + i);
    }

    void tell_types() {
        for (const auto& [alias, name] : aliases_)
            told_.push_back(alias);
        for (const std::string& name : told_) {
            const Type& type = types_.at(name);
            StubType& told = result_.target.types[name];
            told.size = static_cast<int>(type.bytes);
            for (const auto& [field, member] : type.members)
                told.fields[field] = static_cast<int>(member.offset);
        }
    }

    /// Of a type, a member or a symbol the debugger is not to know.
    void forget(const Line& line) {
        const std::string name = words_of(line)[1];
        const std::size_t dot = name.find('.');
        auto& types = result_.target.types;
        std::size_t forgotten = 0;
        if (dot == std::string::npos) {
            forgotten = types.erase(name) + result_.target.symbols.erase(name);
        } else if (const auto type = types.find(name.substr(0, dot)); type != types.end()) {
            forgotten = type->second.fields.erase(name.substr(dot + 1));
        }
        if (forgotten == 0) line.fail("no type, member or symbol " + name);
    }

    DescribedTarget& result_;
    std::map<std::string, Type> types_;
    std::map<std::string, std::string> aliases_;
    std::vector<std::string> told_;  ///< types that the debugger knows
    std::map<std::string, Place, std::less<>> places_;
    std::vector<Assignment> assignments_;
    std::vector<Line> later_;
    std::vector<Line> unknown_;
    Type* current_type_ = nullptr;
    std::string current_object_;
};

}  // namespace

DescribedTarget::DescribedTarget(const std::filesystem::path& file) : memory(kRoom) {
    target.memory = &memory;
    std::vector<Line> lines;
    read_lines(file, lines);
    Reader(*this).read(lines);
}

}  // namespace mqinspect::test
