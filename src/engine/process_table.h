// The processes of this machine as /proc shows them: who descends from whom. Sends no signal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evenbench::engine {

struct ProcessEntry {
  int pid = 0, parent = 0, group = 0, session = 0;
  char state = '?';  // as in /proc/<pid>/stat
  // A zombie holds no memory and no GPU: it only waits for its parent to look.
  [[nodiscard]] bool lives() const { return state != 'Z' && state != 'X'; }
};

// What a file of /proc holds; "" when it cannot be read, or not any more: its process may end
// meanwhile.
std::string proc_text(const std::string& path);

// One /proc/<pid>/stat line. The command name in it may hold blanks and parentheses. nullopt: not
// such a line.
std::optional<ProcessEntry> parse_stat(std::string_view line);

// A snapshot, zombies included; processes that come and go meanwhile may be missing.
std::vector<ProcessEntry> processes();

// Children, grandchildren and so on of `root`, without `root`.
std::vector<ProcessEntry> descendants_of(int root, const std::vector<ProcessEntry>& all);

// Whether the process was started with `assignment` ("NAME=value") in its environment. false when
// that cannot be read.
bool started_with(int pid, std::string_view assignment);

// The words of a process that say what it is, from the bytes of /proc/<pid>/cmdline: those before
// the first option with a long name or the text of a script, at most 80 bytes. What follows may
// hold keys and passwords.
std::string shown_command(std::string_view cmdline);
// "" when there is no such process, as far as this one can see.
std::string command_of(int pid);

}  // namespace evenbench::engine
