#include "engine/process_table.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace evenbench::engine {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string proc_text(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  // Iterators over the buffer would throw when the process ends between open and read (ESRCH);
  // this operator only marks the stream.
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<ProcessEntry> parse_stat(std::string_view line) {
  // "pid (name) state ppid pgrp session ...": only the last ")" surely ends the name.
  const auto open = line.find(" (");
  const auto close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const auto pid = number(line.substr(0, open));
  if (!pid) return std::nullopt;
  ProcessEntry entry;
  entry.pid = *pid;
  std::istringstream rest{std::string(line.substr(close + 1))};
  if (!(rest >> entry.state >> entry.parent >> entry.group >> entry.session)) return std::nullopt;
  return entry;
}

std::vector<ProcessEntry> processes() {
  std::vector<ProcessEntry> all;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!number(name)) continue;
    if (const auto entry = parse_stat(proc_text("/proc/" + name + "/stat"))) all.push_back(*entry);
  }
  return all;
}

std::vector<ProcessEntry> descendants_of(int root, const std::vector<ProcessEntry>& all) {
  std::set<int> family{root};
  std::vector<ProcessEntry> found;
  // Parents may come after their children in the listing: repeat until nothing is added.
  for (bool grew = true; grew;) {
    grew = false;
    for (const ProcessEntry& entry : all) {
      if (!family.contains(entry.parent) || !family.insert(entry.pid).second) continue;
      found.push_back(entry);
      grew = true;
    }
  }
  return found;
}

bool started_with(int pid, std::string_view assignment) {
  const std::string environment = proc_text(fmt::format("/proc/{}/environ", pid));
  std::string_view rest = environment;
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find('\0'));
    if (entry == assignment) return true;
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
  }
  return false;
}

std::string shown_command(std::string_view cmdline) {
  constexpr std::size_t kMost = 80;
  std::string out;
  while (!cmdline.empty()) {
    const std::string_view word = cmdline.substr(0, cmdline.find('\0'));
    if (word.starts_with("--") || word == "-c" || word == "-e") break;
    if (!word.empty()) out.append(out.empty() ? "" : " ").append(word);
    cmdline.remove_prefix(std::min(cmdline.size(), word.size() + 1));
  }
  if (out.size() > kMost) out.resize(kMost);
  return out;
}

std::string command_of(int pid) {
  return shown_command(proc_text(fmt::format("/proc/{}/cmdline", pid)));
}

}  // namespace evenbench::engine
