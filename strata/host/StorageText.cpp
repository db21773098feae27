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

static std::string elementsText(int64_t count, const std::function<std::string(int64_t)> &element) {
  std::string text;
  for (int64_t at = 0; at < std::min(count, mostElements); ++at)
    text += (at ? " " : "") + element(at);
  if (count > mostElements)
    text += " ... " + std::to_string(count) + " elements";
  return text + "\n";
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

static std::string bufferText(const strata_buffer &buffer, const BufferText &how) {
  std::string label = how.label;
  label.resize(std::max<size_t>(label.size(), 6), ' ');
  return "    " + label + runtime::typeName(strata_type(buffer.type)) + "  " +
         elementsText(buffer.count, [&](int64_t at) {
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
         });
}

static std::string sizesText(const Storage &storage) {
  std::string text;
  for (int64_t size : storage.sizes())
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

std::string storageText(const std::string &name, const Storage &storage, const StorageText &how) {
  if (storage.sizes().empty())
    return name + ": " + how.element + "\n  value  " + valueText(storage, 0) + "\n";
  std::string text =
      name + ": " + sizesText(storage) + ", " + how.element + ", " + how.format + "\n";
  int64_t buffer = 0;
  for (size_t lvl = 0; lvl < how.levels.size(); ++lvl) {
    const LevelText &level = how.levels[lvl];
    text += "  level " + std::to_string(lvl + 1) + "  " + level.name + "\n";
    if (level.buffers.empty()) {
      Extent extent = level.coordinate.extent(storage.sizes());
      text += "    no buffers, " + counted(extent.extent, "coordinate") + " from " +
              std::to_string(extent.first) + "\n";
    }
    for (const BufferText &own : level.buffers)
      text += bufferText(storage.buffer(buffer++), own);
  }
  for (const BufferText &order : how.orders)
    text += bufferText(storage.buffer(buffer++), order);
  const strata_buffer &values = storage.values();
  return text + "  values  " + runtime::typeName(strata_type(values.type)) + "  " +
         elementsText(values.count, [&](int64_t at) { return valueText(storage, at); });
}

std::string partName(const std::string &name, size_t number, size_t parts) {
  return name + ", part " + std::to_string(number + 1) + " of " + std::to_string(parts);
}

} // namespace strata::host
