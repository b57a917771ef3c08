// SHA-256 of a file, by OpenSSL.
#pragma once

#include <filesystem>
#include <string>

namespace evenbench::probe {

// 64 lower-case hexadecimal digits; "" when the file cannot be read.
std::string sha256_of(const std::filesystem::path& file);

}  // namespace evenbench::probe
