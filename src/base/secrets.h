// Takes credentials out of text before it is kept or shown: servers repeat the key they refuse.
#pragma once

#include <span>
#include <string>

namespace evenbench {

// Every occurrence of a secret becomes "[key]"; so does a beginning of one, of four characters or
// more, at the end of the text, where a cut may have fallen. Secrets of fewer than two characters
// are no secrets.
void hide_secrets(std::string& text, std::span<const std::string> secrets);

}  // namespace evenbench
