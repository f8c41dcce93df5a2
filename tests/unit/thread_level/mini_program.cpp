#include "tests/unit/thread_level/mini_program.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

namespace mqinspect::thread_level::test {
namespace {

struct Token {
    std::string text;
    std::uint32_t line = 0;
};

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    std::uint32_t line = 1;
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
               c == '$' || c == '?' || c == '-';
    };
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        if (is_word(c)) {
            while (end < text.size() && is_word(text[end]))
                ++end;
        }
        tokens.push_back({.text = std::string(text.substr(at, end - at)), .line = line});
        at = end;
    }
    tokens.push_back({.text = "", .line = line});
    return tokens;
}

const std::map<std::string, std::int64_t> kLevels = {
    {"SINGLE", 0}, {"FUNNELED", 1}, {"SERIALIZED", 2}, {"MULTIPLE", 3}};

const std::map<std::string, RegionKind> kConstructs = {{"parallel", RegionKind::Parallel},
                                                       {"single", RegionKind::Single},
                                                       {"master", RegionKind::Master},
                                                       {"masked", RegionKind::Masked},
                                                       {"sections", RegionKind::Sections},
                                                       {"section", RegionKind::Section},
                                                       {"for", RegionKind::Loop},
                                                       {"ordered", RegionKind::Ordered},
                                                       {"critical", RegionKind::Critical},
                                                       {"task", RegionKind::Task},
                                                       {"taskloop", RegionKind::Taskloop},
                                                       {"taskgroup", RegionKind::Taskgroup},
                                                       {"scope", RegionKind::Scope}};

const std::map<std::string, Condition> kGuards = {{"tid0", Condition::ThreadIsZero},
                                                  {"tid", Condition::ThreadIsOther},
                                                  {"other_tids", Condition::ThreadIsNotZero},
                                                  {"main_thread", Condition::IsMainThread},
                                                  {"not_main_thread", Condition::IsNotMainThread},
                                                  {"not_in_parallel", Condition::NotInParallel},
                                                  {"in_parallel", Condition::InParallel},
                                                  {"one_thread", Condition::OneThread},
                                                  {"several_threads", Condition::SeveralThreads},
                                                  {"provided", Condition::LevelAtLeast},
                                                  {"first_is", Condition::ArgumentIs},
                                                  {"first_is_not", Condition::ArgumentIsNot},
                                                  {"drew", Condition::DrewNumber}};

class Parser {
public:
    explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

    MiniProgram run() {
        file_ = unit().strings.intern("mini.c");
        while (!peek().empty())
            definition();
        return std::move(program_);
    }

private:
    Unit& unit() { return program_.unit; }
    Function& function() { return unit().functions.back(); }
    const std::string& peek() const { return tokens_[at_].text; }
    std::string take() { return tokens_[at_++].text; }
    bool accept(const std::string& text) {
        if (peek() != text) return false;
        ++at_;
        return true;
    }
    void expect(const std::string& text) {
        if (accept(text)) return;
        std::fprintf(stderr,
                     "line %u: '%s' expected, not '%s'\n",
                     tokens_[at_].line,
                     text.c_str(),
                     peek().c_str());
        std::abort();
    }
    StringId intern(const std::string& text) { return unit().strings.intern(text); }
    Place place() const {
        return {.file = file_, .line = tokens_[at_].line, .column = 1, .compiler = 0};
    }

    std::string in_parentheses() {
        expect("(");
        std::string text = take();
        expect(")");
        return text;
    }

