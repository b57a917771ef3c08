#include "cli/spec_yaml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/demo.h"
#include "cli/spec_print.h"
#include "cli/visit_agreement.h"

namespace evenbench::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSmall = R"(evenbench: 1
systems:
  - { name: a, engine: openai, attach: { url: "http://127.0.0.1:8000" } }
load:
  ladder: { rates: [1, 2.5] }
)";

std::string refusal(std::string_view yaml) {
  const auto spec = parse_spec(yaml, "s.yaml");
  if (spec) return "accepted";
  EXPECT_EQ(spec.error().code, ErrorCode::kUsage);
  return spec.error().message;
}

// kSmall with one line put in behind line `after`.
std::string with(int after, std::string_view line) {
  std::string out(kSmall);
  std::size_t at = 0;
  for (int i = 0; i < after; ++i) at = out.find('\n', at) + 1;
  out.insert(at, std::string(line) + "\n");
  return out;
}

TEST(SpecYaml, ASmallSpecGetsEveryDefault) {
  const Spec spec = parse_spec(kSmall, "s.yaml").value();
  ASSERT_EQ(spec.systems.size(), 1U);
  EXPECT_EQ(spec.systems[0].attach_url, "http://127.0.0.1:8000");
  ASSERT_EQ(spec.steps.size(), 2U);
  EXPECT_DOUBLE_EQ(spec.steps[1].rate.per_second(), 2.5);
  EXPECT_EQ(spec.steps[0].measure, 60s);
  EXPECT_EQ(spec.steps[0].arrivals.law, arrivals::Law::kPoisson);
  EXPECT_EQ(spec.seed, 42U);
  EXPECT_EQ(spec.client.workers, 1U);
  EXPECT_EQ(spec.limits.connect, 10s);
  EXPECT_EQ(spec.limits.total, 0s);
}

TEST(SpecYaml, CredentialsAndRemoteAreReadAndSurvivePrinting) {
  const std::string yaml = R"(evenbench: 1
credentials: { key_env: ALL_KEY, base_url_env: MY_BASE, env_file: keys.env }
systems:
  - { name: a, engine: openai, attach: {}, key_env: A_KEY, remote: true }
  - { name: b, engine: sim }
load:
  ladder: { rates: [1] }
)";
  const Spec first = parse_spec(yaml, "s.yaml").value();
  for (const Spec& spec : {first, parse_spec(print_spec(first), "printed").value()}) {
    EXPECT_EQ(spec.credentials.key_env, "ALL_KEY");
    EXPECT_EQ(spec.credentials.base_url_env, "MY_BASE");
    EXPECT_EQ(spec.credentials.env_file, "keys.env");
    EXPECT_TRUE(spec.systems[0].address_from_env);
    EXPECT_FALSE(spec.systems[0].launched);
    EXPECT_EQ(spec.systems[0].key_env, "A_KEY");
    EXPECT_EQ(spec.systems[0].remote, true);
    EXPECT_EQ(spec.systems[1].remote, std::nullopt);
    EXPECT_FALSE(spec.systems[1].address_from_env);
  }
  const Spec plain = parse_spec(kSmall, "s.yaml").value();
  EXPECT_EQ(plain.credentials.base_url_env, "TAOTOKEN_BASE_URL");
  EXPECT_FALSE(plain.systems[0].address_from_env);
}

TEST(SpecYaml, AKeyInThePlaceOfItsVariablesNameIsRefusedAndNotRepeated) {
  const std::string all = refusal(with(1, "credentials: { key_env: sk-secret-1 }"));
  EXPECT_NE(all.find("s.yaml:2: credentials.key_env must be the name"), std::string::npos) << all;
  const std::string one = refusal(
      "evenbench: 1\nsystems:\n  - { name: a, engine: openai, attach: { url: \"http://h\" }, "
      "key_env: sk-secret-1 }\nload: { ladder: { rates: [1] } }\n");
  EXPECT_NE(one.find("key_env must be the name"), std::string::npos) << one;
  EXPECT_EQ((all + one).find("secret"), std::string::npos);
}

TEST(SpecYaml, ALaunchedSystemIsNeverRemote) {
  const std::string said = refusal(
      "evenbench: 1\nsystems:\n  - { name: a, engine: sim, remote: true }\n"
      "load: { ladder: { rates: [1] } }\n");
  EXPECT_NE(said.find("remote is of attached systems"), std::string::npos) << said;
}

TEST(SpecYaml, AMisspeltKeyIsRefusedWithItsLineAndTheNearestOne) {
  EXPECT_EQ(refusal(with(5, "blokcs: 5")),
            "s.yaml:6: unknown key 'blokcs'; did you mean 'blocks'?");
  const std::string inner = refusal(with(4, "  closed: { concurency: [1] }"));
  EXPECT_NE(inner.find("s.yaml:5: unknown key 'load.closed.concurency'"), std::string::npos)
      << inner;
  EXPECT_NE(inner.find("'concurrency'"), std::string::npos) << inner;
}

