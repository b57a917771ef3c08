#include "cli/visit_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/secrets.h"
#include "cli/even_terms.h"
#include "cli/image_digest.h"
#include "cli/launch_evidence.h"
#include "cli/model_terms.h"
#include "cli/ready_system.h"
#include "engine/evidence.h"
#include "engine/settings.h"
#include "probe/sha256.h"

namespace evenbench::cli {
namespace {

// What an engine says of its settings it says while it starts.
std::string log_begin(const std::filesystem::path& log) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  std::ifstream in(log, std::ios::binary);
  std::string text(kMost, '\0');
  in.read(text.data(), static_cast<std::streamsize>(kMost));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

// llama.cpp shows the text itself; a template that was handed over is not the model's own.
void read_template(engine::Evidence& evidence) {
  const auto props = evidence.bodies.find("/props");
  if (props != evidence.bodies.end()) {
    const auto said = nlohmann::json::parse(props->second, nullptr, false);
    if (said.is_object() && said.contains("chat_template") && said["chat_template"].is_string()) {
      evidence.files["chat_template_hash"] =
          probe::sha256_of_text(said["chat_template"].get<std::string>());
    }
  }
  const auto given = std::find(evidence.argv.begin(), evidence.argv.end(), "--chat-template");
  if (given == evidence.argv.end() || given + 1 == evidence.argv.end()) return;
  const std::string hash = probe::sha256_of(*(given + 1));
  evidence.files["chat_template_hash"] = hash.empty() ? probe::sha256_of_text(*(given + 1)) : hash;
}

engine::Evidence gather(const VisitContext& context, const AskedSystem& asked) {
  const SystemSpec& system = *asked.spec;
  engine::Evidence evidence =
      launch_evidence(*context.spec, system, *asked.adapter, asked.build->engine);
  const engine::SettingRules rules = asked.adapter->setting_rules(evidence);
  engine::EvidenceOptions options;
  options.endpoint = asked.attachment->endpoint;
  options.tls = asked.attachment->transport.tls;
  options.headers = asked.attachment->headers;
  options.model = asked.ready->shape.model;
  if (!stays_unasked(*context.spec, system)) {
    evidence.bodies = engine::ask_routes(options, rules.routes, *context.clock);
    // Of a simulated engine that was there before only its answers tell how it is asked.
    evidence.token_counts = engine::ask_token_counts(
        options, asked.adapter->setting_rules(evidence).tokenize, *context.clock);
  }
  if (!asked.log.empty()) evidence.log = log_begin(asked.log);
  evidence.version = asked.ready->engine_version;
  if (!system.docker.empty()) {
    evidence.image_digest = image_digest(system.docker, *context.clock);
  }
  const ModelTerms& model = context.models->of(*context.spec, system);
  evidence.files = model.files;
  for (const auto& fact : asked.build->facts) {
    if (fact.key == "converter") evidence.files[fact.key] = fact.value;
  }
  evidence.weights_source = model.weights_source;
  evidence.generation_config = model.generation_config;
  read_template(evidence);
  return evidence;
}

// Behind a gateway there is some machine, and nobody says which.
std::string host_of(const Attachment& attachment) {
  if (attachment.remote.remote) return "";
  return attachment.remote.here ? "this machine" : attachment.endpoint.host;
}

std::string shown(double value) {
  return fmt::format("{:g}", value);
}

// What is known without asking the engine: where it runs, and what every request states.
void put_stated(const VisitContext& context, const AskedSystem& system) {
  const auto put = [&](const char* key, const std::string& value, const std::string& source) {
    context.terms->put(record::SettingRow{context.visit_id, key, "", value, source});
  };
  put("host", host_of(*system.attachment), "address");
  const wire::RequestShape& shape = system.ready->shape;
  if (shape.temperature) put("temperature", shown(*shape.temperature), "every request");
  if (shape.top_p) put("top_p", shown(*shape.top_p), "every request");
}

// Whether answers can be kept going does not matter where no request asks for it.
void put_unasked(const VisitContext& context, record::SettingRow& row) {
  if (row.key != "ignore_eos" || context.spec->request.ignore_eos) return;
  row.effective = "not asked";
  row.source = "spec";
}

}  // namespace

void put_settings(const VisitContext& context, const AskedSystem& system) {
  put_stated(context, system);
  for (const engine::Setting& one : engine::settings_of(*system.adapter, gather(context, system))) {
    record::SettingRow row{context.visit_id, one.key, one.requested, one.effective, one.source};
    put_unasked(context, row);
    hide_secrets(row.requested, system.attachment->secrets);
    hide_secrets(row.effective, system.attachment->secrets);
    context.terms->put(row);
  }
}

}  // namespace evenbench::cli
