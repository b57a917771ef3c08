#include "cli/yaml_fields.h"

#include <gtest/gtest.h>

#include <limits>

namespace evenbench::cli {
namespace {

using std::chrono::seconds;

// The complaints that reading `yaml` through `read` causes, as "line: text".
std::vector<std::string> complaints_of(const std::string& yaml, std::vector<std::string> allowed,
                                       const std::function<void(Fields&)>& read) {
  Complaints complaints;
  Fields fields(YAML::Load(yaml), "load", std::move(allowed), complaints);
  read(fields);
  std::vector<std::string> out;
  for (const Complaint& c : complaints) out.push_back(std::to_string(c.line) + ": " + c.text);
  return out;
}

using Lines = std::vector<std::string>;

TEST(Fields, AnUnknownKeyNamesItsLineAndTheNearestKey) {
  EXPECT_EQ(complaints_of("rates: 1\narivals: poisson\n", {"rates", "arrivals"}, [](Fields&) {}),
            Lines{"2: unknown key 'load.arivals'; did you mean 'arrivals'?"});
}

TEST(Fields, AnUnknownKeyFarFromEveryKeyListsThoseThatAreKnown) {
  EXPECT_EQ(complaints_of("colour: red\n", {"rates", "arrivals"}, [](Fields&) {}),
            Lines{"1: unknown key 'load.colour'; known here: rates, arrivals"});
}

TEST(Fields, ARepeatedKeyIsRefusedAndNotSilentlyOverwritten) {
  EXPECT_EQ(complaints_of("rates: 1\nrates: 2\n", {"rates"}, [](Fields&) {}),
            Lines{"2: 'load.rates' is given twice"});
}

TEST(Fields, AMappingIsRequiredWhereOneIsMeant) {
  EXPECT_EQ(complaints_of("[1, 2]", {"rates"}, [](Fields&) {}),
            Lines{"1: load must be a mapping of keys and values, not a list"});
}

TEST(Fields, NumbersOutsideTheirRangeOrOfAnotherKindAreRefused) {
  const auto read = [](Fields& f) {
    EXPECT_EQ(f.whole("a", 1, 10), std::nullopt);
    EXPECT_EQ(f.whole("b", 1, 10), std::nullopt);
    EXPECT_EQ(f.number("c", 0, 1), std::nullopt);
    EXPECT_EQ(f.whole("absent", 1, 10), std::nullopt);
    EXPECT_EQ(f.whole("d", 1, 10), 7);
  };
  EXPECT_EQ(complaints_of("a: 11\nb: 2.5\nc: [1]\nd: 7\n", {"a", "b", "c", "d", "absent"}, read),
            (Lines{"1: load.a must be a whole number from 1 to 10, not '11'",
                   "2: load.b must be a whole number from 1 to 10, not '2.5'",
                   "3: load.c must be a number, not a list"}));
}

TEST(Fields, NotANumberAndInfinityAreNoNumbers) {
  const auto read = [](Fields& f) {
    EXPECT_EQ(f.number("a", 0, std::numeric_limits<double>::max()), std::nullopt);
    EXPECT_EQ(f.number("b", 0, std::numeric_limits<double>::max()), std::nullopt);
  };
  EXPECT_EQ(complaints_of("a: nan\nb: inf\n", {"a", "b"}, read).size(), 2U);
}

TEST(Fields, ADurationWithoutItsUnitSaysWhatADurationLooksLike) {
  const auto read = [](Fields& f) {
    EXPECT_EQ(f.duration("measure"), std::nullopt);
    EXPECT_EQ(f.duration("warmup"), seconds{30});
  };
  EXPECT_EQ(complaints_of("measure: 30\nwarmup: 30s\n", {"measure", "warmup"}, read),
            Lines{"1: load.measure must be a duration with its unit, such as 30s, 500ms or 5m, not "
                  "'30'"});
}

TEST(Fields, AWrongWordListsTheWordsAndGuessesTheOneMeant) {
  const auto read = [](Fields& f) {
    EXPECT_EQ(f.one_of("api", {"chat", "completions"}), std::nullopt);
    EXPECT_EQ(f.boolean("stream"), std::nullopt);
  };
  EXPECT_EQ(complaints_of("api: completion\nstream: maybe\n", {"api", "stream"}, read),
            (Lines{"1: load.api must be one of chat, completions, not 'completion'; did you mean "
                   "'completions'?",
                   "2: load.stream must be one of true, false, not 'maybe'"}));
}

TEST(Fields, ListsAndMappingsOfTextRefuseWhatIsNested) {
  const auto read = [](Fields& f) {
    EXPECT_EQ(f.texts("args"), (Lines{"--a", "--b"}));
    f.text_map("env", [](const std::string& name, const std::string& value) {
      EXPECT_EQ(name + "=" + value, "A=1");
    });
  };
  EXPECT_EQ(complaints_of("args: [--a, --b, [c]]\nenv: { A: 1, B: [2] }\n", {"args", "env"}, read),
            (Lines{"1: load.args must hold plain values, not a list",
                   "2: load.env must hold plain values"}));
}

}  // namespace
}  // namespace evenbench::cli
