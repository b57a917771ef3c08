// Reads a spec file. Strict: what is unknown, of the wrong kind, impossible or not available yet is
// refused, with file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/spec.h"
#include "cli/yaml_fields.h"

namespace evenbench::cli {

// `file` is only for messages. Error: usage; one "file:line: what is wrong" per line of the
// message.
Result<Spec> parse_spec(std::string_view yaml, const std::string& file);
// The same from disk, and the prompts of workload.prompts.file (relative to the spec) are loaded.
Result<Spec> load_spec(const std::filesystem::path& file);

// The name of an environment variable under `key`.
std::optional<std::string> read_variable(Fields& fields, const std::string& key);

// The parts, one file each.
void read_systems(Fields& top, Spec& spec);       // spec_systems.cc
void read_workload(Fields& top, Spec& spec);      // spec_workload.cc
void read_request(Fields& top, Spec& spec);       // spec_workload.cc
void read_load(Fields& top, Spec& spec);          // spec_load.cc
void read_client(Fields& top, ClientSpec& spec);  // spec_client.cc

}  // namespace evenbench::cli
