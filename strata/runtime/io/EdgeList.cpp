// Reading edge lists: line by line, with ids as they are or numbered.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EdgeList.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/NumberText.h"
#include "strata/runtime/io/TextReader.h"
#include "strata/runtime/storage/GrowingBuffer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <unordered_map>

namespace strata::runtime {
namespace {

bool isComment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.starts_with('#') || text.starts_with('%');
}

/// Reads an index, if the field is one: an integer without a sign, up to 2^63 - 2.
std::optional<int64_t> indexIn(std::string_view field) {
  int64_t number = 0;
  auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || stop != field.data() + field.size() || number < 0 ||
      number == INT64_MAX)
    return std::nullopt;
  return number;
}

/// Reads the number of a field, which a byte follows that is part of no number.
std::optional<double> realIn(std::string_view field) {
  double number = 0;
  const char *p = field.data();
  if (field.empty() || readReal(p, number) != NumberFault::none || p != field.data() + field.size())
    return std::nullopt;
  return number;
}

/// The marks by which some programs say that a text is UTF-8.
constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";

/// Splits lines into fields. Those in quotation marks may hold the separator, and a mark twice.
class FieldSplitter {
public:
  /// Decides by a line what separates fields.
  void chooseSeparator(std::string_view line) {
    for (char candidate : {'\t', ',', ';'})
      if (line.find(candidate) != line.npos) {
        separator = candidate;
        return;
      }
  }

  /// Splits a line; the fields are valid until the next call.
  const std::vector<std::string_view> &split(std::string_view line) {
    fault = {};
    fields.clear();
    unquoted.clear();
    unquoted.reserve(line.size());
    line = trimmed(line);
    if (separator == ' ')
      splitAtBlanks(line);
    else
      splitAtSeparators(line);
    return fields;
  }

  /// Says what is wrong with the quotation marks of the line that was split last; empty: nothing.
  std::string_view faultOfMarks() const { return fault; }

private:
  void splitAtBlanks(std::string_view line) {
    while (!line.empty()) {
      const size_t end = std::min(line.find_first_of(" \t"), line.size());
      fields.push_back(line.substr(0, end));
      line.remove_prefix(std::min(line.find_first_not_of(" \t", end), line.size()));
    }
  }

  void splitAtSeparators(std::string_view line) {
    for (bool more = true; more;) {
      const size_t first = std::min(line.find_first_not_of(' '), line.size());
      if (first < line.size() && line[first] == '"')
        more = takeQuoted(line, first + 1);
      else {
        const size_t end = std::min(line.find(separator), line.size());
        fields.push_back(trimmed(line.substr(0, end)));
        more = end < line.size();
        line.remove_prefix(std::min(end + 1, line.size()));
      }
    }
  }

  /// Takes the text behind an opening mark; whether a separator follows it.
  bool takeQuoted(std::string_view &line, size_t at) {
    const size_t begin = unquoted.size();
    for (; at < line.size(); ++at) {
      const bool mark = line[at] == '"';
      if (mark && (at + 1 == line.size() || line[at + 1] != '"'))
        break;
      at += mark;
      unquoted += line[at];
    }
    fields.push_back(std::string_view(unquoted).substr(begin));
    if (at == line.size())
      fault = "a field in quotation marks that does not end";
    const size_t next = line.find(separator, std::min(at, line.size()));
    if (at < line.size() &&
        !trimmed(line.substr(at + 1, next == line.npos ? next : next - at - 1)).empty())
      fault = "a field that goes on behind its quotation marks";
    line.remove_prefix(next == line.npos ? line.size() : next + 1);
    return next != line.npos;
  }

  char separator = ' ';
  std::vector<std::string_view> fields;
  std::string unquoted;
  std::string_view fault = {};
};

/// Gives numbers to ids.
class IdNumbers {
public:
  int64_t numberOf(std::string_view id) {
    auto found = numbers.find(id);
    if (found != numbers.end())
      return found->second;
    const auto number = static_cast<int64_t>(names.size());
    names.emplace_back(id);
    numbers.emplace(names.back(), number);
    return number;
  }

