// Writing Harwell-Boeing and Rutherford-Boeing files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/HarwellBoeing.h"

#include "strata/runtime/io/CheckPointers.h"
#include "strata/runtime/io/OutputFile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace strata::runtime {
namespace {

/// How the numbers of one list are laid out.
struct Layout {
  int64_t perLine, width;
  int64_t decimals = -1; ///< -1: integers

  std::string format() const {
    const std::string count = std::to_string(perLine), columns = std::to_string(width);
    return decimals < 0 ? "(" + count + "I" + columns + ")"
                        : "(" + count + "E" + columns + "." + std::to_string(decimals) + ")";
  }
  int64_t lines(int64_t numbers) const { return (numbers + perLine - 1) / perLine; }
};

template <typename T> Layout layoutOfIntegers(T least, T greatest) {
  const auto digits =
      static_cast<int64_t>(std::max(std::to_string(least).size(), std::to_string(greatest).size()));
  return {std::max<int64_t>(1, 80 / (digits + 1)), digits + 1};
}

void appendRight(std::string &text, std::string_view token, int64_t width) {
  const auto columns = static_cast<size_t>(width);
  text.append(columns - std::min(columns, token.size()), ' ');
  text += token;
}

template <typename T> void appendField(std::string &text, T number, const Layout &layout) {
  char digits[64];
  std::to_chars_result end;
  if constexpr (std::is_integral_v<T>)
    end = std::to_chars(digits, digits + sizeof digits, number);
  else if (std::isfinite(number))
    end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific,
                        static_cast<int>(layout.decimals));
  else
    return appendRight(text,
                       std::isnan(number) ? "NaN"
                       : number < 0       ? "-Inf"
                                          : "Inf",
                       layout.width);
  std::replace(digits, end.ptr, 'e', 'E');
  appendRight(text, {digits, static_cast<size_t>(end.ptr - digits)}, layout.width);
}

/// How many numbers a value has.
template <typename V> constexpr int64_t partsOf() { return isComplexNumber<V> ? 2 : 1; }

template <typename V> Layout layoutOf(const V *values, int64_t count) {
  if constexpr (std::is_integral_v<V>) {
    const auto [least, greatest] = std::minmax_element(values, values + count);
    return count == 0 ? layoutOfIntegers(0, 0) : layoutOfIntegers(*least, *greatest);
  } else if constexpr (std::is_same_v<V, float> || std::is_same_v<V, std::complex<float>> ||
                       std::is_same_v<SumOf<V>, float>) {
    return {5, 16, 8};
  } else {
    return {3, 25, 16};
  }
}

/// Begins on a line of its own.
template <typename Get>
Status writeList(OutputFile &file, int64_t count, const Layout &layout, const Progress &progress,
                 Get get) {
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      appendField(text, get(at), layout);
      if ((at + 1) % layout.perLine == 0 || at + 1 == count)
        text += '\n';
    }
  };
  return file.writeItems(count, format, progress);
}

/// Where each column begins, and the rows of the entries.
Status writePattern(const Coordinates &list, const Layout &pointers, const Layout &indices,
                    OutputFile &file) {
  const int64_t columns = list.sizes()[1], count = list.count();
  return withCoordinateType(list.coordinateType(), [&]<typename C>(C *) -> Status {
    const C *rowOf = list.column(0).as<C>(), *columnOf = list.column(1).as<C>();
    Status written = writeList(file, columns + 1, pointers, {}, [&](int64_t at) {
      return std::lower_bound(columnOf, columnOf + count, at) - columnOf + int64_t{1};
    });
    return written.ok() ? writeList(file, count, indices, {},
                                    [&](int64_t at) { return int64_t{rowOf[at]} + 1; })
                        : std::move(written);
  });
}

