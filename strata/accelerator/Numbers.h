// The number types that accelerators compute with.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_NUMBERS_H
#define STRATA_ACCELERATOR_NUMBERS_H

#include <cstdint>
#include <optional>
#include <string>

namespace strata::accelerator {

/// Of factors. Products of 8-bit integers are added up as 32-bit ones; those of others in their own
/// type.
enum class Type { int8, int32, float16, float32, float64 };

constexpr Type types[] = {Type::int8, Type::int32, Type::float16, Type::float32, Type::float64};

constexpr int64_t factorBytes(Type type) {
  switch (type) {
  case Type::int8:
    return 1;
  case Type::float16:
    return 2;
  case Type::int32:
  case Type::float32:
    return 4;
  case Type::float64:
    return 8;
  }
  return 0;
}
constexpr int64_t sumBytes(Type type) { return type == Type::int8 ? 4 : factorBytes(type); }
/// Bytes of a product before it is added: one of integers has twice as many as a factor, as far as
/// the sum has them.
constexpr int64_t productBytes(Type type) { return type == Type::int8 ? 2 : factorBytes(type); }
constexpr bool isInteger(Type type) { return type == Type::int8 || type == Type::int32; }

/// "int8", "float32".
std::string nameOf(Type type);
std::optional<Type> typeNamed(const std::string &name);

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_NUMBERS_H
