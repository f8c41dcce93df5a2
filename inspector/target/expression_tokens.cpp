#include "inspector/target/expression_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "inspector/target/expression_syntax.h"

namespace mqinspect::target {
namespace {

constexpr std::size_t kMaxLength = 4096;

// Longer operators first.
constexpr std::array<std::string_view, 29> kOperators = {
    "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<",
    ">",  "&",  "|",  "^",  "!",  "~",  "(",  ")",  "[",  "]", ".", ",", ":", "@"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kDotted = {{
    {".and.", "&&"},
    {".or.", "||"},
    {".not.", "!"},
    {".eq.", "=="},
    {".ne.", "!="},
    {".lt.", "<"},
    {".le.", "<="},
    {".gt.", ">"},
    {".ge.", ">="},
}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_name(char c) {
    return is_name_start(c) || is_digit(c);
}
std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(
        out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

class Splitter {
public:
    Splitter(std::string_view text, bool fortran) : text_(text), fortran_(fortran) {}

    Result<std::vector<Token>> run() {
        if (text_.size() > kMaxLength)
            return Error{ErrorCode::InvalidArgument, "the expression is longer than 4096 bytes"};
        for (;;) {
            while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
                ++at_;
            tokens_.push_back({});
            tokens_.back().position = at_;
            if (at_ == text_.size()) return std::move(tokens_);
            TRY(next(tokens_.back()));
        }
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    Result<Done> next(Token& token) {
        if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number(token);
        if (is_name_start(peek()) || (peek() == ':' && peek(1) == ':' && is_name_start(peek(2)))) {
            name(token);
            return Done{};
        }
        if (peek() == '\'') return character(token);
        return symbol(token);
    }

    void name(Token& token) {
        token.kind = Token::Kind::Name;
        const std::size_t start = at_;
        while (is_name(peek()) || (peek() == ':' && peek(1) == ':' && is_name_start(peek(2))))
            at_ += peek() == ':' ? std::size_t{2} : std::size_t{1};
        std::string_view name = text_.substr(start, at_ - start);
        if (name.starts_with("::")) name.remove_prefix(2);
        token.text = fortran_ ? lower(name) : std::string(name);
    }

    // Not the start of ".and.", as in "1.and.2".
    bool is_decimal_point() const {
        const char next = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1))));
        if (next == 'e' || (next == 'd' && fortran_))
            return is_digit(peek(2)) || peek(2) == '+' || peek(2) == '-';
        return !is_name_start(next) || next == 'f';
    }

    Result<Done> number(Token& token) {
        const std::size_t start = at_;
        const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        if (hexadecimal) at_ += 2;
        const std::size_t digits = at_;
        bool real = false;
        while (std::isxdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.') {
            const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(peek())));
            if (!hexadecimal && !is_digit(c) && c != '.' && c != 'e' && !(c == 'd' && fortran_))
                break;
            if (hexadecimal && c == '.') break;
            if (c == '.' && (real || !is_decimal_point())) break;
            if (!hexadecimal && (c == '.' || c == 'e' || c == 'd')) real = true;
            ++at_;
            if (!hexadecimal && (c == 'e' || c == 'd') && (peek() == '+' || peek() == '-')) ++at_;
        }
        std::string word = lower(text_.substr(digits, at_ - digits));
        while (peek() == 'u' || peek() == 'U' || peek() == 'l' || peek() == 'L') {
            (std::tolower(static_cast<unsigned char>(peek())) == 'u' ? token.is_unsigned
                                                                     : token.is_long) = true;
            ++at_;
        }
        if (real && (peek() == 'f' || peek() == 'F')) ++at_;
        if (is_name(peek()) || word.empty()) return error_at(start, "this is no number");
        return real ? read_real(token, std::move(word), start)
                    : read_integer(token, word, hexadecimal, start);
    }

    static Result<Done> read_real(Token& token, std::string word, std::size_t start) {
        std::ranges::replace(word, 'd', 'e');
        token.kind = Token::Kind::Real;
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), token.real);
        if (error != std::errc{} || end != word.data() + word.size())
            return error_at(start, "this is no number");
        return Done{};
    }

    Result<Done> read_integer(Token& token,
                              std::string_view word,
                              bool hexadecimal,
                              std::size_t start) const {
        const bool octal = !hexadecimal && !fortran_ && word.size() > 1 && word.front() == '0';
        token.kind = Token::Kind::Integer;
        const auto [end, error] = std::from_chars(word.data(),
                                                  word.data() + word.size(),
                                                  token.integer,
                                                  hexadecimal ? 16
                                                  : octal     ? 8
                                                              : 10);
        if (error == std::errc::result_out_of_range)
            return error_at(start, "the number does not fit into 64 bits");
        if (error != std::errc{} || end != word.data() + word.size())
            return error_at(start, "this is no number");
        return Done{};
    }

    Result<Done> character(Token& token) {
        const std::size_t start = at_++;
        token.kind = Token::Kind::Character;
        if (peek() == '\\') {
            ++at_;
            TRY(escape(token, start));
        } else {
            token.integer = static_cast<unsigned char>(peek());
            if (peek() == '\0' || peek() == '\'') return error_at(start, "an empty character");
            ++at_;
        }
        if (peek() != '\'') return error_at(start, "a character ends with '");
        ++at_;
        return Done{};
    }

    Result<Done> escape(Token& token, std::size_t start) {
        constexpr std::string_view letters = "abtnvfr";
        const char c = peek();
        const std::size_t letter = letters.find(c);
        if (c >= '0' && c <= '7') {
            for (int i = 0; i < 3 && peek() >= '0' && peek() <= '7'; ++i, ++at_)
                token.integer = token.integer * 8 + static_cast<std::uint64_t>(peek() - '0');
            return Done{};
        }
        if (c == '\0') return error_at(start, "a character ends with '");
        token.integer = letter == std::string_view::npos
                            ? std::uint64_t{static_cast<unsigned char>(c)}
                            : std::uint64_t{letter} + 7;
        ++at_;
        return Done{};
    }

    Result<Done> symbol(Token& token) {
        token.kind = Token::Kind::Operator;
        const std::string_view rest = text_.substr(at_);
        if (fortran_ && rest.front() == '.') {
            const std::string word = lower(rest.substr(0, 7));
            for (const auto& [dotted, meaning] : kDotted) {
                if (!word.starts_with(dotted)) continue;
                token.text = meaning;
                at_ += dotted.size();
                return Done{};
            }
            for (const bool value : {true, false}) {
                const std::string_view constant = value ? ".true." : ".false.";
                if (!word.starts_with(constant)) continue;
                token.kind = Token::Kind::Integer;
                token.integer = value ? 1 : 0;
                at_ += constant.size();
                return Done{};
            }
        }
        if (fortran_ && rest.starts_with("/=")) {
            token.text = "!=";
            at_ += 2;
            return Done{};
        }
        for (const std::string_view candidate : kOperators) {
            if (!rest.starts_with(candidate)) continue;
            token.text = fortran_ && candidate == "%" ? "." : candidate;
            at_ += candidate.size();
            return Done{};
        }
        return error_at(at_, fmt::format("'{}' means nothing here", printable(rest.front())));
    }

    static std::string printable(char c) {
        return c >= 0x20 && c < 0x7f ? std::string(1, c)
                                     : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }

    std::string_view text_;
    bool fortran_;
    std::size_t at_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> split_expression(std::string_view text, bool fortran) {
    return Splitter(text, fortran).run();
}

}  // namespace mqinspect::target
