// What is wrong with a line that is no entry. Slow and thorough: only lines that failed come here.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/EntryReader.h"

#include <algorithm>

namespace strata::runtime {

std::string quoteToken(std::string_view token) {
  constexpr size_t longest = 40;
  std::string text = "'";
  for (char character : token.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(character);
    constexpr char hex[] = "0123456789abcdef";
    if (byte >= 0x20 && byte < 0x7f)
      text += character;
    else
      text += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
  }
  return text + (token.size() > longest ? "…'" : "'");
}

std::string coordinateName(int order, int dimension) {
  if (order == 2)
    return dimension == 0 ? "row" : "column";
  return order == 1 ? "index" : "index " + std::to_string(dimension + 1);
}

namespace {

/// Walks over the tokens of one line.
class Explanation {
public:
  Explanation(const InputFile &file, const TextLine &line, const EntryShape &shape)
      : file(file), shape(shape), number(line.number), at(line.begin), lineStop(line.end) {}

  std::optional<Error> find() {
    for (int d = 0; d < shape.order; ++d)
      if (auto error = explainCoordinate(d))
        return error;
    const int values = shape.value == ValueText::none      ? 0
                       : shape.value == ValueText::complex ? 2
                                                           : 1;
    for (int v = 0; v < values; ++v)
      if (auto error = explainValue(v))
        return error;
    if (nextToken())
      return fail(Error::Entry, "an extra " + token() + " at the end of the line", contents());
    return std::nullopt;
  }

private:
  bool nextToken() {
    const char *limit = lineStop;
    begin = std::find_if_not(at, limit, isBlank);
    stop = std::find_if(begin, limit, isBlank);
    at = stop;
    return begin != stop;
  }
  std::string token() const { return quoteToken({begin, stop}); }
  Error fail(Error::Code code, std::string message, std::string expected) const {
    return file.errorAt(number, code, std::move(message), std::move(expected));
  }

  /// `a row, a column and a value`
  std::string contents() const {
    std::string text;
    if (shape.order == 1)
      text = "an index";
    else if (shape.order == 2)
      text = "a row and a column";
    else if (shape.order > 2)
      text = counted(shape.order, "index", "indices");
    if (shape.value != ValueText::none) {
      if (shape.order == 2)
        text = "a row, a column";
      const char *value =
          shape.value == ValueText::complex ? "a real and an imaginary part" : "a value";
      text += (text.empty() ? "" : " and ") + std::string(value);
    }
    return text + " and nothing else" + (shape.why.empty() ? "" : " " + shape.why);
  }

  std::optional<Error> explainCoordinate(int dimension) {
    const std::string name = coordinateName(shape.order, dimension);
    const int64_t size = shape.sizes[static_cast<size_t>(dimension)];
    const int64_t last = size == unknownSize ? INT64_MAX : size - 1 + shape.base;
    const std::string from = "an integer from " + std::to_string(shape.base);
    std::string range = size == unknownSize ? from + " on"
                        : size == 0         ? "no entry, as the size is 0"
                                            : from + " to " + std::to_string(last);
    if (!nextToken())
      return fail(Error::Entry, "the line ends before the " + name, range);
    const char *p = begin;
    int64_t value;
    switch (readInteger(p, value)) {
    case NumberFault::notANumber:
      return fail(Error::Entry, "the " + name + " is " + token(), range);
    case NumberFault::outOfRange:
      return fail(Error::EntryIndex, "the " + name + " " + token() + " does not fit 64 bits",
                  range);
    case NumberFault::none:
      break;
    }
    if (p != stop || !isDigit(*begin)) {
      if (p == stop && value < shape.base)
        return fail(Error::EntryIndex, "the " + name + " is " + token(), range);
      return fail(Error::Entry, "the " + name + " is " + token(), range + " (digits only)");
    }
    if (value < shape.base)
      return fail(Error::EntryIndex, "the " + name + " is 0",
                  range + ": indices count from 1" + shape.baseHint);
    if (value > last)
      return fail(Error::EntryIndex, "the " + name + " is " + std::to_string(value), range);
    return std::nullopt;
  }

  std::optional<Error> explainValue(int part) {
    const bool complex = shape.value == ValueText::complex;
    const std::string name = !complex ? "value" : part == 0 ? "real part" : "imaginary part";
    const std::string why = shape.why.empty() ? "" : " " + shape.why;
    if (!nextToken())
      return fail(Error::Entry, "the line ends before the " + name, "a number" + why);
    const char *p = begin;
    double real;
    int64_t integer = 0;
    uint64_t natural = 0;
    switch (shape.value) {
    case ValueText::none:
    case ValueText::real:
    case ValueText::complex:
      return explain(name, readReal(p, real), p, "a decimal number" + why, "f64");
    case ValueText::integer:
      return explain(name, readIntegerAsReal(p, real), p, "an integer" + why, "f64");
    case ValueText::strictInteger32:
      return explain(name, narrow(readInteger(p, integer), integer), p, "an integer" + why,
                     narrowType());
    case ValueText::integer32:
      return explain(name, narrow(readWholeNumber(p, integer), integer), p, "an integer" + why,
                     narrowType());
    case ValueText::strictInteger64:
      return explain(name, readInteger(p, integer), p, "an integer" + why + wider(), "i64");
    case ValueText::integer64:
      return explain(name, readWholeNumber(p, integer), p, "an integer" + why + wider(), "i64");
    case ValueText::natural64:
      return explain(name, readWholeNatural(p, natural), p, "an integer from 0 on" + why, "u64");
    }
    return std::nullopt;
  }

  /// What may hold an integer that int64 does not.
  std::string wider() const {
    uint64_t value;
    const char *p = begin;
    const bool natural = readNatural(p, value) == NumberFault::none && p == stop;
    return natural && value > INT64_MAX ? ", or values of type uint64 or double" : "";
  }

  /// The type for which 32 bits are read.
  const char *narrowType() const { return typeName(shape.wanted.value_or(STRATA_I32)); }

  static NumberFault narrow(NumberFault fault, int64_t value) {
    const bool fits = value >= INT32_MIN && value <= INT32_MAX;
    return fault == NumberFault::none && !fits ? NumberFault::outOfRange : fault;
  }

  /// After a number was read up to `p`.
  std::optional<Error> explain(const std::string &name, NumberFault fault, const char *p,
                               std::string expected, const char *type) {
    if (fault == NumberFault::outOfRange)
      return fail(Error::ElementValue,
                  "the " + name + " " + token() + " does not fit the type " + type,
                  std::move(expected));
    if (fault == NumberFault::notANumber || p != stop)
      return fail(Error::Entry, "the " + name + " is " + token(), std::move(expected));
    return std::nullopt;
  }

  const InputFile &file;
  const EntryShape &shape;
  int64_t number;
  const char *at, *lineStop, *begin = nullptr, *stop = nullptr;
};

} // namespace

std::optional<Error> explainEntry(const InputFile &file, const TextLine &line,
                                  const EntryShape &shape) {
  return Explanation(file, line, shape).find();
}

} // namespace strata::runtime
