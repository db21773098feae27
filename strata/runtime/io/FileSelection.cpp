// Taking names with selections apart.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileSelection.h"

#include "strata/runtime/io/NumberText.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unistd.h>

namespace strata::runtime {

IndexRange IndexRange::of(int64_t size) const {
  IndexRange range{std::min(begin, size), end < 0 ? size : std::min(end, size)};
  range.end = std::max(range.begin, range.end);
  return range;
}

bool FileSelection::isPart() const {
  return std::ranges::any_of(ranges, [](const IndexRange &range) { return !range.isAll(); });
}

namespace {

/// Reads an index; `absent` for an empty text, nothing for one that is none.
std::optional<int64_t> indexOf(std::string_view text, int64_t absent) {
  text = trimmed(text);
  if (text.empty())
    return absent;
  int64_t number = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || number < 0)
    return std::nullopt;
  return number;
}

std::optional<IndexRange> rangeOf(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == text.npos)
    return std::nullopt;
  const std::optional<int64_t> begin = indexOf(text.substr(0, colon), 0),
                               end = indexOf(text.substr(colon + 1), -1);
  if (!begin || !end)
    return std::nullopt;
  return IndexRange{*begin, *end};
}

template <typename T> struct Choice {
  std::string_view name;
  T value;
};

class SelectionParser {
public:
  SelectionParser(std::string_view text, FileSelection &selection)
      : rest(text), selection(selection) {}

  Status parse() {
    for (bool first = true; !rest.empty(); first = false) {
      const std::string_view item = takeItem();
      const size_t equals = item.starts_with('"') ? item.npos : item.find('=');
      if (equals != item.npos && item.find('[') > equals) {
        if (Status fine = takeOption(item.substr(0, equals), item.substr(equals + 1)); !fine.ok())
          return fine;
      } else if (!first) {
        return Error{Error::FileOption, "'" + std::string(item) + "' is no option of a file",
                     "OPTION=VALUE"};
      } else if (Status fine = takeGroup(item); !fine.ok()) {
        return fine;
      }
    }
    return {};
  }

private:
  /// Finds the end of a name in quotation marks, in which two of them stand for one; 0 if the text
  /// does not begin with such a name.
  static size_t quotedLength(std::string_view text) {
    if (!text.starts_with('"'))
      return 0;
    size_t at = 1;
    while (at < text.size() && (text[at] != '"' || text.substr(at + 1).starts_with('"')))
      at += text[at] == '"' ? 2 : 1;
    return at < text.size() ? at + 1 : 0;
  }

  /// Takes the text up to a comma outside of brackets and quotation marks.
  std::string_view takeItem() {
    while (rest.starts_with(' '))
      rest.remove_prefix(1);
    size_t at = quotedLength(rest);
    for (bool inside = false; at < rest.size() && (inside || rest[at] != ','); ++at)
      inside = rest[at] == '[' || (inside && rest[at] != ']');
    const std::string_view item = rest.substr(0, at);
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return trimmed(item);
  }

  Status takeGroup(std::string_view item) {
    const size_t quoted = quotedLength(item);
    if (quoted > 0 && item.size() > quoted && item[quoted] != '[')
      return Error{Error::FileOption,
                   "text follows the name " + std::string(item.substr(0, quoted)),
                   "a range in brackets, or a comma and an option"};
    const size_t bracket = quoted == 0            ? item.rfind('[')
                           : item.size() > quoted ? quoted
                                                  : item.npos;
    if (bracket != item.npos && item.ends_with(']')) {
      std::string_view ranges = item.substr(bracket + 1, item.size() - bracket - 2);
      while (!ranges.empty()) {
        const size_t comma = std::min(ranges.find(','), ranges.size());
        const std::optional<IndexRange> range = rangeOf(ranges.substr(0, comma));
        if (!range)
          return Error{Error::FileOption,
                       "'" + std::string(item.substr(bracket)) + "' is no range of indices",
                       "[BEGIN:END] for each of the first dimensions, as in [0:1000]"};
        selection.ranges.push_back(*range);
        ranges.remove_prefix(std::min(comma + 1, ranges.size()));
      }
      item = item.substr(0, bracket);
    }
    selection.group = quoted == 0 ? std::string(item) : unquoted(item);
    return {};
  }

  static std::string unquoted(std::string_view name) {
    std::string text;
    for (size_t at = 1; at + 1 < name.size(); ++at) {
      text += name[at];
      at += name[at] == '"';
    }
    return text;
  }

  template <typename T, size_t n>
  static Status choose(std::string_view option, std::string_view value,
                       const Choice<T> (&choices)[n], auto &to) {
    std::string all;
    for (const Choice<T> &choice : choices) {
      if (choice.name == value) {
        to = choice.value;
        return {};
      }
      all += (all.empty() ? "" : ", ") + std::string(choice.name);
    }
    return Error{Error::FileOption,
                 "'" + std::string(value) + "' is no value of the option '" + std::string(option) +
                     "'",
                 all};
  }

  Status takeOption(std::string_view option, std::string_view value) {
    constexpr Choice<int> symmetries[] = {{"1", 1}, {"4", 4}, {"8", 8}};
    constexpr Choice<EdgeKind> kinds[] = {{"directed", EdgeKind::directed},
                                          {"undirected", EdgeKind::undirected},
                                          {"bipartite", EdgeKind::bipartite}};
    constexpr Choice<EdgeIds> ids[] = {{"index", EdgeIds::index},
                                       {"appearance", EdgeIds::appearance},
                                       {"sorted", EdgeIds::sorted}};
    constexpr Choice<bool> answers[] = {{"yes", true}, {"no", false}};
    if (option == "symmetry")
      return choose(option, value, symmetries, selection.symmetry);
    if (option == "edges")
      return choose(option, value, kinds, selection.edges);
    if (option == "ids")
      return choose(option, value, ids, selection.ids);
    if (option == "header")
      return choose(option, value, answers, selection.header);
    if (option != "weight" || value.empty())
      return Error{Error::FileOption, "'" + std::string(option) + "' is no option of a file",
                   "symmetry, edges, ids, header or weight"};
    selection.weight = value;
    return {};
  }

  std::string_view rest;
  FileSelection &selection;
};

} // namespace

Result<SelectedFile> selectedFile(const std::string &name) {
  size_t at = name.find("::");
  if (at == name.npos || at == 0 || access(name.c_str(), F_OK) == 0)
    return SelectedFile{.file = name};
  // The name of a folder may have '::', too.
  for (size_t next = at; next != name.npos; next = name.find("::", next + 1))
    if (access(name.substr(0, next).c_str(), F_OK) == 0) {
      at = next;
      break;
    }
  SelectedFile result{.file = name.substr(0, at)};
  if (Status parsed =
          SelectionParser(std::string_view(name).substr(at + 2), result.selection).parse();
      !parsed.ok()) {
    parsed.error().file = result.file;
    return parsed;
  }
  return result;
}

} // namespace strata::runtime
