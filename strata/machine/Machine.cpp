// Asks the system about the machine, and tells how long work takes at its speeds.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Machine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <unistd.h>

namespace strata::machine {

namespace {

/// The first line of a file of the kernel's; empty if there is none.
std::string firstLine(const std::string &file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The processors that this process may use.
std::set<int> visibleProcessors() {
  cpu_set_t set;
  std::set<int> found;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int at = 0; at < CPU_SETSIZE; ++at)
      if (CPU_ISSET(at, &set))
        found.insert(at);
  return found;
}

/// How many processors of a list such as "0-3,8" are among `visible`.
int64_t countIn(const std::string &list, const std::set<int> &visible) {
  int64_t count = 0;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    int first = 0, last = 0;
    const int numbers = sscanf(list.substr(at, end - at).c_str(), "%d-%d", &first, &last);
    if (numbers == 1)
      last = first;
    for (int one = first; numbers > 0 && one <= last; ++one)
      count += static_cast<int64_t>(visible.count(one));
    at = end + 1;
  }
  return count;
}

/// "48K", "32M"
int64_t bytesOf(const std::string &text) {
  long long number = 0;
  char unit = 0;
  const int parts = sscanf(text.c_str(), "%lld%c", &number, &unit);
  if (parts < 1)
    return 0;
  return number << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

std::vector<MemoryLevel> findCaches(const std::set<int> &visible) {
  const std::string folder = "/sys/devices/system/cpu/cpu" +
                             std::to_string(visible.empty() ? 0 : *visible.begin()) +
                             "/cache/index";
  std::map<std::string, MemoryLevel> found;
  for (int at = 0; at < 8; ++at) {
    const std::string one = folder + std::to_string(at);
    const std::string type = firstLine(one + "/type");
    const int64_t bytes = bytesOf(firstLine(one + "/size"));
    if ((type != "Data" && type != "Unified") || bytes <= 0)
      continue;
    const std::string name = "L" + firstLine(one + "/level");
    const int64_t sharing = countIn(firstLine(one + "/shared_cpu_list"), visible);
    found[name] = {.name = name, .bytes = bytes, .threads = std::max<int64_t>(sharing, 1)};
  }
  std::vector<MemoryLevel> caches;
  for (auto &[name, cache] : found)
    caches.push_back(std::move(cache));
  return caches;
}

/// Its name, with what tells versions of it apart.
std::string findProcessor() {
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
  const std::set<int> visible = visibleProcessors();
  Machine machine;
  machine.processor = findProcessor();
  machine.threads = std::max<int64_t>(static_cast<int64_t>(visible.size()), 1);
  machine.levels = findCaches(visible);
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  machine.levels.push_back(
      {.name = "memory", .bytes = std::max<int64_t>(pages, 0) * page, .threads = machine.threads});
  return machine;
}

const MemoryLevel &Machine::levelFor(double bytes) const {
  const auto holds = [&](const MemoryLevel &level) {
    return bytes <= static_cast<double>(level.bytes * copies(level));
  };
  const auto found = std::ranges::find_if(levels, holds);
  return found == levels.end() ? levels.back() : *found;
}

Roofline roofline(const Machine &machine, double bytes, double operations, bool allThreads) {
  Roofline result;
  result.level = &machine.levelFor(bytes);
  const double read = allThreads ? result.level->readAll : result.level->readOne;
  const double rate = allThreads ? machine.multiplyAddAll : std::ranges::max(machine.multiplyAdd);
  const double moving = read > 0 ? bytes / read : 0, computing = rate > 0 ? operations / rate : 0;
  result.computes = computing > moving;
  result.seconds = std::max(moving, computing);
  return result;
}

} // namespace strata::machine
