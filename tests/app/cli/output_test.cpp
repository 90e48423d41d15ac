#include "app/cli/output.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::cli;

namespace {
Table table() {
    Table t;
    t.columns = {{"comm", Unit::none, "comm"},
                 {"time_ns", Unit::duration, "time"},
                 {"share", Unit::share, "share"},
                 {"hidden"}};
    t.rows = {{std::string("a,\"b\""), std::int64_t{1500}, 0.25, std::int64_t{7}},
              {std::string("caf\xE9"), {}, {}, {}}};
    return t;
}
} // namespace

TEST_CASE("csv is RFC 4180 with LF, and unknown is an empty cell") {
    CHECK(toCsv(table()) ==
          "comm,time_ns,share,hidden\n\"a,\"\"b\"\"\",1500,0.250000,7\ncaf\\xE9,,,\n");
}

TEST_CASE("case 51: bytes that are not UTF-8 leave every export valid") {
    CHECK(printable("caf\xE9") == "caf\\xE9");
    CHECK(printable("\xC3\xA9t\xC3\xA9") == "\xC3\xA9t\xC3\xA9");
    CHECK(printable("\xED\xA0\x80") == "\\xED\\xA0\\x80"); // a surrogate
    CHECK(printable("\xC0\xAF") == "\\xC0\\xAF");          // overlong
    CHECK(printable("a\tb\n") == "a\\x09b\\x0A");
}

TEST_CASE("case 49: names are no markup and no format") {
    Table t;
    t.columns = {{"comm", Unit::none, "comm"}};
    t.rows = {{std::string("<b>x</b>&%s%3\n")}};
    Presentation p;
    p.command = "x";
    CHECK(toText(t, p) == "comm\n<b>x</b>&%s%3\\x0A\n");
    CHECK(toJson(t, p) == "{\"command\":\"x\",\"warnings\":[],\"notes\":[],\"rows\":[\n{\"comm\":"
                          "\"<b>x</b>&%s%3\\n\"}\n]}\n");
}

TEST_CASE("json says null where a value is unknown") {
    Presentation p;
    p.command = "stats";
    p.warnings = {"lost \"3\""};
    const std::string json = toJson(table(), p);
    CHECK(json.find("\"warnings\":[\"lost \\\"3\\\"\"]") != std::string::npos);
    CHECK(json.find("{\"comm\":\"caf\\\\xE9\",\"time_ns\":null,\"share\":null,\"hidden\":null}") !=
          std::string::npos);
}

TEST_CASE("text is aligned, without tabs and trailing blanks") {
    CHECK(toText(table(), {}) == "comm         time   share\n"
                                 "a,\"b\"    1.500 us  25.0 %\n"
                                 "caf\\xE9         -       -\n");
}
