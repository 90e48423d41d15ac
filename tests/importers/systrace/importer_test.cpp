// Pages and compressed output of systrace, written by hand.
#include "importers/load.h"
#include "importers/systrace/compressed_text.h"
#include "importers/systrace/script_text.h"
#include "importers/systrace/systrace_importer.h"
#include "tests/importers/ftrace_text/text_support.h"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace twolane;
using namespace twolane::tests;

namespace {

using Calls = std::vector<std::string>;

const std::string plain =
    "# tracer: nop\n#\n"
    "            alba-4101  (-----) [000] d..2    20.000000: sched_switch: prev_comm=alba "
    "prev_pid=4101 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
    "           brezo-4103  ( 4100) [001] d..4    20.000100: sched_wakeup: comm=alba pid=4101 "
    "prio=120 success=1 target_cpu=000\n"
    "          <idle>-0     (-----) [000] d..2    20.000150: sched_switch: prev_comm=swapper/0 "
    "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=alba next_pid=4101 next_prio=120\n";
const Calls told{"switch alba:4101:120 S > swapper/0:0:120", "wakeup alba:4101:120 cpu0",
                 "switch swapper/0:0:120 R > alba:4101:120"};

// What a viewer has in front of the trace: it speaks of traces too.
const std::string viewer =
    "<!DOCTYPE html>\n<html>\n<head>\n<title>Android System Trace</title>\n<script>\n"
    "function f(t) { return /^# tracer:/.test(t) || t == 'sched_switch: prev_comm=x'; }\n"
    "function g() { if (linuxPerfData) return document.querySelectorAll('.trace-data'); }\n"
    "# tracer: not this one\n"
    "  <script class=\"trace-data\" type=\"application/text\">\n# tracer: nor this\n</script>\n"
    "</script>\n</head>\n<body>\n";

std::string page(const std::string& text) {
    return viewer +
           "<!-- BEGIN TRACE -->\n"
           "  <script class=\"trace-data\" type=\"application/json\">\n{\"a\": 1}\n  </script>\n"
           "  <script class=\"trace-data\" type=\"application/text\">\nUSER PID\nroot 1\n"
           "  </script>\n"
           "  <script class=\"trace-data\" type=\"application/text\">\n" +
           text + "  </script>\n<!-- END TRACE -->\n</body>\n</html>\n";
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\n')
            result += "\\n\\\n";
        else if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

std::string script(const std::string& text) {
    return viewer + "  <script>\n  var linuxPerfData = \"\\\n" + escaped(text) +
           "           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\\n\";\n"
           "  </script>\n</body>\n</html>\n";
}

std::string deflated(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::string packed(size, '\0');
    REQUIRE(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                      reinterpret_cast<const Bytef*>(text.data()), text.size(), 6) == Z_OK);
    packed.resize(size);
    return packed;
}

std::unique_ptr<Reading> readSystrace(const std::string& bytes, const LoadOptions& options = {}) {
    auto reading = std::make_unique<Reading>();
    MemorySource source(bytes, "test.html");
    ImportContext context{reading->sink, reading->info, reading->diagnostics, {}, {}};
    if (Status status = SystraceImporter().read(source, options, context); !status)
        reading->error = status.error();
    return reading;
}

Confidence sniff(const std::string& bytes) {
    SourceProbe probe;
    probe.head = std::as_bytes(std::span(bytes.data(), std::min<std::size_t>(bytes.size(), 65536)));
    return SystraceImporter().sniff(probe);
}

} // namespace

TEST_CASE("a page with the trace in a script element of its own") {
    const auto reading = readSystrace(page(plain));
    REQUIRE_MESSAGE(!reading->error, reading->error->message());
    CHECK(reading->sink.calls == told);
    CHECK(reading->diagnostics.empty());
    CHECK(reading->info.formatDetail == "HTML, trace-data");
    CHECK(sniff(page(plain)) == Confidence::certain);
    CHECK(sniff(plain) == Confidence::none);
    CHECK(sniff("<html><body>hello</body></html>") == Confidence::possible);
}