  /// Renumbers in ascending order: as numbers if all ids are, else byte by byte. Gives the new
  /// number of each.
  std::vector<int64_t> sort() {
    std::vector<std::optional<int64_t>> integers;
    for (const std::string &name : names)
      integers.push_back(indexIn(name));
    const bool numeric = std::ranges::all_of(integers, [](const auto &i) { return i.has_value(); });
    std::vector<size_t> order(names.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
      return numeric ? *integers[a] < *integers[b] : names[a] < names[b];
    });
    std::vector<int64_t> newNumber(names.size());
    std::vector<std::string> sorted(names.size());
    for (size_t at = 0; at < order.size(); ++at) {
      newNumber[order[at]] = static_cast<int64_t>(at);
      sorted[at] = std::move(names[order[at]]);
    }
    names = std::move(sorted);
    return newNumber;
  }

  int64_t count() const { return static_cast<int64_t>(names.size()); }
  std::vector<std::string> names;

private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> numbers;
};

class EdgeReading {
public:
  EdgeReading(const InputFile &file, const TensorFileOptions &options)
      : reader(file), selection(file.selection()), options(options) {}

  Result<TensorFileContent> read() {
    if (Status begun = begin(); !begun.ok())
      return begun;
    for (;;) {
      Result<std::optional<TextLine>> line = nextLine();
      if (!line)
        return line.takeStatus();
      if (!*line)
        break;
      if (Status taken = takeLine({(*line)->begin, (*line)->end}, (*line)->number); !taken.ok())
        return taken;
    }
    return finish();
  }

private:
  bool isBipartite() const { return selection.edges == EdgeKind::bipartite; }
  IdNumbers &idsOf(size_t end) { return ids[isBipartite() ? end : 0]; }

  /// Returns the next line that is no comment.
  Result<std::optional<TextLine>> nextLine() {
    for (;;) {
      Result<std::optional<TextLine>> line = reader.nextLine('#');
      if (line && *line && (*line)->number == 1 &&
          std::string_view((*line)->begin, (*line)->end).starts_with(byteOrderMark))
        (*line)->begin += byteOrderMark.size();
      if (!line || !*line || !isComment({(*line)->begin, (*line)->end}))
        return line;
    }
  }

  /// Reads the first line, and the second where the first may name columns.
  Status begin() {
    Result<std::optional<TextLine>> line = nextLine();
    if (!line)
      return line.takeStatus();
    if (!*line)
      return {};
    const std::string first((*line)->begin, (*line)->end);
    const int64_t number = (*line)->number;
    splitter.chooseSeparator(first);
    const std::vector<std::string> header = copied(first);
    if (Status fine = choose(header, number); !fine.ok())
      return fine;
    std::optional<bool> isHeader = selection.header;
    if (!isHeader && weight)
      isHeader = !realIn(header[*weight]);
    if (isHeader == false)
      return takeLine(first, number);
    line = nextLine();
    if (!line)
      return line.takeStatus();
    if (!isHeader)
      isHeader = *line && !realIn(header[0]) && !realIn(header[1]) &&
                 bothAreIndices(splitter.split({(*line)->begin, (*line)->end}));
    if (!*isHeader)
      if (Status taken = takeLine(first, number); !taken.ok())
        return taken;
    return *line ? takeLine({(*line)->begin, (*line)->end}, (*line)->number) : Status();
  }

  static bool bothAreIndices(const std::vector<std::string_view> &fields) {
    return fields.size() >= 2 && indexIn(fields[0]) && indexIn(fields[1]);
  }

