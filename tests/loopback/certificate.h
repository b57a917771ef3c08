// A self-signed certificate for this machine's own names, made anew at every run.
#pragma once

#include <string>

namespace evenbench::loopback {

struct Certificate {
  std::string certificate_pem;
  std::string key_pem;
};
// For localhost, 127.0.0.1 and ::1, valid for a day.
Certificate make_certificate();

// A file that is gone with the object.
class TempFile {
 public:
  explicit TempFile(const std::string& content);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace evenbench::loopback
