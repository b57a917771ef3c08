#include "judge/judged_run.h"

namespace evenbench::judge {

std::string_view name_of(Label label) {
  switch (label) {
    case Label::kSteady:
      return "STEADY";
    case Label::kSuspect:
      return "SUSPECT";
    case Label::kSaturated:
      return "SATURATED";
    case Label::kNotSteady:
      return "NOT_STEADY";
    case Label::kInvalidClient:
      return "INVALID_CLIENT";
    case Label::kFailed:
      return "FAILED";
  }
  return "";
}

}  // namespace evenbench::judge
