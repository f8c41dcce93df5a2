#include "tracer/handles/handle_map.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::tracer {
namespace {

TEST(HandleMap, FindsWhatWasPut) {
    HandleMap map;
    int a = 0;
    int b = 0;
    EXPECT_EQ(nullptr, map.find(7));

    map.put(7, &a);
    map.put(0, &b);

    EXPECT_EQ(&a, map.find(7));
    EXPECT_EQ(&b, map.find(0));
    map.put(7, &b);
    EXPECT_EQ(&b, map.find(7));
}

TEST(HandleMap, ForgetsAndTakesHandlesAgain) {
    HandleMap map;
    int value = 0;
    for (int round = 0; round < 5000; ++round) {
        map.put(static_cast<std::uint64_t>(round), &value);
        map.remove(static_cast<std::uint64_t>(round));
    }

    EXPECT_EQ(nullptr, map.find(17));
    map.put(17, &value);
    EXPECT_EQ(&value, map.find(17));
    map.remove(123456);
}

TEST(HandleMap, ReadersSeeAValueWhileOthersAdd) {
    HandleMap map;
    std::vector<int> values(20000);
    map.put(1, values.data());
    std::thread writer([&] {
        for (std::size_t i = 2; i < values.size(); ++i)
            map.put(i, &values[i]);
    });

    for (int i = 0; i < 20000; ++i)
        ASSERT_EQ(values.data(), map.find(1));
    writer.join();

    EXPECT_EQ(&values[19999], map.find(19999));
}

}  // namespace
}  // namespace mqinspect::tracer
