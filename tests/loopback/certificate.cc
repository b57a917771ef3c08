#include "certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/check.h"

namespace evenbench::loopback {
namespace {

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

void add_extension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  ::X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = ::X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  EVENBENCH_CHECK(extension != nullptr, "no extension {}", value);
  ::X509_add_ext(certificate, extension, -1);
  ::X509_EXTENSION_free(extension);
}

}  // namespace

Certificate make_certificate() {
  const std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                  &::EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&::X509_free)> certificate(::X509_new(), &::X509_free);
  EVENBENCH_CHECK(key && certificate, "no key or certificate");
  ::X509_set_version(certificate.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
  ::X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  ::X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86400);
  ::X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = ::X509_get_subject_name(certificate.get());
  const auto* common = reinterpret_cast<const unsigned char*>("evenbench loopback test");
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0);
  ::X509_set_issuer_name(certificate.get(), name);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate.get(), NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1");
  ::X509_sign(certificate.get(), key.get(), ::EVP_sha256());

  const std::unique_ptr<BIO, decltype(&::BIO_free)> pem(::BIO_new(::BIO_s_mem()), &::BIO_free);
  ::PEM_write_bio_X509(pem.get(), certificate.get());
  Certificate out;
  out.certificate_pem = text_of(pem.get());
  BIO_reset(pem.get());
  ::PEM_write_bio_PrivateKey(pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  out.key_pem = text_of(pem.get());
  return out;
}

TempFile::TempFile(const std::string& content)
    : path_((std::filesystem::temp_directory_path() / "evenbench-XXXXXX").string()) {
  const int fd = ::mkstemp(path_.data());
  EVENBENCH_CHECK(fd >= 0, "no temporary file {}", path_);
  const auto written = ::write(fd, content.data(), content.size());
  ::close(fd);
  EVENBENCH_CHECK(written == static_cast<ssize_t>(content.size()), "{} is incomplete", path_);
}

TempFile::~TempFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace evenbench::loopback