TEST_CASE("a page with the trace in a string of JavaScript") {
    const auto reading = readSystrace(script(plain));
    REQUIRE_MESSAGE(!reading->error, reading->error->message());
    CHECK(reading->sink.calls == told); // without the dummy at 0 s
    CHECK(reading->diagnostics.empty());
    CHECK(reading->info.formatDetail == "HTML, linuxPerfData");
    CHECK(sniff(script(plain)) == Confidence::certain);
}

TEST_CASE("such a string without its page") {
    const auto reading = readSystrace(escaped(plain));
    CHECK(reading->sink.calls == told);
    CHECK(reading->info.formatDetail == "linuxPerfData without its page");
    CHECK(sniff(escaped(plain)) == Confidence::certain);
}

TEST_CASE("output of atrace -z, and plain output of atrace") {
    for (const std::string before :
         {"TRACE:\n", "capturing trace... done\nTRACE:\n", "x\nTRACE:\r\n"}) {
        const auto reading = readSystrace(before + deflated(plain));
        REQUIRE_MESSAGE(!reading->error, reading->error->message());
        CHECK(reading->sink.calls == told);
        CHECK(reading->diagnostics.empty());
        CHECK(sniff(before + deflated(plain)) == Confidence::certain);
    }
    const auto reading = readText("capturing trace... done\nTRACE:\n" + plain);
    CHECK(reading->sink.calls == told);
    CHECK(reading->diagnostics.empty());
    CHECK(sniff("TRACE:\n" + plain) == Confidence::none);
}

TEST_CASE("compressed text that is cut, damaged or too long") {
    std::string longer;
    for (int i = 0; i < 3000; ++i)
        longer += "            alba-4101  (-----) [000] d..2    " + std::to_string(20 + i) + "." +
                  std::to_string(100000 + i * 7919 % 899999) + ": mark: x\n";
    const std::string packed = deflated(longer);
    auto reading = readSystrace("TRACE:\n" + packed.substr(0, packed.size() / 2));
    REQUIRE_MESSAGE(!reading->error, reading->error->message());
    CHECK(reading->sink.headers.size() > 100);
    CHECK(reading->sink.headers.size() < 3000);
    CHECK(reading->diagnostics.count("cut_off") >= 1);

    std::string damaged = packed;
    damaged.replace(damaged.size() / 2, 64, std::string(64, '\xff'));
    reading = readSystrace("TRACE:\n" + damaged);
    CHECK((reading->error || reading->diagnostics.count("damaged") == 1));

    reading = readSystrace("TRACE:\n\x78nonsense");
    REQUIRE(reading->error);
    CHECK_FALSE(reading->error->remedy.empty());

    // Small bytes that become many.
    const std::string letters = deflated(std::string(1 << 20, 'a'));
    MemorySource source(letters, "letters");
    const auto most = inflateText(source, 0, 1 << 20, {});
    REQUIRE(most.ok());
    CHECK(most->text.size() == 1 << 20);
    const auto tooLong = inflateText(source, 0, (1 << 20) - 1, {});
    REQUIRE_FALSE(tooLong.ok());
    CHECK(tooLong.error().what.find("1048575") != std::string::npos);
}

TEST_CASE("places are told by the lines of the page") {
    const std::string text = plain + "            alba-4101  (-----) [000] d..2    21.000000: "
                                     "sched_switch: prev_comm=alba\n";
    for (const std::string& whole : {page(text), script(text)}) {
        const std::size_t at = whole.find("21.000000");
        const auto line =
            1 + std::count(whole.begin(), whole.begin() + static_cast<long>(at), '\n');
        const auto reading = readSystrace(whole);
        REQUIRE(reading->diagnostics.find("unreadable_events"));
        CHECK(reading->diagnostics.find("unreadable_events")->first ==
              "line " + std::to_string(line));
    }
}

