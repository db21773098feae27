// Asking descriptions of groups and arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/ArrayStore.h"

#include <algorithm>

namespace strata::runtime {

static const StoreAttribute &attributeOf(const StoreNode &node, const std::string &name) {
  static const StoreAttribute none;
  auto found = node.attributes.find(name);
  return found == node.attributes.end() ? none : found->second;
}

const std::string &StoreNode::text(const std::string &attribute) const {
  return attributeOf(*this, attribute).text;
}

const std::vector<int64_t> &StoreNode::numbers(const std::string &attribute) const {
  return attributeOf(*this, attribute).numbers;
}

const StoreNode *StoreNode::child(const std::string &name) const {
  auto found = children.find(name);
  return found == children.end() ? nullptr : &found->second;
}

bool StoreNode::hasAll(std::initializer_list<const char *> names) const {
  return std::ranges::all_of(names, [&](const char *name) { return child(name) != nullptr; });
}

Result<std::vector<int64_t>> readIntegers(ArrayStore &store, const ArrayRequest &request) {
  Result<std::vector<FileArray>> read = store.read(std::span(&request, 1));
  if (!read)
    return read.takeStatus();
  return readIntegers(read->front());
}

std::string childPath(const std::string &group, const std::string &name) {
  return group.empty() ? name : group + "/" + name;
}

} // namespace strata::runtime