    void definition() {
        if (peek() == "created" || peek() == "global" || peek() == "level") {
            variable();
            return;
        }
        unit().functions.emplace_back();
        function().place = place();
        for (;; ++at_) {
            if (peek() == "static") {
                function().is_local = true;
            } else if (accept("taken")) {
                function().address_taken = true;
                function().type = intern(peek());
            } else if (accept("slot")) {
                function().overrides.push_back(intern(peek()));
            } else if (accept("returns")) {
                static const std::map<std::string, Returns> kinds = {
                    {"tid", Returns::ThreadNumber},
                    {"size", Returns::TeamSize},
                    {"main", Returns::IsMainThread}};
                function().returns = kinds.at(peek());
            } else {
                break;
            }
        }
        function().symbol = function().name = intern(take());
        function().regions.emplace_back();
        expect("(");
        expect(")");
        open_ = {};
        region_ = 0;
        add(StepKind::Join);
        block();
        add(StepKind::Exit);
    }

    void variable() {
        Variable variable;
        const std::string kind = take();
        variable.name = intern(take());
        if (kind == "created") variable.creations = 1;
        if (kind == "level") {
            expect("=");
            variable.has_constant = true;
            variable.constant = kLevels.at(take());
        }
        unit().variables.push_back(variable);
    }

    StepId add(StepKind kind) {
        const auto id = static_cast<StepId>(function().steps.size());
        Step& step = function().steps.emplace_back();
        step.kind = kind;
        step.region = region_;
        step.place = place();
        for (const StepId before : open_)
            function().steps[before].next.push_back(id);
        open_ = {id};
        return id;
    }
    Step& last() { return function().steps.back(); }

    void block() {
        expect("{");
        while (!accept("}"))
            statement();
    }

    RegionId add_region(RegionKind kind) {
        const auto id = static_cast<RegionId>(function().regions.size());
        Region& region = function().regions.emplace_back();
        region.kind = kind;
        region.parent = region_;
        region.place = place();
        return id;
    }

    void construct(RegionKind kind) {
        const RegionId id = add_region(kind);
        const auto self = [&]() -> Region& { return function().regions[id]; };
        self().barrier_at_end = kind == RegionKind::Single || kind == RegionKind::Sections ||
                                kind == RegionKind::Loop || kind == RegionKind::Scope;
        while (peek() != "{") {
            if (accept("nowait")) {
                self().barrier_at_end = false;
            } else if (accept("undeferred")) {
                self().team = Team::Never;
            } else if (peek() == "in" || peek() == "out") {
                const bool writes = take() == "out";
                self().dependences.push_back({.on = value_in_parentheses(), .writes = writes});
            } else {
                const std::string word = in_parentheses();
                if (word == "never") self().team = Team::Never;
                if (word == "perhaps") self().team = Team::Perhaps;
                self().name = intern(word);
            }
        }
        const RegionId outer = region_;
        add(StepKind::Enter);
        last().target = id;
        const std::vector<StepId> enter = open_;
        region_ = id;
        std::vector<StepId> ends;
        if (kind == RegionKind::Sections) {
            expect("{");
            while (!accept("}")) {
                open_ = enter;
                statement();
                ends.insert(ends.end(), open_.begin(), open_.end());
            }
        } else if (kind == RegionKind::Loop || kind == RegionKind::Taskloop) {
            repeated();
            ends = open_;
        } else {
            block();
            ends = open_;
        }
        const bool is_skipped = kind == RegionKind::Single || kind == RegionKind::Master ||
                                kind == RegionKind::Masked || kind == RegionKind::Task;
        if (is_skipped) ends.insert(ends.end(), enter.begin(), enter.end());
        open_ = ends;
        region_ = outer;
        add(StepKind::Leave);
        last().target = id;
    }

    void turn(const std::string& word) {
        const std::map<std::string, Turn> turns = {{"set", Turn::Written},
                                                   {"count", Turn::Counted},
                                                   {"is_not", Turn::IsNot},
                                                   {"is", Turn::Is}};
        const bool is_write = word == "set" || word == "count";
        add(is_write ? StepKind::Release : StepKind::Acquire);
        expect("(");
        last().value = {.kind = Value::Kind::Global, .name = intern(take())};
        Value number{.kind = Value::Kind::Constant, .number = 1};
        if (word != "count") {
            expect(",");
            const std::string text = take();
            const bool is_parameter = text.front() == '$';
            if (is_parameter) number.kind = Value::Kind::Parameter;
            number.number = std::atoi(text.c_str() + (is_parameter ? 1 : 0));
        }
        expect(")");
        last().arguments = {number};
        if (is_write) last().arguments.push_back({.kind = Value::Kind::Constant});
        last().turn = turns.at(word);
    }

