// The session of the back end, with the formats and statements that it has made.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_API_SPBLAS_LIBRARY_HPP
#define STRATA_API_SPBLAS_LIBRARY_HPP

#include "strata/api/strata.h"

#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace strata::spblas {

/// Throws what went wrong, and frees it.
inline void check(strata_error *error) {
  if (!error)
    return;
  const int32_t kind = strata_error_kind(error);
  std::string text = strata_error_message(error);
  if (const char *hint = strata_error_hint(error); *hint)
    text.append("; ").append(hint);
  strata_error_free(error);
  if (kind == STRATA_ERROR_MEMORY)
    throw std::bad_alloc();
  if (kind == STRATA_ERROR_SHAPE || kind == STRATA_ERROR_ARGUMENT)
    throw std::invalid_argument(text);
  throw std::runtime_error(text);
}

struct Release {
  void operator()(strata_tensor *tensor) const { strata_tensor_release(tensor); }
  void operator()(strata_statement *statement) const { strata_statement_release(statement); }
};
using Tensor = std::unique_ptr<strata_tensor, Release>;
using Statement = std::unique_ptr<strata_statement, Release>;

/// The strata_type of elements, positions and coordinates. Numbers without a sign are read as those
/// with one: no count and no coordinate is so large.
template <typename T> constexpr strata_type typeOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, float>)
    return STRATA_F32;
  else if constexpr (std::is_same_v<U, double>)
    return STRATA_F64;
  else if constexpr (std::is_same_v<U, std::complex<float>>)
    return STRATA_C64;
  else if constexpr (std::is_same_v<U, std::complex<double>>)
    return STRATA_C128;
  else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
    return sizeof(U) == 8   ? STRATA_I64
           : sizeof(U) == 4 ? STRATA_I32
           : sizeof(U) == 2 ? STRATA_I16
                            : STRATA_I8;
  else if constexpr (std::is_integral_v<U>)
    return sizeof(U) == 8   ? STRATA_U64
           : sizeof(U) == 4 ? STRATA_U32
           : sizeof(U) == 2 ? STRATA_U16
                            : STRATA_U8;
  else
    static_assert(sizeof(U) == 0, "Strata has no elements of this type; it has integers, float, "
                                  "double and std::complex of these two");
}

template <typename T> constexpr strata_type indexTypeOf() {
  return typeOf<std::make_signed_t<std::remove_cv_t<T>>>();
}

/// One for the process. It lives as long as that.
class Library {
public:
  static Library &get() {
    static Library *made = new Library;
    return *made;
  }

  strata_session *session() const { return own; }

  /// "Dense", or a map. Belongs to the library.
  strata_format *format(const std::string &text, int32_t order, strata_type type,
                        int32_t positions = 0, int32_t coordinates = 0) {
    std::lock_guard guard(turn);
    strata_format *&known = formats[{text, order, type, positions, coordinates}];
    if (known)
      return known;
    strata_format *parsed = nullptr;
    check(strata_format_parse(own, text.c_str(), order, type, &parsed));
    if (positions == 0) {
      known = parsed;
      return known;
    }
    strata_error *error = strata_format_with_widths(parsed, positions, coordinates, &known);
    strata_format_release(parsed);
    check(error);
    return known;
  }

  /// The statement for operands and a result of these formats.
  Statement statement(const std::string &text, const std::vector<strata_operand> &operands,
                      const strata_format *result) {
    std::string key = text;
    auto add = [&key](const strata_format *format) {
      key += "\n" + std::to_string(strata_format_type(format)) + strata_format_text(format);
    };
    for (const strata_operand &operand : operands)
      add(operand.format);
    add(result);
    std::lock_guard guard(turn);
    auto found = statements.find(key);
    if (found == statements.end()) {
      strata_statement_options options = {};
      options.result = result;
      strata_statement *made = nullptr;
      check(strata_statement_create(own, text.c_str(), operands.data(), int32_t(operands.size()),
                                    &options, &made));
      found = statements.emplace(std::move(key), made).first;
    }
    return Statement(strata_statement_retain(found->second));
  }

private:
  Library() { check(strata_session_create(&own)); }

  struct Key {
    std::string text;
    int32_t order, type, positions, coordinates;
    auto operator<=>(const Key &) const = default;
  };

  std::mutex turn;
  strata_session *own = nullptr;
  std::map<Key, strata_format *> formats;
  std::map<std::string, strata_statement *> statements;
};

} // namespace strata::spblas

#endif // STRATA_API_SPBLAS_LIBRARY_HPP
