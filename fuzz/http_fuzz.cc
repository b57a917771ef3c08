// Any bytes, cut anywhere: the same body, the same status, the same end; never more body than
// bytes.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "wire/http_reader.h"

using evenbench::wire::HttpReader;

namespace {

struct Seen {
  std::string body;
  int status = 0;
  HttpReader::Status end = HttpReader::Status::kMore;
  bool operator==(const Seen&) const = default;
};

Seen read(std::string_view bytes, std::size_t piece) {
  Seen out;
  HttpReader reader;
  reader.begin();
  for (std::size_t i = 0; i < bytes.size() && out.end == HttpReader::Status::kMore; i += piece) {
    out.end = reader.feed(bytes.substr(i, piece), [&](std::string_view b) { out.body += b; });
  }
  out.status = reader.status();
  if (out.end == HttpReader::Status::kBroken) out.body.clear();  // how far it came may differ
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Seen whole = read(bytes, bytes.size());
  if (whole.body.size() > bytes.size()) std::abort();
  if (!(whole == read(bytes, data[0] % 61U + 1))) std::abort();
  return 0;
}
