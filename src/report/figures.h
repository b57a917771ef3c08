// The latency figures of a step by the names that they carry in every file.
#pragma once

#include <array>
#include <string_view>

#include "judge/judged_run.h"

namespace evenbench::report {

struct LatencyFigure {
  std::string_view key;
  judge::Distribution judge::JudgedStep::*of;
};

inline constexpr std::array kLatencyFigures = {
    LatencyFigure{"ttft", &judge::JudgedStep::ttft},
    LatencyFigure{"ttft_service", &judge::JudgedStep::ttft_service},
    LatencyFigure{"first_content", &judge::JudgedStep::first_content},
    LatencyFigure{"tpot", &judge::JudgedStep::tpot},
    LatencyFigure{"e2e", &judge::JudgedStep::e2e},
    LatencyFigure{"e2e_service", &judge::JudgedStep::e2e_service},
    LatencyFigure{"chunk_gap", &judge::JudgedStep::chunk_gap},
    LatencyFigure{"itl", &judge::JudgedStep::itl},
    LatencyFigure{"connect", &judge::JudgedStep::connect},
};

}  // namespace evenbench::report
