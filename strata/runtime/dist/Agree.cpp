// Gathers a hash of what must be the same.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Agree.h"

#include <algorithm>

namespace strata::runtime::dist {

// FNV-1a.
static int64_t hashOf(std::string_view content) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : content)
    hash = (hash ^ byte) * 0x100000001b3;
  return int64_t(hash);
}

Status agree(World &world, std::span<const Agreed> things) {
  std::vector<int64_t> own;
  std::string names;
  for (const Agreed &thing : things) {
    own.push_back(int64_t(thing.content.size()));
    own.push_back(hashOf(thing.content));
    names += (names.empty() ? "" : ", ") + thing.name;
  }
  const size_t words = own.size();
  Result<std::vector<int64_t>> all = world.allgather(own, "the agreement on " + names);
  if (!all)
    return all.takeStatus();
  for (int32_t rank = 1; rank < world.size(); ++rank)
    for (size_t thing = 0; thing < things.size(); ++thing) {
      auto of = [&](int32_t other) {
        return all->begin() + ptrdiff_t(size_t(other) * words + 2 * thing);
      };
      if (!std::equal(of(rank), of(rank) + 2, of(0)))
        return Error{world.nameOf(rank) + " differs from rank 0 in " + things[thing].name,
                     "the same in all ranks"};
    }
  return Status();
}

} // namespace strata::runtime::dist