    void guard(Condition condition) {
        add(StepKind::Join);
        const std::vector<StepId> branch = open_;
        const RegionId id = add_region(RegionKind::Guard);
        Region& region = function().regions[id];
        region.condition = condition;
        if (condition == Condition::ArgumentIs || condition == Condition::ArgumentIsNot)
            region.tested.kind = Value::Kind::Parameter;
        if (peek() == "(") {
            const std::string word = in_parentheses();
            region.number = kLevels.count(word) != 0 ? kLevels.at(word) : std::atoi(word.c_str());
        }
        if (accept("by")) region.wrapper = intern(take());
        const RegionId outer = region_;
        region_ = id;
        block();
        region_ = outer;
        open_.insert(open_.end(), branch.begin(), branch.end());
        add(StepKind::Join);
    }

    void repeated() {
        const StepId head = add(StepKind::Join);
        block();
        for (const StepId end : open_)
            function().steps[end].next.push_back(head);
        open_ = {head};
    }

    void branch() {
        add(StepKind::Join);
        const std::vector<StepId> before = open_;
        block();
        std::vector<StepId> after = open_;
        open_ = before;
        if (accept("else")) block();
        open_.insert(open_.end(), after.begin(), after.end());
        add(StepKind::Join);
    }

    Value value_in_parentheses() {
        expect("(");
        const Value result = value();
        expect(")");
        return result;
    }

