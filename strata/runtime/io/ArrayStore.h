// Files that hold arrays in groups, as directories hold files: HDF5 and Zarr.
//
// A path names a group or an array, without a slash at its beginning; that of the root is empty.
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ARRAYSTORE_H
#define STRATA_RUNTIME_IO_ARRAYSTORE_H

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/FileSelection.h"

#include <map>

namespace strata::runtime {

/// An attribute of a group or an array: a text (of JSON, where it is structured), or integers.
struct StoreAttribute {
  std::string text = {};
  std::vector<int64_t> numbers = {};
};

/// A group or an array, described.
struct StoreNode {
  bool isGroup = true;
  std::map<std::string, StoreAttribute> attributes = {};
  std::map<std::string, StoreNode> children = {}; ///< of a group; theirs need not be listed
  std::vector<int64_t> sizes = {};                ///< of an array
  std::optional<FileType> type = {};              ///< of its elements; nothing: none that is known
  std::optional<Error> fault = {};                ///< why an array cannot be read
  std::optional<int64_t> place = {};              ///< where it lies; groups of one place are one

  /// Returns an attribute's text, empty if there is none.
  const std::string &text(const std::string &attribute) const;
  /// Returns an attribute's integers, none if there is none.
  const std::vector<int64_t> &numbers(const std::string &attribute) const;
  bool has(const std::string &attribute) const { return attributes.contains(attribute); }
  /// Returns what lies directly in it; null if it has no such child.
  const StoreNode *child(const std::string &name) const;
  /// Tells whether it has all of these children.
  bool hasAll(std::initializer_list<const char *> names) const;
};

/// An array to read, and which places of its first dimension.
struct ArrayRequest {
  std::string path;
  IndexRange range = {};
  bool inPieces = false; ///< its elements may come in pieces (FileArray)
};

/// A file that is open. No memory is allocated by what it says of itself alone.
class ArrayStore {
public:
  virtual ~ArrayStore() = default;

  /// Describes what has this path; nothing if there is nothing.
  virtual Result<std::optional<StoreNode>> describe(const std::string &path) = 0;
  /// Reads arrays of numbers, named by the last part of their paths, row by row.
  virtual Result<std::vector<FileArray>> read(std::span<const ArrayRequest> requests) = 0;
  /// Reads an array of texts.
  virtual Result<std::vector<std::string>> readTexts(const ArrayRequest &request) = 0;
  /// Returns how many bytes the file has, or those that were read.
  virtual int64_t bytes() const = 0;
};

/// Reads an array of integers, or a part of it.
Result<std::vector<int64_t>> readIntegers(ArrayStore &store, const ArrayRequest &request);

/// Returns the path of what lies in a group.
std::string childPath(const std::string &group, const std::string &name);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ARRAYSTORE_H
