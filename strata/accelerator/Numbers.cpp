// Names of number types.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Numbers.h"

#include <algorithm>
#include <iterator>

namespace strata::accelerator {

std::string nameOf(Type type) {
  switch (type) {
  case Type::int8:
    return "int8";
  case Type::int32:
    return "int32";
  case Type::float16:
    return "float16";
  case Type::float32:
    return "float32";
  case Type::float64:
    return "float64";
  }
  return "";
}

std::optional<Type> typeNamed(const std::string &name) {
  const auto *found = std::ranges::find_if(types, [&](Type type) { return nameOf(type) == name; });
  return found == std::end(types) ? std::nullopt : std::optional(*found);
}

} // namespace strata::accelerator
