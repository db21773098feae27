// Reads descriptions of accelerators, and gives their parameters values.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Accelerator.h"

#include "strata/accelerator/Technology.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace strata::accelerator {

using runtime::Error;
using runtime::Result;
using runtime::Status;

namespace {

struct Integer {
  const char *name;
  int64_t Accelerator::*value;
  int64_t least, most;
  const char *meaning;
};
constexpr Integer integers[] = {
    {"count", &Accelerator::count, 1, 1024, "accelerators that work at the same time"},
    {"kernel.rows", &Accelerator::rows, 1, 1024, "rows of the micro-kernel's result"},
    {"kernel.columns", &Accelerator::columns, 1, 1024, "columns of the micro-kernel's result"},
    {"kernel.depth", &Accelerator::depth, 1, 1024, "values that the micro-kernel contracts"},
    {"array.rows", &Accelerator::arrayRows, 1, 256, "rows whose products are made at once"},
    {"array.columns", &Accelerator::arrayColumns, 1, 256,
     "columns whose products are made at once"},
    {"units.multipliers", &Accelerator::multipliers, 0, 65536, "0: as the array has places"},
    {"units.adders", &Accelerator::adders, 0, 65536, "0: as the array has places"},
    {"latency.load", &Accelerator::loadLatency, 1, 100, "cycles"},
    {"latency.multiply", &Accelerator::multiplyLatency, 1, 100, "cycles"},
    {"latency.add", &Accelerator::addLatency, 1, 100, "cycles"},
    {"latency.store", &Accelerator::storeLatency, 1, 100, "cycles"},
    {"scratchpad.ports", &Accelerator::ports, 1, 2, "reads, and writes, of a bank in a cycle"},
    {"scratchpad.buffers", &Accelerator::buffers, 1, 2,
     "2: tiles arrive while others are computed"},
    {"technology.nanometers", &Accelerator::nanometers, 7, 45, "45, 32, 20, 16, 14, 10 or 7"}};

struct Real {
  const char *name;
  double Accelerator::*value;
  double least, most;
  const char *meaning;
};
constexpr Real reals[] = {
    {"clock.megahertz", &Accelerator::megahertz, 1, 10000, "millions of cycles a second"},
    {"transfer.bytes_per_cycle", &Accelerator::bytesPerCycle, 0.125, 65536,
     "between the host's memory and the scratchpads"}};

/// Names that stand for several parameters, or are shorter.
struct Short {
  const char *name, *meaning;
  std::vector<const char *> of;
};
const Short shortNames[] = {{"size",
                             "rows, columns and depth of the micro-kernel",
                             {"kernel.rows", "kernel.columns", "kernel.depth"}},
                            {"clock", "clock.megahertz", {"clock.megahertz"}},
                            {"type", "kernel.type", {"kernel.type"}},
                            {"node", "technology.nanometers", {"technology.nanometers"}}};

/// A number as a message has it: 100, 0.125.
std::string text(double number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

template <typename Number>
Status outside(const std::string &name, Number value, Number least, Number most) {
  return Error{Error::Description, name + " is " + text(double(value)),
               "from " + text(double(least)) + " to " + text(double(most))};
}

Status setInteger(Accelerator &accelerator, const Integer &field, int64_t value) {
  if (value < field.least || value > field.most)
    return outside(field.name, value, field.least, field.most);
  accelerator.*field.value = value;
  return {};
}

Status setReal(Accelerator &accelerator, const Real &field, double value) {
  if (!(value >= field.least && value <= field.most))
    return outside(field.name, value, field.least, field.most);
  accelerator.*field.value = value;
  return {};
}

Status setType(Accelerator &accelerator, const std::string &name) {
  const std::optional<Type> type = typeNamed(name);
  if (!type)
    return Error{Error::Description, "accelerators have no type '" + name + "'",
                 "int8, int32, float16, float32 or float64"};
  accelerator.type = *type;
  return {};
}

constexpr int64_t mostBanks = 1024;

Status setBanks(Accelerator &accelerator, const std::vector<int64_t> &counts) {
  if (counts.size() != 3)
    return Error{Error::Description,
                 "scratchpad.banks has " + std::to_string(counts.size()) + " numbers",
                 "three: the banks of A, of B and of C"};
  for (const int64_t count : counts)
    if (count < 1 || count > mostBanks)
      return outside("scratchpad.banks", count, int64_t{1}, mostBanks);
  std::ranges::copy(counts, accelerator.banks.begin());
  return {};
}

const Integer *integerNamed(const std::string &name) {
  const auto *found = std::ranges::find_if(integers, [&](auto &one) { return name == one.name; });
  return found == std::end(integers) ? nullptr : found;
}

const Real *realNamed(const std::string &name) {
  const auto *found = std::ranges::find_if(reals, [&](auto &one) { return name == one.name; });
  return found == std::end(reals) ? nullptr : found;
}

//===------------------------------------------------------------------------------------------===//
// From a file
//===------------------------------------------------------------------------------------------===//

Status mistyped(const std::string &name, const char *expected) {
  return Error{Error::Description, name + " has a value of another type", expected};
}

Status setBanks(Accelerator &accelerator, const toml::node &node) {
  std::vector<int64_t> counts;
  if (const toml::array *list = node.as_array())
    for (const toml::node &one : *list) {
      if (!one.is_integer())
        return mistyped("scratchpad.banks", "three integers");
      counts.push_back(one.value_or(int64_t{0}));
    }
  else
    return mistyped("scratchpad.banks", "three integers");
  return setBanks(accelerator, counts);
}

Status set(Accelerator &accelerator, const std::string &name, const toml::node &node) {
  if (const Integer *field = integerNamed(name))
    return node.is_integer() ? setInteger(accelerator, *field, node.value_or(int64_t{0}))
                             : mistyped(name, "an integer");
  if (const Real *field = realNamed(name))
    return node.is_number() ? setReal(accelerator, *field, node.value_or(0.0))
                            : mistyped(name, "a number");
  if (name == "scratchpad.banks")
    return setBanks(accelerator, node);
  if (name == "name" || name == "kernel.type") {
    if (!node.is_string())
      return mistyped(name, "a text in quotes");
    const std::string value = node.value_or(std::string());
    if (name == "kernel.type")
      return setType(accelerator, value);
    accelerator.name = value;
    return {};
  }
  return Error{Error::Description, "there is no parameter '" + name + "'"};
}

/// An error has a line and no column: the line is made part of the place, and the column stands
/// where the line would.
Status at(const toml::source_position &place, const std::string &file, const Error &error) {
  return Error{error.code, error.message, error.expected, file + ":" + std::to_string(place.line),
               place.column};
}

Status readTable(const toml::table &table, const std::string &prefix, const std::string &file,
                 Accelerator &accelerator) {
  for (auto &&[key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table *inner = node.as_table(); inner && prefix.empty()) {
      if (Status status = readTable(*inner, name + ".", file, accelerator); !status.ok())
        return status;
      continue;
    }
    // Faults of keys are told at the key, those of values at the value.
    if (Status status = set(accelerator, name, node); !status.ok()) {
      const bool unknown = status.error().message.starts_with("there is no parameter");
      return at(unknown ? key.source().begin : node.source().begin, file, status.error());
    }
  }
  return {};
}

/// The integer that all of a text is; nothing if it is none.
std::optional<int64_t> integerIn(std::string_view text) {
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  return parts;
}

Status setIntegers(Accelerator &accelerator, const std::string &name, const std::string &text) {
  std::vector<int64_t> values;
  for (const std::string &part : split(text, 'x')) {
    const std::optional<int64_t> value = integerIn(part);
    if (!value)
      return Error{Error::Description, "'" + text + "' is no value of " + name, "integers: 16x16"};
    values.push_back(*value);
  }
  if (name == "scratchpad.banks" || name == "banks")
    return setBanks(accelerator, values);
  if (values.size() != 2)
    return Error{Error::Description, "'" + text + "' is no value of array",
                 "rows and columns: 16x16"};
  Status status = setInteger(accelerator, *integerNamed("array.rows"), values[0]);
  return status.ok() ? setInteger(accelerator, *integerNamed("array.columns"), values[1])
                     : std::move(status);
}

} // namespace

Result<Accelerator> parseAccelerator(const std::string &text, const std::string &file) {
  const toml::parse_result parsed = toml::parse(std::string_view(text));
  if (!parsed)
    return at(parsed.error().source().begin, file,
              Error{Error::Description, std::string(parsed.error().description())});
  Accelerator accelerator;
  accelerator.name = file.substr(file.find_last_of('/') + 1);
  if (Status status = readTable(parsed.table(), "", file, accelerator); !status.ok())
    return status;
  if (const std::string fault = faultOf(accelerator); !fault.empty())
    return Error{Error::Description, fault, "", file};
  return accelerator;
}

Result<Accelerator> readAccelerator(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    return Error{Error::FileAccess, "cannot read '" + file + "'"};
  std::ostringstream text;
  text << in.rdbuf();
  return parseAccelerator(text.str(), file);
}

//===------------------------------------------------------------------------------------------===//
// From the command line
//===------------------------------------------------------------------------------------------===//

Status setParameter(Accelerator &accelerator, const std::string &name, const std::string &text) {
  for (const Short &shorter : shortNames)
    if (name == shorter.name) {
      for (const char *full : shorter.of)
        if (Status status = setParameter(accelerator, full, text); !status.ok())
          return status;
      return {};
    }
  if (name == "array" || name == "banks" || name == "scratchpad.banks")
    return setIntegers(accelerator, name, text);
  if (name == "kernel.type")
    return setType(accelerator, text);
  if (const Integer *field = integerNamed(name)) {
    const std::optional<int64_t> value = integerIn(text);
    return value ? setInteger(accelerator, *field, *value)
                 : Status(Error{Error::Description, "'" + text + "' is no value of " + name,
                                "an integer"});
  }
  if (const Real *field = realNamed(name)) {
    std::istringstream in(text);
    double value = 0;
    if (!(in >> value) || !in.eof())
      return Error{Error::Description, "'" + text + "' is no value of " + name, "a number"};
    return setReal(accelerator, *field, value);
  }
  return Error{Error::Description, "there is no parameter '" + name + "'"};
}

std::vector<ParameterName> parameters() {
  std::vector<ParameterName> names;
  for (const Short &one : shortNames)
    names.push_back({one.name, one.meaning});
  names.push_back({"array", "array.rows and array.columns: 16x16"});
  names.push_back({"banks", "the banks of A, B and C: 16x16x16"});
  for (const Integer &one : integers)
    names.push_back({one.name, one.meaning});
  for (const Real &one : reals)
    names.push_back({one.name, one.meaning});
  return names;
}

std::string faultOf(const Accelerator &accelerator) {
  const auto product = [](int64_t rows, int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  if (accelerator.rows % accelerator.arrayRows != 0 ||
      accelerator.columns % accelerator.arrayColumns != 0)
    return "an array of " + product(accelerator.arrayRows, accelerator.arrayColumns) +
           " does not divide a micro-kernel of " + product(accelerator.rows, accelerator.columns);
  // A schedule takes a second for ten million products, and a few bytes for each cycle.
  constexpr int64_t mostProducts = int64_t{1} << 27, mostCycles = int64_t{1} << 26;
  const int64_t products = accelerator.rows * accelerator.columns * accelerator.depth;
  const int64_t places = accelerator.arrayRows * accelerator.arrayColumns;
  if (products > mostProducts || products / places * accelerator.addLatency > mostCycles)
    return "a micro-kernel of " + std::to_string(products) + " products on an array of " +
           product(accelerator.arrayRows, accelerator.arrayColumns) + " is too long to be modelled";
  if (!knowsTechnology(accelerator.nanometers))
    return "nothing is known of a technology of " + std::to_string(accelerator.nanometers) + " nm";
  for (const Matrix matrix : {A, B, C})
    if (accelerator.banks[matrix] > accelerator.elements(matrix))
      return "a scratchpad of " + std::to_string(accelerator.elements(matrix)) + " elements has " +
             std::to_string(accelerator.banks[matrix]) + " banks";
  return "";
}

} // namespace strata::accelerator
