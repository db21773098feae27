// How failures of Strata itself read.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"

using namespace strata::runtime;

// The path inside the repository, wherever it was compiled.
static std::string_view inRepository(std::string_view file) {
  size_t root = file.rfind("/strata/");
  return root == std::string_view::npos ? file : file.substr(root + 1);
}

Error strata::runtime::internalError(std::string_view what, std::source_location where) {
  return Error{Error::NoCode, "internal error, at " + std::string(inRepository(where.file_name())) +
                                  ":" + std::to_string(where.line()) + ": " + std::string(what)};
}
