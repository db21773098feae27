// The namelist, the lines of integrals, and what follows from their symmetry.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Fcidump.h"

#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/EntryReader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>

namespace strata::runtime {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

std::string upperCase(const TextLine &line) {
  std::string text(line.begin, line.end);
  std::ranges::transform(text, text.begin(), upper);
  return text;
}

using Place = std::array<int32_t, 4>;

struct Integral {
  Place place; ///< from 0 on, of equal ones the greatest; unused coordinates are -1
  double value;
  int64_t line;
};

/// (ij|kl) = (ji|kl) = (ij|lk) = (kl|ij): the greatest pairs first.
Place canonical(Place p) {
  if (p[0] < p[1])
    std::swap(p[0], p[1]);
  if (p[2] < p[3])
    std::swap(p[2], p[3]);
  if (std::pair(p[0], p[1]) < std::pair(p[2], p[3]))
    p = {p[2], p[3], p[0], p[1]};
  return p;
}

/// Appends the different places that are equal to a canonical one; how many there are.
int64_t imagesOf(const Place &p, int order, std::array<Place, 8> &images) {
  int64_t count = 0;
  auto add = [&](const Place &image) {
    if (std::find(images.begin(), images.begin() + count, image) == images.begin() + count)
      images[static_cast<size_t>(count++)] = image;
  };
  const auto [i, j, k, l] = p;
  add(p);
  if (order >= 2)
    add({j, i, k, l});
  if (order == 4)
    for (Place image : {Place{i, j, l, k}, Place{j, i, l, k}, Place{k, l, i, j}, Place{l, k, i, j},
                        Place{k, l, j, i}, Place{l, k, j, i}})
      add(image);
  return count;
}

/// One reading of a file.
class FcidumpReading {
public:
  FcidumpReading(const InputFile &file, const TensorFileOptions &options)
      : reader(file), options(options), order(options.order.value_or(4)) {}

  Result<TensorFileContent> read() {
    if (order != 4 && order != 2 && order != 0)
      return reader.errorAt(0, Error::Order,
                            "an FCIDUMP file holds no tensor of order " + std::to_string(order),
                            "order 4 (two electrons), 2 (one electron) or 0 (the core's energy)");
    if (Status header = readHeader(); !header.ok())
      return header;
    if (Status lines = readLines(); !lines.ok())
      return lines;
    if (Status unique = removeEqual(); !unique.ok())
      return unique;
    Result<Coordinates> list = expand();
    if (!list)
      return list.takeStatus();
    if (options.valueType)
      if (Status converted = list->convertValues(*options.valueType); !converted.ok())
        return converted;
    const char *part = order == 4   ? "two-electron integrals"
                       : order == 2 ? "one-electron integrals"
                                    : "core energy";
    return TensorFileContent{.list = std::move(*list),
                             .header = part + (" of " + std::to_string(orbitals)) + " orbitals" +
                                       (electrons.empty() ? "" : ", " + electrons + " electrons"),
                             .entriesInFile = inFile};
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // The namelist
  //===----------------------------------------------------------------------------------------===//

  Status readHeader() {
    std::string text;
    for (;;) {
      Result<std::optional<TextLine>> line = reader.nextLine();
      if (!line)
        return line.takeStatus();
      if (!*line)
        return reader.errorAtEnd(Error::CutOff, "the file ends inside the namelist",
                                 "'&END' or '/'");
      const std::string words = upperCase(**line);
      const size_t stop = std::min({words.find("&END"), words.find("$END"), words.find('/')});
      text += words.substr(0, stop) + " ";
      if (text.find("FCI") == text.npos && text.find_first_not_of(" \t") != text.npos)
        return reader.errorAt((*line)->number, Error::Header, "the namelist is not '&FCI'",
                              "'&FCI NORB=...,'");
      if (stop != words.npos)
        break;
      constexpr size_t longest = 1 << 20;
      if (text.size() > longest)
        return reader.errorAt((*line)->number, Error::Header, "the namelist does not end",
                              "'&END' or '/'");
    }
    const std::string norb = entry(text, "NORB");
    const char *p = norb.c_str();
    if (readInteger(p, orbitals) != NumberFault::none || *p || orbitals < 1 || orbitals > INT32_MAX)
      return reader.errorAt(1, Error::Header,
                            norb.empty()
                                ? "the namelist has no NORB"
                                : "NORB is " + quoteToken({norb.data(), p + std::strlen(p)}),
                            "NORB=number of orbitals");
    electrons = entry(text, "NELEC");
    const std::string uhf = entry(text, "UHF") + entry(text, "IUHF");
    if (uhf.starts_with(".T") || uhf.starts_with("T") || uhf == "1")
      return reader.errorAt(1, Error::UnsupportedFile,
                            "integrals over unrestricted orbitals (UHF) cannot be read",
                            "integrals over the same orbitals for both spins");
    return {};
  }

  /// What follows `NAME=`, up to a blank or comma; empty if there is no such entry.
  static std::string entry(const std::string &text, const std::string &name) {
    for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const size_t sign = text.find_first_not_of(" \t", at + name.size());
      const bool begins = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
      if (!begins || sign == text.npos || text[sign] != '=')
        continue;
      const size_t first = text.find_first_not_of(" \t", sign + 1);
      if (first == text.npos)
        return "";
      return text.substr(first, text.find_first_of(" \t,", first) - first);
    }
    return "";
  }

