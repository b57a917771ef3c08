// SHA-256 of a file or a text, by OpenSSL.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace evenbench::probe {

// 64 lower-case hexadecimal digits; "" when the file cannot be read.
std::string sha256_of(const std::filesystem::path& file);
std::string sha256_of_text(std::string_view text);

}  // namespace evenbench::probe
