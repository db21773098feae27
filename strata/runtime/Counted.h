// Numbers together with what they count.
#ifndef STRATA_RUNTIME_COUNTED_H
#define STRATA_RUNTIME_COUNTED_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace strata {

/// The noun, in the singular if the count is 1: "entry", "entries". `many` is the plural where it
/// is neither the noun with an s, nor that of a word in a consonant and y.
inline std::string nounFor(int64_t count, std::string_view noun, std::string_view many = {}) {
  if (count == 1)
    return std::string(noun);
  if (!many.empty())
    return std::string(many);
  bool inY = noun.ends_with('y') &&
             std::string_view("aeiou").find(noun[noun.size() - 2]) == std::string_view::npos;
  return inY ? std::string(noun.substr(0, noun.size() - 1)) + "ies" : std::string(noun) + "s";
}

/// The count with its noun: "1 entry", "2 entries".
inline std::string counted(int64_t count, std::string_view noun, std::string_view many = {}) {
  return std::to_string(count) + " " + nounFor(count, noun, many);
}

/// The sizes of a tensor: "3 x 4"; empty of a scalar.
inline std::string sizesText(std::span<const int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

} // namespace strata

#endif // STRATA_RUNTIME_COUNTED_H
