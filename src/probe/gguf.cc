#include "probe/gguf.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

namespace evenbench::probe {
namespace {

// The format is little-endian, and so is every machine this is built for.
static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kMostPairs = 100'000;
constexpr std::uint64_t kLongestKept = 4096;

enum Type : std::uint32_t { kBool = 7, kString = 8, kArray = 9 };

class Header {
 public:
  explicit Header(std::istream& in) : in_(in) {}

  template <typename T>
  std::optional<T> number() {
    T value{};
    in_.read(reinterpret_cast<char*>(&value), sizeof value);
    return in_ ? std::optional(value) : std::nullopt;
  }

  std::optional<std::string> text() {
    const auto size = number<std::uint64_t>();
    if (!size || *size > kLongestKept) return std::nullopt;
    std::string out(*size, '\0');
    in_.read(out.data(), static_cast<std::streamsize>(*size));
    return in_ ? std::optional(out) : std::nullopt;
  }

  bool skip_bytes(std::uint64_t size) {
    if (size > std::uint64_t{1} << 40) return false;
    if (size < kLongestKept) {  // a seek would throw the read-ahead away, for every token of a list
      in_.ignore(static_cast<std::streamsize>(size));
      return in_.gcount() == static_cast<std::streamsize>(size);
    }
    in_.seekg(static_cast<std::streamoff>(size), std::ios::cur);
    return static_cast<bool>(in_) && in_.peek() != std::istream::traits_type::eof();
  }

  // A value of `type` as text; nullopt: broken.
  std::optional<std::string> value(std::uint32_t type) {
    switch (type) {
      case 0:
        return shown<std::uint8_t>();
      case 1:
        return shown<std::int8_t>();
      case 2:
        return shown<std::uint16_t>();
      case 3:
        return shown<std::int16_t>();
      case 4:
        return shown<std::uint32_t>();
      case 5:
        return shown<std::int32_t>();
      case 6:
        return shown<float>();
      case kBool: {
        const auto flag = number<std::uint8_t>();
        return flag ? std::optional<std::string>(*flag != 0 ? "true" : "false") : std::nullopt;
      }
      case kString:
        return text();
      case 10:
        return shown<std::uint64_t>();
      case 11:
        return shown<std::int64_t>();
      case 12:
        return shown<double>();
      default:
        return std::nullopt;
    }
  }

  bool skip(std::uint32_t type) {
    if (type == kString) return skip_text();
    if (type == kArray) return skip_array();
    const auto size = size_of(type);
    return size != 0 && skip_bytes(size);
  }

 private:
  template <typename T>
  std::optional<std::string> shown() {
    const auto read = number<T>();
    return read ? std::optional(fmt::format("{}", +*read)) : std::nullopt;
  }

  static std::uint64_t size_of(std::uint32_t type) {
    constexpr std::array<std::uint64_t, 13> kSizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < kSizes.size() ? kSizes[type] : 0;
  }

  bool skip_text() {
    const auto size = number<std::uint64_t>();
    return size && skip_bytes(*size);
  }

  // Arrays of arrays do not occur; they end the reading.
  bool skip_array() {
    const auto type = number<std::uint32_t>();
    const auto count = number<std::uint64_t>();
    if (!type || !count || *count > std::uint64_t{1} << 32) return false;
    if (*type == kString) {
      for (std::uint64_t i = 0; i < *count; ++i)
        if (!skip_text()) return false;
      return true;
    }
    const auto size = size_of(*type);
    return size != 0 && (*count == 0 || skip_bytes(size * *count));
  }

  std::istream& in_;
};

// The numbers of llama.cpp's llama_ftype; others are shown as they are.
std::string file_type_name(const std::string& number) {
  static const std::map<std::string, std::string> kNames{
      {"0", "F32"},     {"1", "F16"},     {"2", "Q4_0"},    {"3", "Q4_1"},    {"7", "Q8_0"},
      {"8", "Q5_0"},    {"9", "Q5_1"},    {"10", "Q2_K"},   {"11", "Q3_K_S"}, {"12", "Q3_K_M"},
      {"13", "Q3_K_L"}, {"14", "Q4_K_S"}, {"15", "Q4_K_M"}, {"16", "Q5_K_S"}, {"17", "Q5_K_M"},
      {"18", "Q6_K"},   {"32", "BF16"}};
  const auto known = kNames.find(number);
  return known == kNames.end() ? number : known->second;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> gguf_facts(std::istream& file) {
  std::vector<std::pair<std::string, std::string>> facts;
  std::array<char, 4> magic{};
  file.read(magic.data(), magic.size());
  if (!file || std::memcmp(magic.data(), "GGUF", magic.size()) != 0) return facts;
  Header header(file);
  const auto version = header.number<std::uint32_t>();
  const auto tensors = header.number<std::uint64_t>();
  const auto pairs = header.number<std::uint64_t>();
  if (!version || (*version != 2 && *version != 3) || !tensors || !pairs) return facts;
  facts.emplace_back("gguf.version", std::to_string(*version));
  for (std::uint64_t i = 0; i < *pairs && i < kMostPairs; ++i) {
    const auto key = header.text();
    const auto type = header.number<std::uint32_t>();
    if (!key || !type) break;
    if (!key->starts_with("general.") || *type == kArray) {
      if (!header.skip(*type)) break;
      continue;
    }
    const auto value = header.value(*type);
    if (!value) break;
    facts.emplace_back(*key, *key == "general.file_type" ? file_type_name(*value) : *value);
  }
  return facts;
}

}  // namespace evenbench::probe
