#include "thread_level/facts/signature.h"

#include <gtest/gtest.h>

namespace mqinspect::thread_level {
namespace {

TEST(Signature, WhatPointersPointToTellsApart) {
    const std::string of_base = "v(" + pointer_to("Base") + "i4)";
    const std::string of_stream = "v(" + pointer_to("basic_ostream") + "i4)";

    EXPECT_TRUE(are_compatible(of_base, of_base));
    EXPECT_FALSE(are_compatible(of_base, of_stream));
    EXPECT_FALSE(are_compatible(of_base, "v(" + pointer_to("Base") + "i8)"));
    EXPECT_FALSE(are_compatible(of_base, "v(" + pointer_to("Base") + "i4p)"));
}

TEST(Signature, AnyPointerFits) {
    const std::string known = pointer_to("Base") + "(" + pointer_to("Key") + ")";

    EXPECT_TRUE(are_compatible(known, "p(p)"));
    EXPECT_TRUE(are_compatible("p(p)", known));
    EXPECT_TRUE(are_compatible(known, "p(" + pointer_to("Key") + ")"));
    EXPECT_FALSE(are_compatible(known, "p(o)"));
    EXPECT_FALSE(are_compatible(known, "p()"));
    EXPECT_FALSE(are_compatible("", known));
    EXPECT_EQ(shape_of_signature(known), "p(p)");
}

TEST(Signature, ReferencesAreNoPointers) {
    const std::string by_reference = reference_to("Base") + "(" + reference_to("Base") + ")";
    const std::string by_pointer = pointer_to("Base") + "(" + pointer_to("Base") + ")";

    EXPECT_TRUE(are_compatible(by_reference, by_reference));
    EXPECT_FALSE(are_compatible(by_reference, by_pointer));
    EXPECT_FALSE(are_compatible(by_reference, "V(V)"));
    EXPECT_FALSE(are_compatible("V(V)", by_reference));
    EXPECT_TRUE(are_compatible(by_reference, "p(p)"));
    EXPECT_EQ("p(p)", shape_of_signature(by_reference));
}

TEST(Signature, FunctionsHaveToBeCastToThoseOfVoidPointers) {
    const std::string known = "v(" + pointer_to("Base") + ")";

    EXPECT_TRUE(are_compatible("v(V)", "v(V)"));
    EXPECT_TRUE(are_compatible("v(V)", "v(p)"));
    EXPECT_TRUE(are_compatible("v(p)", "v(V)"));
    EXPECT_FALSE(are_compatible("v(V)", known));
    EXPECT_FALSE(are_compatible(known, "v(V)"));
    EXPECT_EQ("v(p)", shape_of_signature("v(V)"));
}

TEST(Signature, WhetherItTellsPointees) {
    EXPECT_TRUE(tells_pointees("v(i4" + pointer_to("Base") + ")"));
    EXPECT_TRUE(tells_pointees(reference_to("Base") + "()"));
    EXPECT_TRUE(tells_pointees("v(i4V)"));
    EXPECT_FALSE(tells_pointees("v(ppO" + letters_of("Base") + ";i4)"));
    EXPECT_FALSE(tells_pointees("v(OPPP;)"));
}

std::string member_of(std::initializer_list<const char*> classes) {
    std::string key = std::string("v(") + kObjectOf;
    for (const char* name : classes)
        key += letters_of(name);
    return key + kObjectEnd + "i4)";
}

TEST(Signature, MembersOfRelatedClassesFit) {
    const std::string of_base = member_of({"Base"});
    const std::string of_derived = member_of({"Derived", "Middle", "Base"});
    const std::string of_sibling = member_of({"Sibling", "Base"});

    EXPECT_TRUE(are_compatible(of_base, of_derived));
    EXPECT_TRUE(are_compatible(of_derived, of_base));
    EXPECT_FALSE(are_compatible(of_derived, of_sibling));
    EXPECT_FALSE(are_compatible(of_base, member_of({"Other"})));
    EXPECT_TRUE(are_compatible(of_base, "v(oi4)"));
    EXPECT_FALSE(are_compatible(of_base, "v(oi8)"));
    EXPECT_EQ("v(oi4)", shape_of_signature(of_derived));
}

TEST(Signature, DamagedOnesAreNothingSpecial) {
    EXPECT_EQ(shape_of_signature("P"), "p");
    EXPECT_FALSE(are_compatible("O", "O;i"));
    EXPECT_EQ("o", shape_of_signature("Oabc"));
    EXPECT_FALSE(are_compatible("Pab", pointer_to("Base") + "("));
    EXPECT_TRUE(are_compatible("P", "P"));
}

}  // namespace
}  // namespace mqinspect::thread_level
