#include "cli/image_digest.h"

#include "engine/brief_command.h"

namespace evenbench::cli {

std::string image_digest(const std::string& image, const Clock& clock) {
  constexpr Nanos kLimit = std::chrono::seconds{10};
  const auto digest = engine::output_of(
      {"docker", "image", "inspect", "--format",
       "{{if .RepoDigests}}{{index .RepoDigests 0}}{{else}}{{.Id}}{{end}}", image},
      kLimit, clock);
  if (!digest) return "unknown";
  return digest->substr(0, digest->find_last_not_of(" \r\n") + 1);
}

}  // namespace evenbench::cli
