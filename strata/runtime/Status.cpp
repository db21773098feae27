// How errors of the runtime read.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"

#include "strata/runtime/Counted.h"

#include <cerrno>
#include <cstring>

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

const Error &Status::noFailure() {
  static const Error error = internalError("the error of a status that is ok");
  return error;
}

Status strata::runtime::lacksValue(std::source_location where) {
  return internalError("success without a value", where);
}

Error strata::runtime::systemError(const char *what, std::string_view file) {
  const int code = errno;
  return {std::string("cannot ") + what + ": " + std::strerror(code), "", std::string(file), 0};
}

Error strata::runtime::outOfMemory(const std::string &purpose, int64_t bytes) {
  return Error{.message = "cannot allocate " + counted(bytes, "byte") + " for " + purpose};
}