  //===----------------------------------------------------------------------------------------===//
  // The integrals
  //===----------------------------------------------------------------------------------------===//

  Status readLines() {
    for (;;) {
      Result<std::optional<TextLine>> line = reader.nextLine(0);
      if (!line)
        return line.takeStatus();
      if (!*line)
        return {};
      if (Status fine = readIntegral(**line); !fine.ok())
        return fine;
      if (options.progress && (*line)->number % (1 << 18) == 0)
        options.progress(reader.share());
    }
  }

  Status readIntegral(const TextLine &line) {
    std::string text = upperCase(line);
    std::ranges::replace(text, 'D', 'E');
    const char *p = skipBlanks(text.c_str()), *begin = p;
    Integral integral = {{}, 0, line.number};
    if (*p == '(')
      return reader.errorAt(line.number, Error::UnsupportedFile, "complex integrals cannot be read",
                            "real ones");
    if (readReal(p, integral.value) != NumberFault::none || !isBlank(*p))
      return reader.errorAt(line.number, Error::Entry,
                            "a line " + quoteToken({begin, text.data() + text.size()}),
                            "'value i j k l'");
    int given = 0;
    for (size_t at = 0; at < 4; ++at) {
      p = skipBlanks(p);
      uint64_t index = 0;
      if (readNatural(p, index) != NumberFault::none || index > static_cast<uint64_t>(orbitals) ||
          (*p && !isBlank(*p)))
        return reader.errorAt(line.number, Error::EntryIndex,
                              "index " + std::to_string(at + 1) + " of " +
                                  quoteToken({begin, text.data() + text.size()}) + " is wrong",
                              "an integer from 0 to " + std::to_string(orbitals));
      if (index > 0 && given != static_cast<int>(at))
        given = -1;
      given += index > 0 && given >= 0;
      integral.place[at] = static_cast<int32_t>(index) - 1;
    }
    if (*skipBlanks(p))
      return reader.errorAt(line.number, Error::Entry,
                            "more than a value and four indices in a line", "'value i j k l'");
    // `e i 0 0 0` is the energy of an orbital.
    if (given < 0 || given == 3)
      return reader.errorAt(line.number, Error::Entry, "indices of no integral",
                            "four, two or one above 0, or none, from the left");
    if (given != order)
      return {};
    ++inFile;
    integral.place = canonical(integral.place);
    integrals.push_back(integral);
    return {};
  }

  /// Places that are given twice must agree.
  Status removeEqual() {
    parallelSort(integrals.begin(), integrals.end(), [](const Integral &a, const Integral &b) {
      return std::tie(a.place, a.line) < std::tie(b.place, b.line);
    });
    auto differ = [](double a, double b) {
      return !(std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)));
    };
    for (size_t at = 1; at < integrals.size(); ++at) {
      const Integral &first = integrals[at - 1], &second = integrals[at];
      if (first.place == second.place && differ(first.value, second.value))
        return reader.errorAt(second.line, Error::Symmetry,
                              "this integral has another value than the same one in line " +
                                  std::to_string(first.line),
                              "equal values at places that are equal by symmetry");
    }
    const auto repeated = std::ranges::unique(integrals, {}, &Integral::place);
    integrals.erase(repeated.begin(), repeated.end());
    return {};
  }

  Result<Coordinates> expand() {
    if (order == 0) {
      Result<Coordinates> energy = Coordinates::create({}, STRATA_F64, 1);
      if (energy)
        energy->values().as<double>()[0] = integrals.empty() ? 0 : integrals.front().value;
      return energy;
    }
    std::array<Place, 8> images;
    int64_t count = 0;
    for (const Integral &integral : integrals)
      count += imagesOf(integral.place, order, images);
    Result<Coordinates> list = Coordinates::create(
        std::vector<int64_t>(static_cast<size_t>(order), orbitals), STRATA_F64, count);
    if (!list)
      return list;
    int64_t next = 0;
    for (const Integral &integral : integrals) {
      const int64_t some = imagesOf(integral.place, order, images);
      for (int64_t image = 0; image < some; ++image, ++next) {
        for (int d = 0; d < order; ++d)
          list->column(d).as<int32_t>()[next] =
              images[static_cast<size_t>(image)][static_cast<size_t>(d)];
        list->values().as<double>()[next] = integral.value;
      }
    }
    return list;
  }

  TextReader reader;
  const TensorFileOptions &options;
  int order;
  int64_t orbitals = 0, inFile = 0;
  std::string electrons;
  std::vector<Integral> integrals;
};

} // namespace

bool looksLikeFcidump(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == head.npos || (head[first] != '&' && head[first] != '$'))
    return false;
  std::string word(head.substr(first + 1, 3));
  std::ranges::transform(word, word.begin(), upper);
  return word == "FCI";
}

Result<TensorFileContent> readFcidump(const InputFile &file, const TensorFileOptions &options) {
  return FcidumpReading(file, options).read();
}

} // namespace strata::runtime
