// How errors of the runtime read.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"

#include "strata/runtime/Counted.h"

#include <algorithm>
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

std::string Error::sentence() const { return place(*this) + statement(*this) + mark(); }

std::string Error::mark() const {
  if (code == NoCode)
    return "";
  const std::string digits = std::to_string(code);
  return " [SE" + std::string(4 - std::min<size_t>(digits.size(), 4), '0') + digits + "]";
}

Error strata::runtime::within(const std::string &where, Error error) {
  error.message = where + ": " + error.message;
  return error;
}

Error::Code strata::runtime::codeOf(strata_status status) {
  switch (status) {
  case STRATA_OUT_OF_MEMORY:
    return Error::Memory;
  case STRATA_OVERFLOW:
    return Error::IndexWidth;
  case STRATA_INTERRUPTED:
    return Error::Interrupted;
  case STRATA_BAD_ARGUMENT:
    return Error::InvalidStorage;
  case STRATA_DIVISION_BY_ZERO:
    return Error::Arithmetic;
  case STRATA_NO_PLACE:
    return Error::NoRoom;
  case STRATA_NOT_ASSEMBLED:
  case STRATA_NOT_IN_PATTERN:
    return Error::Pattern;
  case STRATA_OK:
    break;
  }
  return Error::NoCode;
}

const Error &Status::noFailure() {
  static const Error error = internalError("the error of a status that is ok");
  return error;
}

Status strata::runtime::lacksValue(std::source_location where) {
  return internalError("success without a value", where);
}

Error strata::runtime::systemError(const char *what, std::string_view file) {
  const int code = errno;
  return {file.empty() ? Error::System : Error::FileAccess,
          std::string("cannot ") + what + ": " + std::strerror(code), "", std::string(file), 0};
}

Error strata::runtime::outOfMemory(const std::string &purpose, int64_t bytes) {
  return Error{Error::Memory, "cannot allocate " + counted(bytes, "byte") + " for " + purpose};
}
