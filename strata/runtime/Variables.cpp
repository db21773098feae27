// Environment variables, and what a file of settings gives in their place.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Variables.h"

#include <cstdlib>
#include <map>
#include <mutex>

namespace strata::runtime {

namespace {

/// Values stay where they are until the process ends: callers keep pointers to them.
struct Given {
  std::mutex mutex;
  std::map<std::string, std::string> over, under;
};

Given &given() {
  static Given &one = *new Given;
  return one;
}

} // namespace

const char *variable(const char *name) {
  Given &all = given();
  const std::lock_guard lock(all.mutex);
  if (auto found = all.over.find(name); found != all.over.end())
    return found->second.c_str();
  if (const char *value = std::getenv(name))
    return value;
  auto found = all.under.find(name);
  return found == all.under.end() ? nullptr : found->second.c_str();
}

void giveVariable(const std::string &name, std::string value, Precedence precedence) {
  Given &all = given();
  const std::lock_guard lock(all.mutex);
  (precedence == Precedence::OverEnvironment ? all.over : all.under)
      .try_emplace(name, std::move(value));
}

} // namespace strata::runtime
