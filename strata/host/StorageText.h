// The buffers of a storage as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_STORAGETEXT_H
#define STRATA_HOST_STORAGETEXT_H

#include "strata/host/Affine.h"
#include "strata/runtime/storage/Storage.h"

#include <string>
#include <vector>

namespace strata::host {

/// How one buffer is shown.
struct BufferText {
  std::string label; ///< "pos"
  bool isSigned = false;
  bool marks = false; ///< the least number of its type stands for a place without a coordinate
  template <typename A> void fields(A &a) { a(label, isSigned, marks); }
};

/// How one level is shown.
struct LevelText {
  std::string name; ///< "j : compressed"
  std::vector<BufferText> buffers;
  Affine coordinate; ///< of the dimensions; where there are no buffers, its values are shown
  template <typename A> void fields(A &a) { a(name, buffers, coordinate); }
};

/// How storages of one format are shown.
struct StorageText {
  std::string element, format; ///< their names
  std::vector<LevelText> levels;
  std::vector<BufferText> orders; ///< of sorted dimensions, behind those of the levels
  template <typename A> void fields(A &a) { a(element, format, levels, orders); }
};

/// The elements of a buffer as text: the first of long ones.
struct ShownArray {
  std::string label, type; ///< "pos", "i8"
  std::vector<std::string> elements;
  int64_t count; ///< of all elements
};

/// What is shown of a level: its name, its buffers, or why there are none.
struct ShownLevel {
  std::string name, remark;
  std::vector<ShownArray> arrays;
};

/// The levels from the root, then those buffers that belong to none: orders, and values. A scalar
/// has nothing but its value.
std::vector<ShownLevel> shownLevels(const runtime::Storage &storage, const StorageText &text);

/// Describes a storage: a line for each level and each buffer from the root, and the values; of
/// long buffers it has the first elements.
std::string storageText(const std::string &name, const runtime::Storage &storage,
                        const StorageText &text);

/// The name of part `number` of several, counted from 0: "A, part 1 of 2".
std::string partName(const std::string &name, size_t number, size_t parts);

} // namespace strata::host

#endif // STRATA_HOST_STORAGETEXT_H
