#include "inspector/target/expression_syntax.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "inspector/target/expression_tokens.h"

namespace mqinspect::target {
namespace {

/// Deeper nesting is no question that a person asks.
constexpr int kMaxDepth = 64;

struct Precedence {
    std::string_view text;
    int level = 0;
};
// As in C; gdb's "@" binds closer than any of them.
constexpr std::array<Precedence, 19> kBinary = {{
    {"@", 11}, {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
    {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6},
    {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1},
}};

constexpr int kNegation = 3;  // all but "&&" and "||"

constexpr std::array<std::string_view, 13> kTypeWords = {"unsigned",
                                                         "signed",
                                                         "int",
                                                         "long",
                                                         "short",
                                                         "char",
                                                         "float",
                                                         "double",
                                                         "void",
                                                         "const",
                                                         "struct",
                                                         "union",
                                                         "enum"};

bool is_type_word(const std::string& word) {
    return std::ranges::find(kTypeWords, word) != kTypeWords.end() || word == "class" ||
           word == "volatile";
}

// "unsigned int long" and all its orders, by one name each.
std::string basic_name(const std::vector<std::string>& words) {
    const auto count = [&words](std::string_view word) { return std::ranges::count(words, word); };
    const bool is_unsigned = count("unsigned") > 0;
    const std::string sign = is_unsigned ? "unsigned " : "";
    if (count("char") > 0) return count("signed") > 0 ? "signed char" : sign + "char";
    if (count("double") > 0) return count("long") > 0 ? "long double" : "double";
    if (count("float") > 0) return "float";
    if (count("void") > 0) return "void";
    if (count("short") > 0) return sign + "short";
    if (count("long") > 0) return sign + "long";
    return is_unsigned ? "unsigned int" : "int";
}

class Parser {
public:
    Parser(std::vector<Token> tokens,
           bool fortran,
           const std::function<bool(const std::string&)>& is_type)
        : tokens_(std::move(tokens)), fortran_(fortran), is_type_(is_type) {}

    Result<Expression> run() {
        Expression expression = TRY(binary(1));
        if (peek().kind != Token::Kind::End) return unexpected("an operator or the end");
        return expression;
    }

private:
    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    bool is_operator(std::string_view text, std::size_t ahead = 0) const {
        return peek(ahead).kind == Token::Kind::Operator && peek(ahead).text == text;
    }
    bool accept(std::string_view text) {
        if (!is_operator(text)) return false;
        ++at_;
        return true;
    }
    Error unexpected(std::string_view wanted) const {
        const Token& token = peek();
        if (token.kind == Token::Kind::End)
            return error_at(token.position, fmt::format("expected {} at the end", wanted));
        const std::string seen = token.text.empty() ? "this number" : "'" + token.text + "'";
        return error_at(token.position, fmt::format("expected {}, not {}", wanted, seen));
    }

    static Expression make(Expression::Kind kind, std::size_t position, std::string text = {}) {
        Expression expression;
        expression.kind = kind;
        expression.position = position;
        expression.text = std::move(text);
        return expression;
    }

    Result<Expression> binary(int lowest) {
        const Depth depth(depth_);
        if (depth_ > kMaxDepth) return error_at(peek().position, "nested too deeply");
        Expression left = TRY(unary());
        for (;;) {
            const Token& token = peek();
            const auto* const found = std::ranges::find(kBinary, token.text, &Precedence::text);
            if (token.kind != Token::Kind::Operator || found == kBinary.end() ||
                found->level < lowest) {
                return left;
            }
            // Chains lean to the left, and are walked from there.
            if (++operators_ > kMaxDepth) return error_at(token.position, "too many operators");
            Expression node = make(Expression::Kind::Binary, token.position, token.text);
            ++at_;
            Expression right = TRY(binary(found->level + 1));
            node.operands.push_back(std::move(left));
            node.operands.push_back(std::move(right));
            left = std::move(node);
        }
    }

    Result<Expression> unary() {
        const Depth depth(depth_);
        if (depth_ > kMaxDepth) return error_at(peek().position, "nested too deeply");
        const Token token = peek();
        for (const std::string_view text : {"*", "&", "-", "+", "!", "~"}) {
            if (!accept(text)) continue;
            Expression node = make(Expression::Kind::Unary, token.position, token.text);
            // Fortran's ".not." binds less than what it denies.
            const bool weak = fortran_ && text == "!";
            node.operands.push_back(weak ? TRY(binary(kNegation)) : TRY(unary()));
            return node;
        }
        if (token.kind == Token::Kind::Name && token.text == "sizeof") return size_of();
        if (is_operator("(") && starts_type(1)) {
            ++at_;
            Expression node = make(Expression::Kind::Cast, token.position);
            node.type = TRY(written_type());
            if (!accept(")")) return unexpected("')'");
            node.operands.push_back(TRY(unary()));
            return node;
        }
        return postfix();
    }

    bool starts_type(std::size_t ahead) const {
        const Token& token = peek(ahead);
        if (token.kind != Token::Kind::Name || fortran_) return false;
        return is_type_word(token.text) || is_type_(token.text);
    }

    Result<Expression> size_of() {
        Expression node = make(Expression::Kind::SizeOf, peek().position);
        ++at_;
        if (is_operator("(") && starts_type(1)) {
            ++at_;
            node.kind = Expression::Kind::SizeOfType;
            node.type = TRY(written_type());
            if (!accept(")")) return unexpected("')'");
            return node;
        }
        node.operands.push_back(TRY(unary()));
        return node;
    }

    Result<WrittenType> written_type() {
        WrittenType type;
        std::vector<std::string> words;
        while (peek().kind == Token::Kind::Name) {
            const std::string& word = peek().text;
            if (!is_type_word(word)) {
                type.name = word;
            } else if (word != "const" && word != "volatile") {
                words.push_back(word);
            }
            ++at_;
        }
        const bool tagged =
            !words.empty() && (words.front() == "struct" || words.front() == "union" ||
                               words.front() == "enum" || words.front() == "class");
        if (type.name.empty()) {
            if (words.empty() || tagged) return unexpected("the name of a type");
            type.name = basic_name(words);
        } else if (!words.empty() && !tagged) {
            return unexpected("one type");
        }
        for (;;) {
            if (peek().kind == Token::Kind::Name && peek().text == "const") {
                ++at_;
            } else if (accept("*")) {
                if (++type.stars > kMaxDepth) return error_at(peek().position, "nested too deeply");
            } else {
                return type;
            }
        }
    }

    Result<Expression> postfix() {
        Expression node = TRY(primary());
        for (;;) {
            const Token token = peek();
            if (++operators_ > 4 * kMaxDepth) return error_at(token.position, "too many operators");
            const bool call = fortran_ && is_operator("(");
            if (accept("[") || (call && accept("("))) {
                Expression outer = make(Expression::Kind::Subscripts, token.position);
                outer.operands.push_back(std::move(node));
                do {
                    outer.operands.push_back(TRY(subscript()));
                } while (accept(","));
                const std::string_view close = call ? ")" : "]";
                if (!accept(close)) return unexpected(fmt::format("'{}'", close));
                node = std::move(outer);
            } else if (is_operator(".") || is_operator("->")) {
                const bool arrow = token.text == "->";
                ++at_;
                if (peek().kind != Token::Kind::Name) return unexpected("the name of a member");
                Expression outer = make(arrow ? Expression::Kind::Arrow : Expression::Kind::Member,
                                        peek().position,
                                        peek().text);
                ++at_;
                outer.operands.push_back(std::move(node));
                node = std::move(outer);
            } else {
                return node;
            }
        }
    }

    Result<Expression> subscript() {
        const std::size_t position = peek().position;
        if (accept(":")) return make(Expression::Kind::Whole, position);
        Expression first = TRY(binary(1));
        if (!accept(":")) return first;
        Expression range = make(Expression::Kind::Range, position);
        range.operands.push_back(std::move(first));
        range.operands.push_back(TRY(binary(1)));
        return range;
    }

    Result<Expression> primary() {
        const Token token = peek();
        Expression node = make(Expression::Kind::Name, token.position, token.text);
        switch (token.kind) {
            case Token::Kind::Integer:
                node.kind = Expression::Kind::Integer;
                break;
            case Token::Kind::Real:
                node.kind = Expression::Kind::Real;
                break;
            case Token::Kind::Character:
                node.kind = Expression::Kind::Character;
                break;
            case Token::Kind::Name:
                if (is_type_word(token.text) && !fortran_) return unexpected("a value");
                break;
            default: {
                if (!accept("(")) return unexpected("a name, a number or '('");
                Expression inner = TRY(binary(1));
                if (!accept(")")) return unexpected("')'");
                return inner;
            }
        }
        node.integer = token.integer;
        node.real = token.real;
        node.is_long = token.is_long;
        node.is_unsigned = token.is_unsigned;
        ++at_;
        return node;
    }

    // Counts how deep calls are nested.
    class Depth {
    public:
        explicit Depth(int& depth) : depth_(depth) { ++depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        ~Depth() { --depth_; }

    private:
        int& depth_;
    };

    std::vector<Token> tokens_;
    bool fortran_;
    const std::function<bool(const std::string&)>& is_type_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int operators_ = 0;
};

}  // namespace

Error error_at(std::size_t position, std::string_view what) {
    return {ErrorCode::InvalidArgument, fmt::format("at column {}: {}", position + 1, what)};
}

Result<Expression> parse_expression(std::string_view text,
                                    bool fortran,
                                    const std::function<bool(const std::string&)>& is_type) {
    std::vector<Token> tokens = TRY(split_expression(text, fortran));
    if (tokens.size() == 1) return Error{ErrorCode::InvalidArgument, "an expression is missing"};
    return Parser(std::move(tokens), fortran, is_type).run();
}

}  // namespace mqinspect::target
