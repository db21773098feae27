// Asks the system about the machine, and tells how long work takes at its speeds.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Machine.h"

#include "strata/runtime/Caches.h"
#include "strata/runtime/MainId.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <unistd.h>

namespace strata::machine {

namespace {

std::vector<MemoryLevel> findLevels(const std::set<int> &visible) {
  std::vector<MemoryLevel> levels;
  for (const runtime::Cache &cache : runtime::findCaches(visible))
    levels.push_back({.name = "L" + std::to_string(cache.level),
                      .bytes = cache.bytes,
                      .threads = std::max<int64_t>(cache.sharing, 1),
                      .usable = cache.bytes});
  return levels;
}

/// "ARM64, implementer 0x41, part 0xd0c, variant 3, revision 1"
std::string describeArm(const runtime::MainId &id) {
  char text[96];
  std::snprintf(text, sizeof text, "ARM64, implementer 0x%x, part 0x%x, variant %u, revision %u",
                static_cast<unsigned>(id.implementer()), static_cast<unsigned>(id.part()),
                static_cast<unsigned>(id.variant()), static_cast<unsigned>(id.revision()));
  return text;
}

/// Its name, with what tells versions of it apart.
std::string findProcessor() {
  if (const runtime::MainId id = runtime::mainId(); id.bits != 0)
    return describeArm(id);
  std::ifstream in("/proc/cpuinfo");
  std::map<std::string, std::string> facts;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos)
      continue;
    const size_t end = line.find_last_not_of(" \t", colon - 1);
    const size_t begin = line.find_first_not_of(' ', colon + 1);
    facts[line.substr(0, end + 1)] = begin == std::string::npos ? "" : line.substr(begin);
  }
  if (facts["model name"].empty())
    return "unknown processor";
  return facts["model name"] + ", family " + facts["cpu family"] + ", model " + facts["model"] +
         ", microcode " + facts["microcode"];
}

} // namespace

Machine describeMachine() {
  const std::set<int> visible = runtime::visibleProcessors();
  Machine machine;
  machine.processor = findProcessor();
  machine.threads = std::max<int64_t>(static_cast<int64_t>(visible.size()), 1);
  machine.levels = findLevels(visible);
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  machine.levels.push_back(
      {.name = "memory", .bytes = std::max<int64_t>(pages, 0) * page, .threads = machine.threads});
  machine.levels.back().usable = machine.levels.back().bytes;
  return machine;
}

const MemoryLevel &Machine::levelFor(double bytes, bool allThreads) const {
  const auto holds = [&](const MemoryLevel &level) {
    return bytes <= static_cast<double>(level.usable * (allThreads ? copies(level) : 1));
  };
  const auto found = std::ranges::find_if(levels, holds);
  return found == levels.end() ? levels.back() : *found;
}

Machine betterOf(const Machine &machine, const Machine &before) {
  const bool same = machine.processor == before.processor && machine.threads == before.threads &&
                    machine.levels.size() == before.levels.size() && before.isMeasured();
  if (!same)
    return machine;
  Machine better = machine;
  const auto most = [](auto &figure, auto other) { figure = std::max(figure, other); };
  const auto least = [](double &figure, double other) {
    figure = figure > 0 && other > 0 ? std::min(figure, other) : std::max(figure, other);
  };
  for (size_t at = 0; at < better.levels.size(); ++at) {
    MemoryLevel &level = better.levels[at];
    most(level.usable, before.levels[at].usable);
    most(level.readOne, before.levels[at].readOne);
    most(level.readAll, before.levels[at].readAll);
    least(level.jump, before.levels[at].jump);
  }
  for (size_t width = 0; width < better.multiplyAdd.size(); ++width)
    most(better.multiplyAdd[width], before.multiplyAdd[width]);
  most(better.multiplyAddAll, before.multiplyAddAll);
  most(better.rememberedBranches, before.rememberedBranches);
  for (double Machine::*seconds :
       {&Machine::cycle, &Machine::gatheredLoad, &Machine::scalarLoad, &Machine::mispredictedBranch,
        &Machine::missedLine, &Machine::wakingThread})
    least(better.*seconds, before.*seconds);
  return better;
}

Roofline roofline(const Machine &machine, double bytes, double operations, bool allThreads) {
  Roofline result;
  result.level = &machine.levelFor(bytes, allThreads);
  const double read = allThreads ? result.level->readAll : result.level->readOne;
  const double rate = allThreads ? machine.multiplyAddAll : std::ranges::max(machine.multiplyAdd);
  const double moving = read > 0 ? bytes / read : 0, computing = rate > 0 ? operations / rate : 0;
  result.computes = computing > moving;
  result.seconds = std::max(moving, computing);
  return result;
}

} // namespace strata::machine
