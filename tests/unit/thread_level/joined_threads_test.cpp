#include "thread_level/analysis/joined_threads.h"

#include <string>

#include <gtest/gtest.h>

namespace mqinspect::thread_level::test {
namespace {

using Kind = Value::Kind;

class JoinedThreads : public testing::Test {
protected:
    Operand known_by(Kind kind, const std::string& name, FunctionId owner = 0) {
        Operand operand;
        operand.value.kind = kind;
        operand.value.name = strings_.intern(name);
        operand.owner = owner;
        return operand;
    }
    bool may_be_same(const Operand& a, const Operand& b) const {
        const bool answer = may_be_same_thread(a, b, strings_);
        EXPECT_EQ(answer, may_be_same_thread(b, a, strings_));
        return answer;
    }

    Strings strings_;
};

TEST_F(JoinedThreads, VariablesAreToldApart) {
    const Operand net = known_by(Kind::Local, "net@3");

    EXPECT_TRUE(may_be_same(net, net));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Local, "net@33")));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Local, "net@3", 1)));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Global, "net")));
    EXPECT_TRUE(may_be_same(net, {}));
}

TEST_F(JoinedThreads, ElementsAreAsFarAsTheirIndicesAreConstants) {
    const Operand any = known_by(Kind::Local, "t@3");

    EXPECT_TRUE(may_be_same(any, known_by(Kind::Local, "t@3.1")));
    EXPECT_TRUE(may_be_same(any, known_by(Kind::Element, "t@3")));
    EXPECT_FALSE(may_be_same(known_by(Kind::Local, "t@3.0"), known_by(Kind::Local, "t@3.1")));
}

TEST_F(JoinedThreads, MembersAreOfAnyObject) {
    const Operand net = known_by(Kind::Element, "Pool::net");
    Operand handed = known_by(Kind::Local, "pool@3");
    handed.field = strings_.intern("Pool::net");

    EXPECT_TRUE(may_be_same(net, known_by(Kind::Local, "pool@3.net")));
    EXPECT_TRUE(may_be_same(net, known_by(Kind::Local, "pool@3.?")));
    EXPECT_TRUE(may_be_same(net, handed));
    EXPECT_TRUE(may_be_same(handed, known_by(Kind::Local, "pool@3.net")));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Local, "pool@3.workers.2")));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Element, "Pool::workers")));
    EXPECT_FALSE(may_be_same(net, known_by(Kind::Local, "net@3")));
    EXPECT_FALSE(may_be_same(handed, known_by(Kind::Local, "pool@3.workers")));
}

TEST_F(JoinedThreads, ParametersAreToldByTheirPositions) {
    const Operand first = known_by(Kind::Parameter, "");
    Operand second = first;
    second.value.number = 1;

    EXPECT_TRUE(may_be_same(first, first));
    EXPECT_FALSE(may_be_same(first, second));
    EXPECT_FALSE(may_be_same(first, known_by(Kind::Local, "net@3")));
    EXPECT_TRUE(may_be_same(first, known_by(Kind::Global, "net")));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
