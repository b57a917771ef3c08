// The distributions of a step by the names that they carry in every file.
#pragma once

#include <array>
#include <string_view>

#include "judge/judged_run.h"

namespace evenbench::report {

struct Figure {
  std::string_view key;
  judge::Distribution judge::JudgedStep::*of;
};

inline constexpr std::array kFigures = {
    Figure{"ttft_ms", &judge::JudgedStep::ttft},
    Figure{"ttft_service_ms", &judge::JudgedStep::ttft_service},
    Figure{"first_content_ms", &judge::JudgedStep::first_content},
    Figure{"tpot_ms", &judge::JudgedStep::tpot},
    Figure{"e2e_ms", &judge::JudgedStep::e2e},
    Figure{"e2e_service_ms", &judge::JudgedStep::e2e_service},
    Figure{"chunk_gap_ms", &judge::JudgedStep::chunk_gap},
    Figure{"itl_ms", &judge::JudgedStep::itl},
    Figure{"connect_ms", &judge::JudgedStep::connect},
    Figure{"failed_after_ms", &judge::JudgedStep::failed_after},
    Figure{"request_output_rate", &judge::JudgedStep::request_output_rate},
};

}  // namespace evenbench::report
