// Schedules as values.
#ifndef STRATA_API_CPP_SCHEDULE_HPP
#define STRATA_API_CPP_SCHEDULE_HPP

#include "strata/api/cpp/Expressions.hpp"
#include "strata/api/cpp/Machines.hpp"

namespace strata {
inline namespace cpp {

/// An argument of a scheduling command: an index variable, a tensor, a number, a word or several in
/// braces.
class ScheduleArgument {
public:
  ScheduleArgument(const IndexVar &variable) : tokens{variable.token()} {}
  ScheduleArgument(const TensorBase &tensor);
  ScheduleArgument(const Expr &expression) : tokens(expression.tokens()) {}
  ScheduleArgument(const char *word) : tokens{detail::textToken(word)} {}
  ScheduleArgument(const std::string &word) : tokens{detail::textToken(word)} {}
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  ScheduleArgument(T number) : tokens{detail::textToken(std::to_string(number))} {}
  template <typename T>
  ScheduleArgument(const Param<T> &number) : ScheduleArgument(std::to_string(number.get())) {}
  ScheduleArgument(const Machine::Axis &axis) : ScheduleArgument(axis.text) {}
  ScheduleArgument(std::initializer_list<std::reference_wrapper<const TensorBase>> tensors);
  ScheduleArgument(const std::vector<IndexVar> &variables) : tokens{detail::textToken("{")} {
    for (const IndexVar &variable : variables) {
      if (tokens.size() > 1)
        tokens.push_back(detail::textToken(", "));
      tokens.push_back(variable.token());
    }
    tokens.push_back(detail::textToken("}"));
  }

  detail::Tokens tokens;
};

inline constexpr const char *CPUThread = "CPUThread", *CPUVector = "CPUVector";

/// The commands that say how the loops of a statement run, in their order. docs/Schedules.md
/// describes them.
class Schedule {
public:
  Schedule() = default;
  /// From text, in which index variables without a name are called i, j, k, ...
  Schedule(const char *text) : parts{detail::textToken(text)} {}
  Schedule(std::string text) : parts{detail::textToken(std::move(text))} {}

  /// Any command: `command("assume", {k, 32})`.
  Schedule &command(const char *name, std::initializer_list<ScheduleArgument> arguments) {
    return add(name, arguments.begin(), arguments.end());
  }
  template <typename... Variables> Schedule &reorder(const Variables &...variables) {
    return command("reorder", {ScheduleArgument(variables)...});
  }
  Schedule &split(const IndexVar &i, const IndexVar &outer, const IndexVar &inner, int64_t size) {
    return command("split", {i, outer, inner, size});
  }
  /// Into a number of parts, or into one for each cell of a machine's axis.
  Schedule &divide(const IndexVar &i, const IndexVar &outer, const IndexVar &inner,
                   const ScheduleArgument &parts) {
    return command("divide", {i, outer, inner, parts});
  }
  Schedule &distribute(const IndexVar &i) { return command("distribute", {i}); }
  Schedule &distribute(const std::vector<IndexVar> &variables) {
    return command("distribute", {variables});
  }
  /// Pieces come where the loop over cells begins, or in rounds.
  Schedule &communicate(const TensorBase &tensor, const IndexVar &i) {
    return command("communicate", {tensor, i});
  }
  Schedule &communicate(std::initializer_list<std::reference_wrapper<const TensorBase>> tensors,
                        const IndexVar &i) {
    return command("communicate", {ScheduleArgument(tensors), i});
  }
  /// Rounds over `i` begin with another chunk on each cell.
  Schedule &rotate(const IndexVar &i, const std::vector<IndexVar> &cells, const IndexVar &rotated) {
    return command("rotate", {i, cells, rotated});
  }
  Schedule &fuse(const IndexVar &i, const IndexVar &j, const IndexVar &fused) {
    return command("fuse", {i, j, fused});
  }
  Schedule &pos(const IndexVar &i, const IndexVar &position, const TensorBase &tensor) {
    return command("pos", {i, position, tensor});
  }
  Schedule &parallelize(const IndexVar &i, const char *unit = "CPUThread",
                        const char *races = "NoRaces") {
    return command("parallelize", {i, unit, races});
  }
  Schedule &vectorize(const IndexVar &i, int64_t lanes) { return command("vectorize", {i, lanes}); }
  /// Of all loops of a contraction.
  template <typename... Variables> Schedule &contract(const Variables &...variables) {
    return command("contract", {ScheduleArgument(variables)...});
  }
  Schedule &unroll(const IndexVar &i, int64_t times) { return command("unroll", {i, times}); }

  const detail::Tokens &tokens() const { return parts; }

private:
  Schedule &add(const char *name, const ScheduleArgument *begin, const ScheduleArgument *end) {
    parts.push_back(detail::textToken(std::string(parts.empty() ? "" : ", ") + name + "("));
    for (const ScheduleArgument *argument = begin; argument != end; ++argument) {
      if (argument != begin)
        parts.push_back(detail::textToken(", "));
      detail::append(parts, argument->tokens);
    }
    parts.push_back(detail::textToken(")"));
    return *this;
  }

  detail::Tokens parts;
};

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_SCHEDULE_HPP
