// What the logs of engines that did not start, or ended under load, mean, as a table: the engines'
// own words, and the remedy in the engine's own flags. Pure. tests/data/logs/ENGINE/RULE.log holds
// a log for each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evenbench::engine {

struct Complaint {
  std::string_view rule;
  std::string_view engine;  // name of its adapter; "" = any
  std::string_view words;
};
struct LogRemedy {
  std::string_view rule;
  std::string_view engine;  // "" = of every engine that has none of its own
  std::string_view text;
};
// Causes before consequences: the first that is found wins.
std::span<const Complaint> complaints();
std::span<const LogRemedy> log_remedies();

struct Diagnosis {
  std::string_view rule;    // stable: "out_of_memory"
  std::string_view remedy;  // what is wrong, and what to do
};
// What the log of `engine` complains of; nullopt where it holds no known complaint.
std::optional<Diagnosis> diagnose(std::string_view engine, std::string_view log);
// Every rule whose words stand in the log.
std::vector<std::string_view> rules_in(std::string_view engine, std::string_view log);

// "; RULE: remedy", or "" where nothing is known. An engine that somebody killed, with no complaint
// in its log, was most often killed by the kernel.
std::string explained(std::string_view engine, std::string_view log, bool killed);

}  // namespace evenbench::engine
