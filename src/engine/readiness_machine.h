// Decides, without I/O, what to ask a server next and what its answers mean, until it may be
// measured or will not be. Whoever owns it does the asking (readiness.cc) and tells the time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/readiness.h"
#include "wire/error_class.h"
#include "wire/request.h"

namespace evenbench::engine {

struct Ask {
  enum class What {
    kGet,      // GET `path`; tell on_answer()
    kProbe,    // one real request, streamed as the run will; tell on_probe()
    kExplain,  // the same request once more for the whole of its refusal; tell on_answer()
    kPause,    // do nothing for `limit`; tell on_paused()
    kReady,    // take_ready()
    kGiveUp,   // error()
  };
  What what = What::kGiveUp;
  std::string path;
  Nanos limit{0};
};

class ReadinessMachine {
 public:
  // `options` must outlive the machine. `options.child` only says whether the engine was launched.
  ReadinessMachine(const ReadinessOptions& options, MonoTime start);

  [[nodiscard]] Ask next(MonoTime now) const;
  void on_answer(const Result<net::Fetched>& answer, MonoTime now);
  void on_probe(const Result<Exchanged>& probe, MonoTime now);
  void on_paused() { pausing_ = false; }
  // `shown`: the last lines of its log; `searched`: more of it, for known complaints.
  void on_engine_ended(const ExitStatus& status, std::string_view shown, std::string_view searched);
  void on_interrupted();

  // The request of kProbe and kExplain.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string body() const;
  // Why it is not ready yet; "" before the first answer.
  [[nodiscard]] const std::string& last_reason() const { return last_reason_; }
  [[nodiscard]] const Error& error() const { return *error_; }
  Ready take_ready() { return std::move(ready_); }

 private:
  enum class Phase { kHealth, kModels, kVersion, kProbe, kExplain, kReady };
  void enter(Phase phase);
  // Not yet: ask again, unless that has been done often or long enough.
  void wait_for_transport(const std::string& problem, MonoTime now);
  void wait(const std::string& reason, MonoTime now);
  // As wait(), but for what seldom heals by itself: at most kFewAttempts.
  void wait_a_little(const std::string& reason, MonoTime now);
  void give_up(const std::string& message);
  // A key that does not carry the run ends everything. Whether it did.
  bool key_refused(int status, const std::string& what, const std::string& text);
  [[nodiscard]] std::string with_remedy(const std::string& answered,
                                        std::optional<wire::ErrorClass> error) const;
  void on_health(int status, const std::string& what);
  void on_models(const net::Fetched& answer, const std::string& what);
  void choose_model(const std::vector<std::string>& names, const std::string& what);
  void on_refusal(const std::string& answer);
  void on_http_failure(const Exchanged& probe, MonoTime now);
  void on_token(const Exchanged& probe);
  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::string without_keys(std::string text) const;

  const ReadinessOptions& options_;
  MonoTime start_;
  bool launched_;
  Phase phase_ = Phase::kHealth;
  bool pausing_ = false;
  int attempts_ = 0;  // that failed in this phase
  std::string last_reason_;
  std::string refusal_;  // what a refused probe said, before it is explained
  int refusal_status_ = 0;
  std::optional<Error> error_;
  Ready ready_;
};

// The ids of a model list; nullopt when it is none.
std::optional<std::vector<std::string>> model_names(std::string_view body);

}  // namespace evenbench::engine
