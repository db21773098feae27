// Reads what Linux says about caches.
#include "strata/runtime/Caches.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sched.h>
#include <string>

namespace strata::runtime {

namespace {

/// The first line of a file of the kernel's; empty if there is none.
std::string firstLine(const std::string &file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
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

} // namespace

std::set<int> visibleProcessors() {
  cpu_set_t set;
  std::set<int> found;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int at = 0; at < CPU_SETSIZE; ++at)
      if (CPU_ISSET(at, &set))
        found.insert(at);
  return found;
}

std::vector<Cache> findCaches(const std::set<int> &visible) {
  const std::string folder = "/sys/devices/system/cpu/cpu" +
                             std::to_string(visible.empty() ? 0 : *visible.begin()) +
                             "/cache/index";
  std::map<int, Cache> found;
  for (int at = 0; at < 8; ++at) {
    const std::string one = folder + std::to_string(at);
    const std::string type = firstLine(one + "/type");
    const int64_t bytes = bytesOf(firstLine(one + "/size"));
    if ((type != "Data" && type != "Unified") || bytes <= 0)
      continue;
    const int level = std::atoi(firstLine(one + "/level").c_str());
    found[level] = {level, bytes, countIn(firstLine(one + "/shared_cpu_list"), visible)};
  }
  std::vector<Cache> caches;
  for (const auto &[level, cache] : found)
    caches.push_back(cache);
  return caches;
}

} // namespace strata::runtime
