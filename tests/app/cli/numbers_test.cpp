#include "model/format/numbers.h"

#include <doctest/doctest.h>

using namespace twolane;

TEST_CASE("times of the command line are exact to the nanosecond") {
    CHECK(parseTime("12.5ms") == 12'500'000);
    CHECK(parseTime("3us") == 3'000);
    CHECK(parseTime("1.2s") == 1'200'000'000);
    CHECK(parseTime("0.5") == 500'000'000);
    CHECK(parseTime("17ns") == 17);
    CHECK(parseTime("2218816.767894977") == 2218816767894977);
    CHECK(parseTime("17584.921558") == 17584921558000);
    CHECK(parseTime("1.10") == 1'100'000'000);
    CHECK(parseTime(".5s") == 500'000'000);
    CHECK(parseTime("-1us") == -1'000);
    CHECK(parseTime("9223372036.854775807") == INT64_MAX);
}

TEST_CASE("what is no time is refused") {
    for (const char* text : {"", "s", ".", "ms", "1m", "1,5", "1e3", "0x10", "1.2.3",
                             "9223372036.854775808", "1.0000000001", "1 s", "--1"})
        CHECK_FALSE(parseTime(text));
}

TEST_CASE("case 22: one routine shows times, with carry and zero padding") {
    CHECK(formatSeconds(1234999999501, 1'000) == "1235.000000");
    CHECK(formatSeconds(1000010000, 1'000) == "1.000010");
    CHECK(formatSeconds(99176715281005, 1) == "99176.715281005");
    CHECK(formatSeconds(-1, 1) == "-0.000000001");
    CHECK(formatSeconds(0, 1) == "0.000000000");
}

TEST_CASE("no digit is shown that the file did not have") {
    CHECK(formatDuration(1234567, 1) == "1.235 ms");
    CHECK(formatDuration(1234, 1) == "1.234 us");
    CHECK(formatDuration(1234, 1000) == "1 us");
    CHECK(formatDuration(999, 1) == "999 ns");
    CHECK(formatDuration(15060880132, 1) == "15.061 s");
    CHECK(formatDuration(999999999, 1) == "1000.000 ms");
    CHECK(formatDuration(-8000, 1) == "-8.000 us");
    CHECK(formatCount(1234567) == "1 234 567");
    CHECK(formatCount(12) == "12");
}
