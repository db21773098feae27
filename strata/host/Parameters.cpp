// Finds the parameters of a program, and reads their values.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Parameters.h"

#include "strata/runtime/Cells.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/storage/Buffer.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

using strata::runtime::Error;
using strata::runtime::Result;

namespace strata::host {
namespace {

using Kinds = std::map<std::string, ParameterKind>;

bool isInteger(strata_type type) {
  return runtime::withValueType(type, []<typename T>(T *) { return std::is_integral_v<T>; });
}

void add(Kinds &kinds, const std::string &name, ParameterKind kind) {
  if (name.empty())
    return;
  auto [known, isNew] = kinds.try_emplace(name, kind);
  if (!isNew && kind == ParameterKind::Integer)
    known->second = kind;
}

void collect(const Instructions &instructions, const Program &program, Kinds &kinds) {
  for (const Instruction &at : instructions.list)
    std::visit(
        [&]<typename T>(const T &one) {
          if constexpr (std::is_same_v<T, Read> || std::is_same_v<T, Write>) {
            add(kinds, one.file.parameter, ParameterKind::File);
            if constexpr (std::is_same_v<T, Read>)
              for (const std::string &size : one.sizes)
                add(kinds, size, ParameterKind::Integer);
          } else if constexpr (std::is_same_v<T, Parameter>) {
            bool integer =
                one.to < 0 || isInteger(program.types[size_t(one.type)].parts.front().element);
            add(kinds, one.name, integer ? ParameterKind::Integer : ParameterKind::Number);
          } else if constexpr (std::is_same_v<T, If>) {
            collect(one.body, program, kinds);
            collect(one.otherwise, program, kinds);
          } else if constexpr (std::is_same_v<T, For> || std::is_same_v<T, Loop>) {
            collect(one.rounds.body, program, kinds);
          }
        },
        at.operation);
}

Error malformed(const std::string &name, const std::string &text, const std::string &why) {
  return Error{Error::Parameter, "the parameter '" + name + "' is \"" + text + "\", " + why};
}

// All of the text as a number; a plus before it is none of the sign that the library reads.
template <typename T> std::errc read(const std::string &text, T &value) {
  const char *first = text.data(), *last = first + text.size();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    ++first;
  auto [end, error] = std::from_chars(first, last, value);
  return error == std::errc() && end != last ? std::errc::invalid_argument : error;
}

template <typename T>
Result<T> integerOf(const std::string &name, const std::string &text, strata_type type) {
  T value{};
  int64_t any = 0;
  if (std::errc error = read(text, value); error == std::errc())
    return value;
  else if (error == std::errc::result_out_of_range || read(text, any) == std::errc())
    return malformed(name, text,
                     std::string("which ") + runtime::typeName(type) + " cannot represent");
  Error error = malformed(name, text, "which is no integer");
  if (double real = 0; read(text, real) == std::errc() && std::isfinite(real))
    error.expected = "an integer, since the program computes with integers here; strata compile "
                     "-D " +
                     name + "=" + text + " makes one for this value";
  return error;
}

Result<double> realOf(const std::string &name, const std::string &text) {
  double value = 0;
  if (read(text, value) == std::errc() && std::isfinite(value))
    return value;
  return malformed(name, text, "which is not a number");
}

template <typename T> std::vector<char> bytesOf(const T &value) {
  std::vector<char> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

} // namespace

Kinds parametersOf(const Program &program) {
  Kinds kinds;
  collect(program.body, program, kinds);
  for (const Machine &machine : program.machines) {
    add(kinds, machine.name, ParameterKind::Cells);
    for (const Machine::Axis &axis : machine.axes)
      add(kinds, axis.parameter, ParameterKind::Integer);
  }
  return kinds;
}

const char *wordOf(ParameterKind kind) {
  switch (kind) {
  case ParameterKind::File:
    return "FILE";
  case ParameterKind::Number:
    return "NUMBER";
  case ParameterKind::Cells:
    return "CELLS";
  case ParameterKind::Integer:
    break;
  }
  return "INTEGER";
}

Result<int64_t> sizeOf(const std::string &name, const std::string &text) {
  int64_t value = 0;
  if (read(text, value) != std::errc())
    return malformed(name, text, "which is no integer");
  if (value < 0)
    return Error{Error::Size, "a size cannot be " + text, "one from 0 on for '" + name + "'"};
  return value;
}

Result<std::vector<int64_t>> cellsOf(const std::string &name, const std::string &text,
                                     size_t axes) {
  std::optional<std::vector<int64_t>> cells = runtime::parseCells(text);
  if (!cells)
    return malformed(name, text, "which are no numbers of cells: 2x3");
  if (cells->size() != axes)
    return Error{Error::Cells, "machine '" + name + "' has " +
                                   counted(int64_t(axes), "axis", "axes") + ", but '" + text +
                                   "' has " + std::to_string(cells->size())};
  return std::move(*cells);
}

Result<std::vector<char>> elementOf(const std::string &name, const std::string &text,
                                    strata_type type) {
  return runtime::withValueType(type, [&]<typename T>(T *) -> Result<std::vector<char>> {
    using Read = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
    if constexpr (std::is_integral_v<T>) {
      Result<Read> value = integerOf<Read>(name, text, type);
      if (!value)
        return value.takeStatus();
      if (std::is_same_v<T, bool> && *value > 1)
        return malformed(name, text, "which bool cannot represent");
      return bytesOf(*value);
    } else {
      Result<double> value = realOf(name, text);
      if (!value)
        return value.takeStatus();
      if constexpr (runtime::isComplexNumber<T>)
        return bytesOf(T(decltype(T().real())(*value)));
      else
        return bytesOf(static_cast<T>(*value));
    }
  });
}

} // namespace strata::host
