// What was measured of a machine, as JSON in a file.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/JsonFile.h"
#include "strata/machine/Machine.h"
#include "strata/runtime/Variables.h"
#include "strata/runtime/io/OutputFile.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace strata::machine {

using nlohmann::json;
using runtime::Error;
using runtime::Result;
using runtime::Status;

namespace fs = std::filesystem;

namespace {

/// Of the files: another one where they have other numbers.
constexpr int version = 4;

/// The numbers of a machine by their names in files.
struct Number {
  const char *name;
  double Machine::*value;
};
constexpr Number numbers[] = {{"multiply_add_all_threads", &Machine::multiplyAddAll},
                              {"cycle_seconds", &Machine::cycle},
                              {"gathered_load_seconds", &Machine::gatheredLoad},
                              {"scalar_load_seconds", &Machine::scalarLoad},
                              {"mispredicted_branch_seconds", &Machine::mispredictedBranch},
                              {"remembered_branches", &Machine::rememberedBranches},
                              {"missed_line_seconds", &Machine::missedLine},
                              {"waking_thread_seconds", &Machine::wakingThread}};

/// A number that is no less than 0; nothing else is one.
bool take(const json &from, const char *name, double &value) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_number())
    return false;
  value = found->get<double>();
  return value >= 0;
}

bool take(const json &from, const char *name, int64_t &value) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_number_integer())
    return false;
  value = found->get<int64_t>();
  return value >= 0;
}

bool take(const json &from, const char *name, std::string &value) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_string())
    return false;
  value = found->get<std::string>();
  return true;
}

bool take(const json &from, MemoryLevel &level) {
  return from.is_object() && take(from, "name", level.name) && take(from, "bytes", level.bytes) &&
         take(from, "usable_bytes", level.usable) && take(from, "threads", level.threads) &&
         level.threads > 0 && take(from, "read_one_thread", level.readOne) &&
         take(from, "read_all_threads", level.readAll) && take(from, "jump_seconds", level.jump);
}

bool take(const json &from, Machine &machine) {
  if (!from.is_object() || !take(from, "processor", machine.processor) ||
      !take(from, "measured", machine.measured) || !take(from, "threads", machine.threads) ||
      machine.threads < 1)
    return false;
  for (const Number &number : numbers)
    if (!take(from, number.name, machine.*number.value))
      return false;
  const auto levels = from.find("levels"), rates = from.find("multiply_add");
  if (levels == from.end() || !levels->is_array() || levels->empty() || rates == from.end() ||
      !rates->is_array() || rates->size() != machine.multiplyAdd.size())
    return false;
  for (const json &one : *levels)
    if (!take(one, machine.levels.emplace_back()))
      return false;
  for (size_t at = 0; at < rates->size(); ++at) {
    if (!(*rates)[at].is_number())
      return false;
    machine.multiplyAdd[at] = (*rates)[at].get<double>();
  }
  return true;
}

/// FNV-1a, in hexadecimal digits.
std::string digestOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

} // namespace

std::string machineFile() {
  if (const char *given = runtime::variable("STRATA_MACHINE"))
    return given;
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  fs::path folder = caches ? caches : "";
  if (!folder.is_absolute()) {
    folder = home ? home : "";
    if (!folder.is_absolute())
      return "";
    folder /= ".cache";
  }
  const Machine here = describeMachine();
  const std::string key =
      here.processor + " " + std::to_string(here.threads) + " " + std::to_string(version);
  return folder / "strata" / ("machine-" + digestOf(key) + ".json");
}

Result<Machine> readMachine(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    return Error{Error::FileAccess, "cannot read '" + file + "'"};
  const json content = json::parse(in, nullptr, /*allow_exceptions=*/false);
  Machine machine;
  if (!take(content, machine))
    return Error{Error::Description, "'" + file + "' does not describe a machine",
                 "'strata machine --measure' writes such a file"};
  return machine;
}

Status writeMachine(const Machine &machine, const std::string &file) {
  json content = {{"processor", machine.processor},
                  {"measured", machine.measured},
                  {"threads", machine.threads},
                  {"multiply_add", machine.multiplyAdd}};
  for (const Number &number : numbers)
    content[number.name] = machine.*number.value;
  for (const MemoryLevel &level : machine.levels)
    content["levels"].push_back({{"name", level.name},
                                 {"bytes", level.bytes},
                                 {"usable_bytes", level.usable},
                                 {"threads", level.threads},
                                 {"read_one_thread", level.readOne},
                                 {"read_all_threads", level.readAll},
                                 {"jump_seconds", level.jump}});
  return writeJson(content, file);
}

Status writeJson(const json &content, const std::string &file) {
  Result<runtime::OutputFile> out = runtime::OutputFile::create(file);
  if (!out)
    return out.takeStatus();
  const std::string text = content.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  if (Status written = out->write(text); !written.ok())
    return written;
  return out->commit();
}

} // namespace strata::machine
