#include "cli/key_loss.h"

#include <fmt/format.h>

#include "engine/class_remedy.h"

namespace evenbench::cli {
namespace {

struct Words {
  const char* code;
  const char* what;
};

Words words_of(wire::ErrorClass error) {
  switch (error) {
    case wire::ErrorClass::kQuota:
      return {"quota_exhausted_mid_run", "money or allowance ran out"};
    case wire::ErrorClass::kPermission:
      return {"permission_lost_mid_run", "permission was withdrawn"};
    default:
      return {"key_refused_mid_run", "the key was refused"};
  }
}

}  // namespace

KeyLoss key_loss_of(const wire::FailureCount& lost, MonoTime begin, WallTime first,
                    const std::string& key_env) {
  const wire::ErrorClass error = lost.error.value_or(wire::ErrorClass::kKeyRefused);
  const Words words = words_of(error);
  return {
      words.code,
      fmt::format("{} in the middle of a step ({}), first seen {:.1f} s after its begin, at {}; "
                  "no more was sent, and what was measured until then is kept. {}",
                  words.what, lost.detail, to_seconds(lost.first - begin), iso8601(first),
                  engine::class_remedy(error, key_env))};
}

}  // namespace evenbench::cli