/// The lines before the lists; `kind` is the type of the numbers, in small letters.
std::string headerLines(const Coordinates &list, BoeingDialect dialect, char kind,
                        std::span<const Layout, 3> layouts) {
  const int64_t rows = list.sizes()[0], columns = list.sizes()[1], count = list.count();
  const int64_t lines[] = {layouts[0].lines(columns + 1), layouts[1].lines(count),
                           layouts[2].lines(count * (kind == 'c' ? 2 : 1))};
  const bool harwell = dialect == BoeingDialect::harwell;
  std::string text = "A matrix written by Strata";
  text.append(72 - text.size(), ' ');
  text += harwell ? "STRATA  \n" : "|STRATA \n";
  appendRight(text, std::to_string(lines[0] + lines[1] + lines[2]), 14);
  for (int64_t some : lines)
    appendRight(text, std::to_string(some), 14);
  if (harwell)
    appendRight(text, "0", 14);
  text += "\n";
  std::string type{kind, rows == columns ? 'u' : 'r', 'a'};
  if (harwell)
    std::ranges::transform(type, type.begin(), [](char c) { return static_cast<char>(c - 32); });
  text += type + std::string(11, ' ');
  for (int64_t size : {rows, columns, count, int64_t{0}})
    appendRight(text, " " + std::to_string(size), 14);
  text += "\n";
  const size_t widths[] = {16, 16, 20};
  for (size_t i = 0; i < 3; ++i) {
    const std::string format = layouts[i].format();
    text += format + std::string(widths[i] - format.size(), ' ');
  }
  return text + "\n";
}

/// A matrix sorted by columns, on its way to a file.
template <typename V> class BoeingWriting {
public:
  BoeingWriting(const Coordinates &list, OutputFile &file)
      : list(list), file(file), values(list.values().as<V>()),
        pointers(layoutOfIntegers<int64_t>(1, list.count() + 1)),
        indices(layoutOfIntegers<int64_t>(1, std::max<int64_t>(1, list.sizes()[0]))),
        numbers(layoutOf(values, list.count())) {}

  Status write(BoeingDialect dialect, const Progress &progress) {
    constexpr char kind = partsOf<V>() == 2 ? 'c' : std::is_integral_v<V> ? 'i' : 'r';
    const Layout layouts[] = {pointers, indices, numbers};
    if (Status written = file.write(headerLines(list, dialect, kind, layouts)); !written.ok())
      return written;
    if (Status written = writePattern(list, pointers, indices, file); !written.ok())
      return written;
    return writeList(file, list.count() * partsOf<V>(), numbers, progress, [&](int64_t at) {
      if constexpr (partsOf<V>() == 2)
        return at % 2 == 0 ? values[at / 2].real() : values[at / 2].imag();
      else if constexpr (std::is_same_v<V, bool>)
        return int{values[at]};
      else
        return static_cast<SumOf<V>>(values[at]);
    });
  }

private:
  const Coordinates &list;
  OutputFile &file;
  const V *values;
  Layout pointers, indices, numbers;
};

} // namespace

Status writeHarwellBoeing(const std::string &path, const Coordinates &given, BoeingDialect dialect,
                          const Progress &progress) {
  if (given.order() != 2)
    return Error{Error::NotInSuchFiles,
                 "a tensor of order " + std::to_string(given.order()) + " is not a matrix",
                 "order 2 for a Harwell-Boeing or Rutherford-Boeing file", path, 0};
  if (Status fits = checkPointers(path, given, given.sizes()[1], "column"); !fits.ok())
    return fits;
  Result<Coordinates> list = given.clone();
  if (!list)
    return list.takeStatus();
  if (Result<int64_t> summed = list->sumDuplicates(std::array{1, 0}); !summed)
    return summed.takeStatus();
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  Status written = withValueType(list->valueType(), [&]<typename V>(V *) {
    return BoeingWriting<V>(*list, *file).write(dialect, progress);
  });
  return written.ok() ? file->commit() : std::move(written);
}

} // namespace strata::runtime