  std::vector<std::string> copied(std::string_view line) {
    const std::vector<std::string_view> &fields = splitter.split(line);
    return {fields.begin(), fields.end()};
  }
  /// Finds which column has the weights.
  Status choose(const std::vector<std::string> &header, int64_t line) {
    columns = header.size();
    if (Status fine = checkMarks(line); !fine.ok())
      return fine;
    if (columns < 2)
      return reader.errorAt(line, Error::Entry, "a line of " + counted(int64_t(columns), "field"),
                            "the two ends of an edge, and its weight");
    if (selection.weight == "none")
      return {};
    if (selection.weight.empty()) {
      if (columns > 2)
        weight = 2;
      return {};
    }
    const std::optional<int64_t> number = indexIn(selection.weight);
    if (number && *number >= 1 && *number <= static_cast<int64_t>(columns)) {
      weight = static_cast<size_t>(*number) - 1;
      return {};
    }
    auto named = std::ranges::find(header, selection.weight);
    if (number || named == header.end() || selection.header == false)
      return reader.errorAt(
          line, Error::FileOption, "there is no column '" + selection.weight + "'",
          "weight=none, the name of a column, or its number from 1 to " + std::to_string(columns));
    weight = static_cast<size_t>(named - header.begin());
    return {};
  }

  Status checkMarks(int64_t line) const {
    const std::string fault(splitter.faultOfMarks());
    return fault.empty() ? Status()
                         : reader.errorAt(line, Error::Entry, fault,
                                          "two quotation marks for one in the text");
  }

  Status takeLine(std::string_view line, int64_t number) {
    const std::vector<std::string_view> &fields = splitter.split(line);
    if (Status fine = checkMarks(number); !fine.ok())
      return fine;
    if (fields.size() != columns)
      return reader.errorAt(number, Error::Entry,
                            "a line of " + counted(int64_t(fields.size()), "field"),
                            std::to_string(columns) + ", as the first line has");
    if (numbered < 0)
      numbered = selection.ids == EdgeIds::automatic ? !indexIn(fields[0]) || !indexIn(fields[1])
                                                     : selection.ids != EdgeIds::index;
    for (size_t end = 0; end < 2; ++end) {
      const std::string_view id = fields[end];
      if (id.empty())
        return reader.errorAt(number, Error::Entry,
                              "an edge without an id of its " +
                                  std::string(end == 0 ? "beginning" : "end"));
      std::optional<int64_t> index;
      if (numbered > 0)
        index = idsOf(end).numberOf(id);
      else if (index = indexIn(id); !index)
        return reader.errorAt(number, Error::EntryIndex,
                              "the id " + quoteToken(id) + " is no index",
                              "integers from 0 on, or the option ids=appearance or ids=sorted");
      ends[end].push(*index);
      largest[end] = std::max(largest[end], *index);
    }
    return weight ? takeWeight(fields[*weight], number) : Status();
  }

  Status takeWeight(std::string_view field, int64_t number) {
    int64_t integer = 0;
    const char *last = field.data() + field.size();
    if (integral) {
      const bool sign = field.starts_with('+') && !field.starts_with("+-");
      auto [stop, error] = std::from_chars(field.data() + sign, last, integer);
      if (error == std::errc() && stop == last) {
        integers.push(integer);
        return {};
      }
      integral = false;
      for (int64_t e = 0; e < integers.count(); ++e)
        reals.push(static_cast<double>(integers[e]));
    }
    const std::optional<double> real = realIn(scratch.assign(field));
    if (!real)
      return reader.errorAt(number, Error::Entry,
                            "the weight " + quoteToken(field) + " is no number",
                            "a decimal number, or the option weight=none");
    reals.push(*real);
    return {};
  }

  Result<TensorFileContent> finish() {
    TensorFileContent content;
    content.header = std::string(selection.edges == EdgeKind::undirected ? "undirected"
                                 : isBipartite()                         ? "bipartite"
                                                                         : "directed") +
                     (numbered > 0 ? ", numbered ids" : "");
    content.entriesInFile = ends[0].count();
    if (selection.ids == EdgeIds::sorted)
      sortIds();
    const std::vector<int64_t> sizes = sizesFound();
    Result<Coordinates> list = assemble(sizes);
    if (!list)
      return list.takeStatus();
    if (selection.edges == EdgeKind::undirected)
      if (Status mirrored = mirror(*list); !mirrored.ok())
        return mirrored;
    if (options.valueType)
      if (Status converted = list->convertValues(*options.valueType); !converted.ok())
        return converted;
    content.list = std::move(*list);
    if (numbered > 0)
      content.names = {idsOf(0).names, idsOf(1).names};
    return content;
  }