TEST(SpecYaml, AWrongTypeOrAnImpossibleValueNamesTheLineAndWhatIsRight) {
  EXPECT_NE(refusal(with(5, "blocks: many")).find("s.yaml:6: blocks must be"), std::string::npos);
  EXPECT_NE(refusal(with(5, "client: { workers: 0 }")).find("s.yaml:6: client.workers"),
            std::string::npos);
  EXPECT_NE(refusal(with(5, "limits: { idle: 30 }")).find("s.yaml:6: limits.idle"),
            std::string::npos);
  EXPECT_NE(refusal(with(4, "  closed: { concurrency: 4, ramp: fast }")).find("s.yaml:5"),
            std::string::npos);
}

TEST(SpecYaml, EveryComplaintComesInOneGoInOrderOfLines) {
  const std::string all = refusal(with(5, "blokcs: 5\nworkers: x\nsead: 1"));
  EXPECT_LT(all.find("s.yaml:6:"), all.find("s.yaml:7:"));
  EXPECT_LT(all.find("s.yaml:7:"), all.find("s.yaml:8:"));
}

TEST(SpecYaml, WhatIsNotYamlIsSaidWithItsLine) {
  EXPECT_NE(refusal("evenbench: 1\nsystems: [\n").find("s.yaml:"), std::string::npos);
  EXPECT_NE(refusal("just text").find("s.yaml"), std::string::npos);
  EXPECT_NE(refusal("").find("s.yaml"), std::string::npos);
}

TEST(SpecYaml, ASystemNeedsExactlyOneWayToBeReached) {
  const auto system = [](std::string_view rest) {
    return refusal(fmt::format(
        "evenbench: 1\nsystems:\n  - {{ name: a, {} }}\nload: {{ ladder: {{ rates: [1] }} }}\n",
        rest));
  };
  EXPECT_NE(system("engine: vllm").find("needs launch"), std::string::npos);
  EXPECT_NE(system("engine: vllm, launch: { native: x }, attach: { url: \"http://h:1\" }")
                .find("both launch and attach"),
            std::string::npos);
  EXPECT_NE(system("engine: vlm, launch: { native: x }").find("vllm"), std::string::npos);
  EXPECT_NE(system("engine: openai, launch: { native: x }").find("cannot be launched"),
            std::string::npos);
  EXPECT_EQ(system("engine: sim, profile: tgi"), "accepted");
  EXPECT_NE(system("engine: sim, profile: tgx").find("tgi"), std::string::npos);
}

TEST(SpecYaml, TwoSystemsMayNotShareAName) {
  const std::string twice = refusal(
      "evenbench: 1\nsystems:\n  - { name: a, engine: sim }\n  - { name: a, engine: sim }\n"
      "load: { ladder: { rates: [1] } }\n");
  EXPECT_NE(twice.find("two systems are called 'a'"), std::string::npos);
}

TEST(SpecYaml, RatesMayBeSpacedAndWarmUpsHaveThreeForms) {
  const auto steps = [](std::string_view ladder) {
    return parse_spec(fmt::format("evenbench: 1\nsystems:\n  - {{ name: a, engine: sim }}\n"
                                  "load: {{ ladder: {{ {} }} }}\n",
                                  ladder),
                      "s.yaml")
        .value()
        .steps;
  };
  const auto linear = steps("rates: { from: 1.0, to: 4.0, steps: 4, spacing: linear }");
  ASSERT_EQ(linear.size(), 4U);
  EXPECT_DOUBLE_EQ(linear[2].rate.per_second(), 3.0);
  const auto geometric = steps("rates: { from: 1, to: 8, steps: 4, spacing: geometric }");
  EXPECT_NEAR(geometric[2].rate.per_second(), 4.0, 1e-12);
  EXPECT_EQ(steps("rates: [1], warmup: 30s")[0].warmup.duration, 30s);
  EXPECT_EQ(steps("rates: [1], warmup: 10%")[0].warmup.share, 0.1);
  EXPECT_EQ(steps("rates: [1], warmup: 100")[0].warmup.count, 100U);
}

TEST(SpecYaml, AClosedLoopReadsUsersRampAndThinking) {
  const auto spec = parse_spec(R"(evenbench: 1
systems: [{ name: a, engine: sim }]
load:
  closed: { concurrency: [1, 64], ramp: 8/s, measure: 5m, think: { uniform: [100ms, 500ms] } }
)",
                               "s.yaml")
                        .value();
  ASSERT_EQ(spec.steps.size(), 2U);
  EXPECT_EQ(spec.steps[1].concurrency, 64U);
  EXPECT_DOUBLE_EQ(spec.steps[1].ramp, 8.0);
  EXPECT_EQ(spec.steps[1].measure, 5min);
  EXPECT_EQ(spec.steps[1].think.high, 500ms);
}

