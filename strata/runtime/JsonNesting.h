// How deep a text of JSON nests: what reads, copies and prints such values calls itself for each
// level.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_JSONNESTING_H
#define STRATA_RUNTIME_JSONNESTING_H

#include <cstddef>
#include <string_view>

namespace strata::runtime {

/// Tells whether a text nests deeper than any file or message that is meant to be read, which is
/// 128 levels. Brackets within texts do not count.
inline bool isJsonTooDeep(std::string_view json) {
  constexpr int most = 128;
  int depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted && c == '\\')
      ++at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '{' || c == '['))
      depth += 1;
    else if (!quoted && (c == '}' || c == ']') && depth > 0)
      depth -= 1;
    if (depth > most)
      return true;
  }
  return false;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_JSONNESTING_H
