#include "probe/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <vector>

#include "probe/sha256.h"

namespace evenbench::probe {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path;
  std::uintmax_t size = 0;
};

std::vector<File> files_with(const fs::path& folder, const std::string& extension) {
  std::vector<File> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code no_size;
    const auto size = fs::file_size(it->path(), no_size);
    if (it->path().extension() == extension && !no_size) out.push_back({it->path(), size});
  }
  std::sort(out.begin(), out.end(),
            [](const File& a, const File& b) { return a.path.filename() < b.path.filename(); });
  return out;
}

std::vector<File> weight_files(const fs::path& model) {
  std::error_code error;
  if (!fs::is_directory(model, error)) {
    const auto size = fs::file_size(model, error);
    return error ? std::vector<File>() : std::vector<File>{{model, size}};
  }
  auto files = files_with(model, ".safetensors");
  return files.empty() ? files_with(model, ".bin") : files;
}

// nullopt: it could not be read.
std::optional<std::string> sample_of(const File& file) {
  constexpr std::uintmax_t kPiece = std::uintmax_t{1} << 20;
  constexpr std::uintmax_t kPieces = 16;
  std::ifstream in(file.path, std::ios::binary);
  std::string bytes = fmt::format("{}\n", file.size);
  std::string piece(kPiece, '\0');
  const std::uintmax_t last = file.size > kPiece ? file.size - kPiece : 0;
  for (std::uintmax_t i = 0; i < kPieces; ++i) {
    in.clear();
    in.seekg(static_cast<std::streamoff>(last * i / (kPieces - 1)));
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (in.gcount() == 0 && file.size > 0) return std::nullopt;
    bytes.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  return sha256_of_text(bytes);
}

}  // namespace

WeightsIdentity weights_identity(const fs::path& model, std::uintmax_t whole_up_to) {
  const std::vector<File> files = weight_files(model);
  std::uintmax_t total = 0;
  for (const File& file : files) total += file.size;
  if (total == 0) return {};
  const bool whole = total <= whole_up_to;
  std::string digests;
  for (const File& file : files) {
    const auto digest = whole ? std::optional(sha256_of(file.path)) : sample_of(file);
    if (!digest || digest->empty()) return {};
    digests += *digest + "\n";
  }
  const std::string of_files = files.size() == 1 ? "1 file" : fmt::format("{} files", files.size());
  return {sha256_of_text(digests), whole ? "sha256 of " + of_files
                                         : fmt::format("sha256 of samples of {}, {:.0f} GB",
                                                       of_files, static_cast<double>(total) / 1e9)};
}

}  // namespace evenbench::probe
