// What the answers were like: failures, small samples, lengths, caches, and why a figure is absent.
#include <fmt/format.h>

#include <cmath>

#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

constexpr std::uint64_t kEnoughForP99 = 100;
constexpr double kFailureShare = 0.01;  // above it the percentiles are of a selection
constexpr double kLengthTolerance = 0.05;
constexpr double kCachedShare = 0.05;
constexpr double kMergedShare = 0.05;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void say_failures(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  if (step.failed > 0 && step.good > 0) {
    const double failed = share(step.failed, facts.rows);
    const FailureClass& first = step.failures.front();
    std::string reason = fmt::format(
        "{} of {} requests failed ({:.1f} %), most often: {} ({} times)", step.failed, facts.rows,
        100 * failed, first.detail.empty() ? name_of(first.ending) : first.detail, first.count);
    if (failed > kFailureShare) {
      marks.mark(Label::kSuspect, std::move(reason));
    } else {
      marks.note(std::move(reason));
    }
  }
  if (facts.failed_events > 0.0) {
    marks.note(
        fmt::format("{:.0f} token events of failed requests arrived inside the window; they "
                    "are in no rate",
                    facts.failed_events));
  }
  if (facts.cut > 0 && facts.finished) {
    marks.note(
        facts.open_loop
            ? fmt::format(
                  "{} requests were still open at the cool-down limit, or never sent, and count as "
                  "infinitely slow",
                  facts.cut)
            : fmt::format("{} requests were still open when the time was over; their tokens "
                          "count, their latencies do not",
                          facts.cut));
  }
}

void say_sample(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  if (facts.rows < kEnoughForP99 && step.good > 0) {
    marks.note(fmt::format("only {} requests: P99 is indicative", facts.rows));
  }
}

void say_output_length(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  if (!length_missed(step)) return;
  std::string reason = fmt::format("length not honoured: {} output tokens for {} asked ({:.1f} %)",
                                   facts.lengths.output_given, facts.lengths.output_asked,
                                   100 * *step.achieved_output_share);
  if (*step.achieved_output_share > 1.0 || facts.lengths.stopped_short > 0) {
    reason += "; the server may not know the field of the length: try another output_field";
  } else {
    reason += "; answers ended by themselves: ignore_eos keeps them going where the server has it";
  }
  marks.note(std::move(reason));
}

void say_input(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  const LengthFacts& lengths = facts.lengths;
  const double counted = share(lengths.input_counted, lengths.input_asked);
  if (lengths.input_asked > 0 && std::abs(counted - 1.0) > kLengthTolerance) {
    marks.note(
        fmt::format("input: {} tokens by the server's count for {} asked ({:.1f} %): chat "
                    "template or another tokenizer; rates use the server's count",
                    lengths.input_counted, lengths.input_asked, 100 * counted));
  }
  if (input_was_cached(step)) {
    marks.note(
        fmt::format("cached input {:.1f} %: the server took that part of the prompts from "
                    "its prefix cache; use unique prompts or say that reuse is meant",
                    100 * *step.cached_input_share));
  }
}

void say_absent(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  const Unmeasured& none = facts.unmeasured;
  if (none.not_streamed > 0) {
    marks.note(
        none.not_streamed == none.good
            ? "not streamed: no TTFT, TPOT or ITL"
            : fmt::format("{} of {} answers were not streamed: they have no TTFT, TPOT or ITL",
                          none.not_streamed, none.good));
  }
  if (!step.no_gaps_because.empty()) {
    marks.note("no ITL and no chunk gaps: " + step.no_gaps_because);
  } else if (none.uncounted_events > 0) {
    marks.note(
        fmt::format("the tokens of each event are not known for {} of {} answers: gaps are "
                    "chunk gaps, and there is no ITL",
                    none.uncounted_events, none.good));
  }
  if (none.in_one_piece > 0) {
    marks.note(fmt::format("{} of {} answers came in one piece: they have no TPOT",
                           none.in_one_piece, none.good));
  }
  if (none.impossible > 0) {
    marks.note(fmt::format("{} latencies were below 0 and left out", none.impossible));
  }
  if (facts.unknown_count > 0) {
    marks.note(
        fmt::format("the output tokens of {} of {} answers are not known: the server gave "
                    "no usage",
                    facts.unknown_count, none.good));
  }
  if (step.censored_first_token_share.value_or(0.0) > kMergedShare) {
    marks.note(
        fmt::format("{:.1f} % of first tokens were read together with later ones: their TTFT is an "
                    "upper bound",
                    100 * *step.censored_first_token_share));
  }
  if (step.no_gaps_because.empty() && step.merged_read_share.value_or(0.0) > kMergedShare) {
    marks.note(
        fmt::format("{:.1f} % of reads held more than one token event: the instants of "
                    "those are upper bounds",
                    100 * *step.merged_read_share));
  }
}

}  // namespace

bool length_missed(const JudgedStep& step) {
  return step.achieved_output_share &&
         std::abs(*step.achieved_output_share - 1.0) > kLengthTolerance;
}

bool input_was_cached(const JudgedStep& step) {
  return step.cached_input_share.value_or(0.0) >= kCachedShare;
}

void mark_answers(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  say_failures(step, facts, marks);
  say_sample(step, facts, marks);
  say_output_length(step, facts, marks);
  say_input(step, facts, marks);
  say_absent(step, facts, marks);
}

}  // namespace evenbench::judge