TEST_CASE("a viewer of more lines than are looked at first") {
    const std::string many = std::string(200000, '\n');
    std::string whole = page(plain);
    whole.insert(whole.find("<!-- BEGIN"), many);
    CHECK(readSystrace(whole)->sink.calls == told);
    auto events = SystraceImporter().openEvents(std::make_unique<MemorySource>(whole), {});
    REQUIRE(events.ok());
    REQUIRE((*events)->count() == 3);
    CHECK((*events)->at(0)->name == "sched_switch");
}

TEST_CASE("pages that are cut off, or hold no trace") {
    const std::string whole = page(plain);
    const auto cut = readSystrace(whole.substr(0, whole.find("[000] d..2    20.000150")));
    REQUIRE_FALSE(cut->error);
    CHECK(cut->sink.calls == Calls(told.begin(), told.begin() + 2));
    CHECK(cut->diagnostics.count("cut_off") == 1);
    for (const std::string& text :
         {viewer, viewer + "<!-- BEGIN TRACE -->\n<!-- END TRACE -->\n", std::string("<html>\n")}) {
        const auto reading = readSystrace(text);
        REQUIRE(reading->error);
        CHECK(reading->error->what.find("no trace") != std::string::npos);
        CHECK_FALSE(reading->error->remedy.empty());
    }
    REQUIRE(readSystrace("hello")->error);
}

TEST_CASE("escapes of JavaScript strings") {
    const auto unescape = [](const std::string& text) {
        MemorySource source(text);
        auto result = readScriptString(source, 0, {});
        REQUIRE(result.ok());
        return *result;
    };
    CHECK(unescape("a\\n\\\nb\\n\";\nrest") == "a\nb\n");
    CHECK(unescape("a\\n\\\r\nb\" ;") == "a\nb");
    CHECK(unescape("a\\\"b\\\\c\\'d\\/e\\qf") == "a\"b\\c'd/eqf");
    CHECK(unescape("\\t\\r\\b\\f\\v") == "\t\r\b\f\v");
    CHECK(unescape("\\x41\\u00e9\\u20ac\\x4") == "A\xc3\xa9\xe2\x82\xacx4");
    CHECK(unescape("\\u12") == "u12");
    CHECK(unescape("a\\\\n\\\nb") == "a\\nb"); // an escaped backslash before an n
    CHECK(unescape("a \"quoted\" word\\n\";") == "a \"quoted\" word\n");
    CHECK(unescape("a\n  </script>\nb") == "a\n");
    CHECK(unescape("a\\") == "a");
    CHECK(unescape("") == "");
    CHECK(unescape(std::string(70000, 'a') + "\nb").ends_with("KiB)\nb"));
}

TEST_CASE("recognised through the one door, and the single events too") {
    for (const std::string& bytes :
         {page(plain), script(plain), escaped(plain), "TRACE:\n" + deflated(plain)}) {
        const TemporaryFile file(bytes);
        const auto trace = load(file.path(), {}, {}, {});
        REQUIRE_MESSAGE(trace.ok(), trace.error().message());
        CHECK((*trace)->info.format == "systrace");
        CHECK((*trace)->eventCount == 3);
        const auto waits = waitsOf(**trace, 4101);
        REQUIRE(waits.size() == 1);
        CHECK(lengthOf(waits[0]) == us(50));
        auto events = openEvents(file.path(), {});
        REQUIRE(events.ok());
        REQUIRE((*events)->count() == 3);
        CHECK((*events)->at(1)->task == "brezo");
        CHECK((*events)->at(1)->header.time == us(20000100));
    }
    // A page whose first bytes are any viewer's.
    std::string large = page(plain);
    large.insert(large.find("<title>"), "<script>\n" + std::string(100000, ' ') + "\n</script>\n");
    const TemporaryFile file(large);
    const auto trace = load(file.path(), {}, {}, {});
    REQUIRE_MESSAGE(trace.ok(), trace.error().message());
    CHECK((*trace)->info.format == "systrace");
    CHECK_FALSE(openEvents("/nowhere/page.html", {}).ok());
}
