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

TEST(Signature, DamagedOnesAreNothingSpecial) {
    EXPECT_EQ(shape_of_signature("P"), "p");
    EXPECT_FALSE(are_compatible("Pab", pointer_to("Base") + "("));
    EXPECT_TRUE(are_compatible("P", "P"));
}

}  // namespace
}  // namespace mqinspect::thread_level