TEST(SpecYaml, WhatThisVersionCannotDoIsRefusedAndNotIgnored) {
  const auto load = [](std::string_view text) {
    return refusal(
        fmt::format("evenbench: 1\nsystems: [{{ name: a, engine: sim }}]\nload: {{ {} }}\n", text));
  };
  EXPECT_NE(load("replay: { trace: x.csv }").find("not available"), std::string::npos);
  EXPECT_NE(load("ladder: { rates: auto }").find("not available"), std::string::npos);
}

TEST(SpecPrint, TheResolvedSpecReadsBackAsItself) {
  for (const std::string_view text : {kSmall, demo_spec()}) {
    const Spec spec = parse_spec(text, "s.yaml").value();
    const std::string printed = print_spec(spec);
    const auto again = parse_spec(printed, "printed.yaml");
    ASSERT_TRUE(again) << again.error().message << "\n" << printed;
    EXPECT_EQ(print_spec(*again), printed);
  }
}

TEST(SpecYaml, AContainerIsAnImageWithOptionsAndReadsBackAsItself) {
  const auto spec = parse_spec(R"(evenbench: 1
model: { path: /m }
systems: [{ name: a, engine: tgi, launch: { docker: "the/image:1", options: [--init, --cpus, "4"] } }]
load: { ladder: { rates: [1] } }
)",
                               "s.yaml")
                        .value();
  const auto again = parse_spec(print_spec(spec), "printed.yaml").value();
  for (const SystemSpec& system : {spec.systems[0], again.systems[0]}) {
    EXPECT_TRUE(system.launched);
    EXPECT_EQ(system.docker, "the/image:1");
    EXPECT_EQ(system.docker_options, (std::vector<std::string>{"--init", "--cpus", "4"}));
  }
}

TEST(SpecYaml, AProgramIsALaunchWithOrWithoutAPathAndReadsBackAsItself) {
  const auto spec = parse_spec(R"(evenbench: 1
model: { path: /m }
systems:
  - { name: a, engine: vllm, launch: { native: /opt/vllm/bin/vllm } }
  - { name: b, engine: tgi, launch: {} }
load: { ladder: { rates: [1] } }
)",
                               "s.yaml")
                        .value();
  const auto again = parse_spec(print_spec(spec), "printed.yaml").value();
  for (const Spec& read : {spec, again}) {
    EXPECT_EQ(read.systems[0].native, "/opt/vllm/bin/vllm");
    EXPECT_EQ(read.systems[1].native, "");
    for (const SystemSpec& system : read.systems) {
      EXPECT_TRUE(system.launched);
      EXPECT_EQ(system.docker, "");
    }
  }
}

TEST(SpecYaml, TheBuildOfAnEngineReadsBackAsItself) {
  const std::string yaml =
      "evenbench: 1\nmodel: { path: /m }\nsystems:\n"
      "  - { name: a, engine: trtllm, launch: {}, build: { convert: [python3, c.py, '{model}', "
      "'{checkpoint}'], args: [--max_batch_size, '64'], program: /opt/b, cache: /c, limit: 30m } "
      "}\n"
      "  - { name: b, engine: trtllm, launch: {}, build: {} }\n"
      "  - { name: c, engine: trtllm, launch: {} }\n"
      "load: { ladder: { rates: [1] } }\n";
  const Spec spec = parse_spec(yaml, "s.yaml").value();
  const BuildSpec& build = spec.systems[0].build.value();
  EXPECT_EQ(build.convert,
            (std::vector<std::string>{"python3", "c.py", "{model}", "{checkpoint}"}));
  EXPECT_EQ(build.args, (std::vector<std::string>{"--max_batch_size", "64"}));
  EXPECT_EQ(build.program, "/opt/b");
  EXPECT_EQ(build.cache, "/c");
  EXPECT_EQ(build.limit, 30min);
  ASSERT_TRUE(spec.systems[1].build);
  EXPECT_EQ(spec.systems[1].build->limit, 2h);
  EXPECT_FALSE(spec.systems[2].build);
  const std::string printed = print_spec(spec);
  EXPECT_EQ(print_spec(parse_spec(printed, "p.yaml").value()), printed);
  EXPECT_NE(printed.find("{model}"), std::string::npos) << printed;
  for (const char* key : {"program: /opt/b", "cache: /c", "limit: 30m"})
    EXPECT_NE(printed.find(key), std::string::npos) << key << printed;
}

