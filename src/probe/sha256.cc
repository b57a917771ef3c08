#include "probe/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace evenbench::probe {

std::string sha256_of_text(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), bytes.data(), &size, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(bytes.data(), bytes.data() + size, ""));
}

std::string sha256_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(),
                                                                       &EVP_MD_CTX_free);
  if (!in || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1) return "";
  std::vector<char> buffer(std::size_t{1} << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    EVP_DigestUpdate(digest.get(), buffer.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof()) return "";  // a read error, or a folder
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(digest.get(), bytes.data(), &size) != 1) return "";
  return fmt::format("{:02x}", fmt::join(bytes.data(), bytes.data() + size, ""));
}

}  // namespace evenbench::probe
