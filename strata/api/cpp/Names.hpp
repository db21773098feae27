// The names that a statement's text gives to tensors, numbers and index variables.
#ifndef STRATA_API_CPP_NAMES_HPP
#define STRATA_API_CPP_NAMES_HPP

#include "strata/api/cpp/Expressions.hpp"

#include <set>

namespace strata {
inline namespace cpp {
namespace detail {

/// Names in the order in which they are asked for, so that statements that differ in their tensors
/// only have the same text. Names that users chose are kept, if they are told apart.
class Names {
public:
  /// Reserves the names that users chose.
  void reserve(const Tokens &tokens);

  std::string variable(const Token &token) {
    std::string &name = variables[token.variable];
    if (name.empty())
      name = fresh("ijklmnopqrt", 'i');
    return name;
  }
  std::string tensor(const TensorState *tensor, int32_t order, bool result = false) {
    std::string &name = tensors[tensor];
    if (name.empty())
      name = order == 0   ? fresh(result ? "s" : scalarLetters, 's')
             : order == 1 ? fresh(result ? "y" : "xzuvw", 'x')
                          : fresh(result ? "C" : "ABDEFGHMNPQRSTUVW", 'A');
    return name;
  }
  std::string argument(const Token &token) {
    if (!token.param)
      return fresh(scalarLetters, 'a');
    std::string &name = params[token.param.get()];
    if (name.empty())
      name = fresh(scalarLetters, 'a');
    return name;
  }

private:
  static constexpr const char *scalarLetters = "abcdfgh";

  // The first letter that is no name yet, or a letter with a number.
  std::string fresh(const char *letters, char otherwise) {
    for (const char *letter = letters; *letter; ++letter)
      if (used.insert(std::string(1, *letter)).second)
        return std::string(1, *letter);
    for (int number = 1;; ++number)
      if (std::string name = otherwise + std::to_string(number); used.insert(name).second)
        return name;
  }
  void keep(std::string &name, const std::string &chosen) {
    if (name.empty() && !chosen.empty() && used.insert(chosen).second)
      name = chosen;
  }

  std::set<std::string> used;
  std::map<uint64_t, std::string> variables;
  std::map<const TensorState *, std::string> tensors;
  std::map<const ParamBox *, std::string> params;
};

} // namespace detail
} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_NAMES_HPP
