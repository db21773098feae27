// How errors of the runtime read.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Status.h"

using namespace strata::runtime;

std::string Error::text() const {
  std::string result;
  if (!file.empty()) {
    result += file;
    if (line > 0)
      result += ":" + std::to_string(line);
    result += ": ";
  }
  result += "error: " + message;
  if (!expected.empty())
    result += "; expected " + expected;
  return result;
}

Error strata::runtime::outOfMemory(const std::string &purpose, int64_t bytes) {
  return Error{.message = "cannot allocate " + std::to_string(bytes) + " bytes for " + purpose};
}