    Value value() {
        const std::string word = take();
        Value result;
        const auto after = [&word](const char* prefix) -> std::optional<std::string> {
            if (word.rfind(prefix, 0) != 0) return std::nullopt;
            return word.substr(std::string(prefix).size());
        };
        const auto named = [&](Value::Kind kind, const std::string& name) {
            result.kind = kind;
            result.name = intern(name);
        };
        if (word == "?") return result;
        if (word == "WORLD" || word == "SELF") {
            named(Value::Kind::Predefined, "MPI_COMM_" + word);
        } else if (word[0] == '$') {
            result.kind = Value::Kind::Parameter;
            result.number = std::atoi(word.c_str() + 1);
        } else if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '-') {
            result.kind = Value::Kind::Constant;
            result.number = std::atoi(word.c_str());
        } else if (kLevels.count(word) != 0) {
            result.kind = Value::Kind::Constant;
            result.number = kLevels.at(word);
        } else if (const auto made = after("new.")) {
            named(Value::Kind::Local, *made);
            result.created_once = result.is_shared = true;
        } else if (const auto shared = after("shared.")) {
            named(Value::Kind::Local, *shared);
            result.is_shared = true;
        } else if (const auto own = after("own.")) {
            named(Value::Kind::Local, *own);
        } else if (const auto each = after("each.")) {
            named(Value::Kind::Element, *each);
        } else if (const auto field = after("field.")) {
            named(Value::Kind::Element, "Type::" + *field);
        } else if (const auto mine = after("mine.")) {
            named(Value::Kind::Element, *mine);
            result.number = 1;
        } else {
            named(Value::Kind::Global, word);
        }
        return result;
    }

    void arguments(Step& step) {
        expect("(");
        while (!accept(")")) {
            step.arguments.push_back(value());
            accept(",");
        }
    }

    void procedure(const std::string& name) {
        const StepId id = add(StepKind::Mpi);
        function().steps[id].name = intern(name);
        if (!accept("(")) return;
        while (!accept(")")) {
            Step& step = function().steps[id];
            const std::string word = peek();
            if (tokens_[at_ + 1].text == "=") {
                at_ += 2;
                const Value given = value();
                if (word == "comm") step.mpi.communicator = given;
                if (word == "peer") step.mpi.peer = given;
                if (word == "tag") step.mpi.tag = given;
                if (word == "object") step.mpi.object = given;
            } else if (accept("tested")) {
                step.mpi.tests_provided = true;
            } else {
                step.mpi.level = value();
            }
            accept(",");
        }
    }

    void lock(StepKind kind, bool is_conditional) {
        std::vector<StepId> before;
        if (is_conditional) {
            add(StepKind::Join);
            before = open_;
        }
        const StepId id = add(kind);
        Step& step = function().steps[id];
        expect("(");
        if (is_conditional) {
            step.is_conditional = true;
            step.name = intern(take());
            expect(",");
        }
        step.value = value();
        expect(")");
        if (!is_conditional) return;
        open_.insert(open_.end(), before.begin(), before.end());
        add(StepKind::Join);
    }

    void conditional_call() {
        add(StepKind::Join);
        const std::vector<StepId> before = open_;
        const Value tested = value_in_parentheses();
        call(StepKind::Call, false);
        last().is_conditional = true;
        last().value = tested;
        open_.insert(open_.end(), before.begin(), before.end());
        add(StepKind::Join);
    }

    void call(StepKind kind, bool is_virtual) {
        const StepId id = add(kind);
        Step& step = function().steps[id];
        step.is_virtual = is_virtual;
        step.name = intern(take());
        if (peek() == "(") arguments(step);
        while (accept("handing"))
            step.callbacks.push_back(intern(take()));
    }

    void statement() {
        if (tokens_[at_ + 1].text == ":") {
            const std::string label = take();
            take();
            program_.labels[label] = {static_cast<FunctionId>(unit().functions.size() - 1),
                                      static_cast<StepId>(function().steps.size())};
        }
        const std::string word = take();
        if (const auto kind = kConstructs.find(word); kind != kConstructs.end()) {
            construct(kind->second);
        } else if (const auto condition = kGuards.find(word); condition != kGuards.end()) {
            guard(condition->second);
        } else if (word.rfind("MPI_", 0) == 0) {
            procedure(word);
        } else if (!simple_statement(word)) {
            std::fprintf(stderr, "line %u: '%s'?\n", tokens_[at_].line, word.c_str());
            std::abort();
        }
    }

    bool simple_statement(const std::string& word) {
        if (word == "maybe") {
            branch();
        } else if (word == "loop") {
            repeated();
        } else if (word == "barrier") {
            add(StepKind::Barrier);
        } else if (word == "taskwait") {
            add(StepKind::Taskwait);
        } else if (word == "return") {
            add(StepKind::Exit);
            open_ = {};
        } else if (word == "lock" || word == "lock_if") {
            lock(StepKind::Acquire, word == "lock_if");
        } else if (word == "unlock" || word == "unlock_if") {
            lock(StepKind::Release, word == "unlock_if");
        } else if (word == "is" || word == "is_not" || word == "set" || word == "count") {
            turn(word);
        } else if (word == "call") {
            call(StepKind::Call, false);
        } else if (word == "call_if") {
            conditional_call();
        } else if (word == "indirect") {
            call(StepKind::Indirect, false);
        } else if (word == "virtual") {
            call(StepKind::Indirect, true);
        } else if (word == "start") {
            call(StepKind::StartThread, false);
        } else if (word == "join") {
            add(StepKind::JoinThread);
        } else {
            return false;
        }
        return true;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    MiniProgram program_;
    StringId file_ = 0;
    RegionId region_ = 0;
    std::vector<StepId> open_;  // whose next step comes next
};

}  // namespace

MiniProgram parse(std::string_view text) {
    return Parser(text).run();
}

}  // namespace mqinspect::thread_level::test