  void sortIds() {
    const std::vector<int64_t> first = idsOf(0).sort();
    const std::vector<int64_t> second = isBipartite() ? idsOf(1).sort() : first;
    for (size_t end = 0; end < 2; ++end)
      ends[end].transform(ends[end].count(), [&](int64_t number) {
        return (end == 0 ? first : second)[static_cast<size_t>(number)];
      });
  }

  std::vector<int64_t> sizesFound() {
    std::vector<int64_t> sizes = {largest[0] + 1, largest[1] + 1};
    if (numbered > 0)
      return {idsOf(0).count(), idsOf(1).count()};
    if (!isBipartite())
      sizes[0] = sizes[1] = std::max(sizes[0], sizes[1]);
    if (options.sizes && options.sizes->size() == 2)
      for (size_t d = 0; d < 2; ++d)
        sizes[d] = std::max(sizes[d], (*options.sizes)[d]);
    return sizes;
  }

  Result<Coordinates> assemble(const std::vector<int64_t> &sizes) {
    std::vector<Buffer> places;
    const strata_type width = coordinateTypeFor(sizes);
    const int64_t count = ends[0].count();
    for (GrowingBuffer<int64_t> &end : ends) {
      Result<Buffer> wide = end.take();
      if (!wide)
        return wide.takeStatus();
      if (width == STRATA_I32) {
        Result<Buffer> narrow = Buffer::allocate(STRATA_I32, count);
        if (!narrow)
          return narrow.takeStatus();
        std::transform(wide->as<int64_t>(), wide->as<int64_t>() + count, narrow->as<int32_t>(),
                       [](int64_t index) { return static_cast<int32_t>(index); });
        wide = std::move(narrow);
      }
      places.push_back(std::move(*wide));
    }
    Result<Buffer> values = !weight    ? Buffer::allocate(STRATA_BOOL, count)
                            : integral ? integers.take()
                                       : reals.take();
    if (!values)
      return values.takeStatus();
    if (!weight)
      std::fill_n(values->as<bool>(), count, true);
    return Coordinates::assemble(sizes, std::move(places), std::move(*values));
  }

  /// Adds each edge the other way round, except from a vertex to itself.
  static Status mirror(Coordinates &list) {
    const int64_t count = list.count();
    if (Status grown = list.resize(2 * count); !grown.ok())
      return grown;
    int64_t next = count;
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      withValueType(list.valueType(), [&]<typename V>(V *) {
        C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
        V *values = list.values().as<V>();
        for (int64_t e = 0; e < count; ++e) {
          if (rows[e] == columns[e])
            continue;
          rows[next] = columns[e];
          columns[next] = rows[e];
          values[next++] = values[e];
        }
      });
    });
    return list.resize(next);
  }

  TextReader reader;
  const FileSelection &selection;
  const TensorFileOptions &options;
  FieldSplitter splitter;
  size_t columns = 0;
  std::optional<size_t> weight;
  int numbered = -1; ///< whether ids are numbered; -1: not known yet
  std::array<IdNumbers, 2> ids;
  std::array<GrowingBuffer<int64_t>, 2> ends;
  std::array<int64_t, 2> largest = {-1, -1};
  bool integral = true;
  GrowingBuffer<int64_t> integers;
  GrowingBuffer<double> reals;
  std::string scratch;
};

} // namespace

bool looksLikeEdgeList(std::string_view head) {
  if (!head.starts_with('#'))
    return false;
  const size_t found = head.find("FromNodeId");
  return found != head.npos && head.find("ToNodeId", found) != head.npos &&
         head[head.rfind('\n', found) + 1] == '#';
}

Result<TensorFileContent> readEdgeList(const InputFile &file, const TensorFileOptions &options) {
  return EdgeReading(file, options).read();
}

} // namespace strata::runtime
