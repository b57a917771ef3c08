#include "base/stamp.h"

namespace evenbench {

std::string_view name_of(StampChoice choice) {
  switch (choice) {
    case StampChoice::kAuto:
      return "auto";
    case StampChoice::kUser:
      return "user";
    case StampChoice::kKernel:
      return "kernel";
  }
  return "auto";
}

std::optional<StampChoice> stamp_choice_named(std::string_view name) {
  for (const StampChoice choice : {StampChoice::kAuto, StampChoice::kUser, StampChoice::kKernel}) {
    if (name == name_of(choice)) return choice;
  }
  return std::nullopt;
}

}  // namespace evenbench
