// How errors of the runtime read.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Status.h"

#include "strata/runtime/Counted.h"

using namespace strata::runtime;

static std::string place(const Error &error) {
  if (error.file.empty())
    return "";
  return error.file + (error.line > 0 ? ":" + std::to_string(error.line) : "") + ": ";
}

static std::string statement(const Error &error) {
  return error.message + (error.expected.empty() ? "" : "; expected " + error.expected);
}

std::string Error::text() const { return place(*this) + "error: " + statement(*this); }

std::string Error::sentence() const { return place(*this) + statement(*this); }

Error strata::runtime::outOfMemory(const std::string &purpose, int64_t bytes) {
  return Error{.message = "cannot allocate " + counted(bytes, "byte") + " for " + purpose};
}
