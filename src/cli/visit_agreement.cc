#include "cli/visit_agreement.h"

#include <fmt/format.h>

#include "base/secrets.h"
#include "cli/even_terms.h"
#include "cli/signals.h"
#include "engine/agreement_probe.h"

namespace evenbench::cli {

bool agreement_is_asked(const Spec& spec) {
  return spec.probe && spec.agreement.value_or(spec.systems.size() > 1);
}

Result<void> put_agreement(const VisitContext& context, const Attachment& attachment,
                           const wire::RequestShape& shape) {
  if (!agreement_is_asked(*context.spec)) return {};
  engine::AgreementOptions options;
  options.transport = attachment.transport;
  options.headers = attachment.headers;
  options.shape = shape;
  options.interrupted = [] { return interrupts() > 0; };
  auto answers = engine::ask_agreement(options, *context.clock);
  if (!answers) return answers.error();
  for (record::AgreementRow& row : *answers) {
    row.visit_id = context.visit_id;
    hide_secrets(row.text, attachment.secrets);
    hide_secrets(row.detail, attachment.secrets);
    context.terms->put(row);
  }
  return {};
}

}  // namespace evenbench::cli
