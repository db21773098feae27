// Writes the buffers of storages as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/StorageText.h"

#include "strata/host/Print.h"
#include "strata/runtime/Counted.h"

#include <algorithm>
#include <functional>

using strata::runtime::Storage;

namespace strata::host {

constexpr int64_t mostElements = 40; ///< of a buffer

static std::vector<std::string> elementsOf(int64_t count,
                                           const std::function<std::string(int64_t)> &element) {
  std::vector<std::string> elements;
  for (int64_t at = 0; at < std::min(count, mostElements); ++at)
    elements.push_back(element(at));
  return elements;
}

template <typename Word>
static std::string wordText(const strata_buffer &buffer, bool marks, int64_t at) {
  auto word = static_cast<const Word *>(buffer.data)[at];
  using Signed = std::make_signed_t<Word>;
  return marks && Signed(word) == std::numeric_limits<Signed>::min() ? "-" : std::to_string(word);
}

template <typename Signed>
static std::string numberText(const strata_buffer &buffer, const BufferText &how, int64_t at) {
  return how.isSigned ? wordText<Signed>(buffer, how.marks, at)
                      : wordText<std::make_unsigned_t<Signed>>(buffer, how.marks, at);
}

static ShownArray shownBuffer(const strata_buffer &buffer, const BufferText &how) {
  auto element = [&](int64_t at) {
    switch (strata_type_bytes(buffer.type)) {
    case 1:
      return numberText<int8_t>(buffer, how, at);
    case 2:
      return numberText<int16_t>(buffer, how, at);
    case 4:
      return numberText<int32_t>(buffer, how, at);
    default:
      return numberText<int64_t>(buffer, how, at);
    }
  };
  return {how.label, runtime::typeName(strata_type(buffer.type)), elementsOf(buffer.count, element),
          buffer.count};
}

std::vector<ShownLevel> shownLevels(const Storage &storage, const StorageText &how) {
  std::vector<ShownLevel> shown;
  int64_t buffer = 0;
  for (const LevelText &level : how.levels) {
    ShownLevel &own = shown.emplace_back(ShownLevel{level.name, "", {}});
    if (level.buffers.empty()) {
      Extent extent = level.coordinate.extent(storage.sizes());
      own.remark = "no buffers, " + counted(extent.extent, "coordinate") + " from " +
                   std::to_string(extent.first);
    }
    for (const BufferText &one : level.buffers)
      own.arrays.push_back(shownBuffer(storage.buffer(buffer++), one));
  }
  ShownLevel &rest = shown.emplace_back();
  for (const BufferText &order : how.orders)
    rest.arrays.push_back(shownBuffer(storage.buffer(buffer++), order));
  const strata_buffer &values = storage.values();
  rest.arrays.push_back(
      {"values", runtime::typeName(strata_type(values.type)),
       elementsOf(values.count, [&](int64_t at) { return valueText(storage, at); }), values.count});
  return shown;
}

static std::string arrayText(const ShownArray &array, const char *indent) {
  std::string label = array.label, text;
  label.resize(std::max<size_t>(label.size(), 6), ' ');
  for (const std::string &element : array.elements)
    text += (text.empty() ? "" : " ") + element;
  if (array.count > int64_t(array.elements.size()))
    text += " ... " + std::to_string(array.count) + " elements";
  return indent + label + array.type + "  " + text + "\n";
}

std::string storageText(const std::string &name, const Storage &storage, const StorageText &how) {
  if (storage.sizes().empty())
    return name + ": " + how.element + "\n  value  " + valueText(storage, 0) + "\n";
  std::string text =
      name + ": " + sizesText(storage.sizes()) + ", " + how.element + ", " + how.format + "\n";
  const std::vector<ShownLevel> shown = shownLevels(storage, how);
  for (size_t lvl = 0; lvl < how.levels.size(); ++lvl) {
    text += "  level " + std::to_string(lvl + 1) + "  " + shown[lvl].name + "\n";
    if (!shown[lvl].remark.empty())
      text += "    " + shown[lvl].remark + "\n";
    for (const ShownArray &array : shown[lvl].arrays)
      text += arrayText(array, "    ");
  }
  const std::vector<ShownArray> &rest = shown.back().arrays;
  for (size_t at = 0; at + 1 < rest.size(); ++at)
    text += arrayText(rest[at], "    ");
  ShownArray values = rest.back();
  values.label += "  "; // stands with the levels
  return text + arrayText(values, "  ");
}

std::string partName(const std::string &name, size_t number, size_t parts) {
  return name + ", part " + std::to_string(number + 1) + " of " + std::to_string(parts);
}

} // namespace strata::host
