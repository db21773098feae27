// Reading the JSON of data files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_PARSEJSON_H
#define STRATA_RUNTIME_IO_PARSEJSON_H

#include "strata/runtime/JsonNesting.h"

#include <nlohmann/json.hpp>

namespace strata::runtime {

/// Returns the value of a text; a discarded one, which is no object, where the text is malformed or
/// nests too deeply.
inline nlohmann::json parseJson(std::string_view text) {
  return isJsonTooDeep(text) ? nlohmann::json(nlohmann::json::value_t::discarded)
                             : nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_PARSEJSON_H