TEST(SpecYaml, OnlyALaunchedTensorRtLlmBuildsAnEngine) {
  for (const char* system : {"engine: vllm, launch: {}", "engine: sim",
                             "engine: trtllm, attach: { url: 'http://127.0.0.1:1' }"}) {
    const std::string said = refusal(fmt::format(
        "evenbench: 1\nmodel: {{ path: /m }}\nsystems:\n  - {{ name: a, {}, build: {{}} }}\n"
        "load: {{ ladder: {{ rates: [1] }} }}\n",
        system));
    EXPECT_NE(said.find("s.yaml:4: build is for a launched TensorRT-LLM only"), std::string::npos)
        << said;
  }
}

TEST(SpecYaml, WhatTheWeightsWereConvertedFromReadsBackAsItself) {
  const auto spec = parse_spec(R"(evenbench: 1
systems:
  - { name: a, engine: llama_cpp, launch: {}, model_path: /m.gguf, converted_from: /m, converter: "convert 1" }
load: { ladder: { rates: [1] } }
)",
                               "s.yaml")
                        .value();
  const auto again = parse_spec(print_spec(spec), "printed.yaml").value();
  for (const SystemSpec& system : {spec.systems[0], again.systems[0]}) {
    EXPECT_EQ(system.converted_from, "/m");
    EXPECT_EQ(system.converter, "convert 1");
  }
}

TEST(SpecYaml, TheFixedPromptsAreAskedWhereSystemsAreComparedUnlessItSaysOtherwise) {
  const auto spec = [](std::string_view systems, std::string_view rest) {
    return parse_spec(fmt::format("evenbench: 1\nsystems: [{}]\n{}\n"
                                  "load: {{ ladder: {{ rates: [1] }} }}\n",
                                  systems, rest),
                      "s.yaml")
        .value();
  };
  const char* one = "{ name: a, engine: sim }";
  const char* two = "{ name: a, engine: sim }, { name: b, engine: sim }";
  EXPECT_FALSE(agreement_is_asked(spec(one, "")));
  EXPECT_TRUE(agreement_is_asked(spec(two, "")));
  EXPECT_TRUE(agreement_is_asked(spec(one, "agreement: true")));
  EXPECT_FALSE(agreement_is_asked(spec(two, "agreement: false")));
  EXPECT_FALSE(agreement_is_asked(spec(two, "probe: false")));
  EXPECT_FALSE(spec(two, "").strict);
  EXPECT_TRUE(spec(two, "strict: true").strict);
  const Spec printed =
      parse_spec(print_spec(spec(two, "agreement: false\nstrict: true")), "p").value();
  EXPECT_FALSE(agreement_is_asked(printed));
  EXPECT_TRUE(printed.strict);
}

TEST(SpecYaml, ALaunchIsEitherAProgramOrAContainer) {
  const auto launch = [](std::string_view text) {
    return refusal(
        fmt::format("evenbench: 1\nmodel: {{ path: /m }}\nsystems: [{{ name: a, engine: "
                    "tgi, launch: {{ {} }} }}]\nload: {{ ladder: {{ rates: [1] }} }}\n",
                    text));
  };
  EXPECT_NE(launch("docker: i, native: p").find("keep one"), std::string::npos);
  EXPECT_NE(launch("options: [--init]").find("state docker"), std::string::npos);
}

TEST(SpecYaml, TheSimulatedEngineHasNoContainer) {
  EXPECT_NE(refusal("evenbench: 1\nsystems: [{ name: a, engine: sim, launch: { docker: i } }]\n"
                    "load: { ladder: { rates: [1] } }\n")
                .find("leave launch out"),
            std::string::npos);
}

TEST(SpecYaml, GpusAndWhatFollowsFromALeakReadBackAsThemselves) {
  const auto spec =
      parse_spec(
          "evenbench: 1\nhardware: { gpus: [1], sample_every: 250ms }\non_leak: stop\n"
          "systems: [{ name: a, engine: sim }]\nlimits: { release: 5s }\n"
          "load: { ladder: { rates: [1] } }\n",
          "s.yaml")
          .value();
  const auto again = parse_spec(print_spec(spec), "printed.yaml").value();
  for (const Spec& one : {spec, again}) {
    EXPECT_EQ(one.gpus, std::vector<int>{1});
    EXPECT_EQ(one.sample_gpus_every, std::chrono::milliseconds{250});
    EXPECT_EQ(one.on_leak, OnLeak::kStop);
    EXPECT_EQ(one.release, std::chrono::seconds{5});
  }
}

TEST(SpecYaml, GpusAreNotSampledSoOftenThatTheDriverIsKeptBusy) {
  EXPECT_NE(refusal("evenbench: 1\nhardware: { sample_every: 1ms }\nsystems: [{ name: a, engine: "
                    "sim }]\nload: { ladder: { rates: [1] } }\n")
                .find("s.yaml:2: hardware.sample_every must be at least 20ms"),
            std::string::npos);
}

}  // namespace
}  // namespace evenbench::cli
