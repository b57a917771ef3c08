// Which weights a model folder or file holds, as one hash: equal hashes are equal weights. Reads
// only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace evenbench::probe {

struct WeightsIdentity {
  std::string hash;    // 64 hexadecimal digits; "" = no weights were found, or not readable
  std::string source;  // "sha256 of 2 files", "sha256 of samples of 30 files, 140 GB"
};

// Of the *.safetensors (else *.bin) of a folder, or of one file. Up to `whole_up_to` bytes every
// byte counts; above, each file counts by its size, its beginning, its end and places between, so
// that hundreds of gigabytes are not read before a run. Files count by their content and order of
// names, not by where they lie.
WeightsIdentity weights_identity(const std::filesystem::path& model,
                                 std::uintmax_t whole_up_to = std::uintmax_t{4} << 30);

}  // namespace evenbench::probe
