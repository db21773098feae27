// Releases storages in the order in which they need each other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/View.h"

using strata::runtime::Storage;

namespace strata::host {

namespace {

// Releases a storage before what is lent to it, and that before the storages that it keeps.
struct Keeps {
  std::vector<std::shared_ptr<Storage>> kept;
  std::shared_ptr<void> lent; // released first
  void operator()(const Storage *storage) const { delete storage; }
};

} // namespace

std::shared_ptr<Storage> keeping(Storage view, std::vector<std::shared_ptr<Storage>> kept,
                                 std::shared_ptr<void> lent) {
  return {new Storage(std::move(view)), Keeps{std::move(kept), std::move(lent)}};
}

std::span<const std::shared_ptr<Storage>> keptBy(const std::shared_ptr<Storage> &storage) {
  const Keeps *keeps = std::get_deleter<Keeps>(storage);
  return keeps ? std::span(keeps->kept) : std::span<const std::shared_ptr<Storage>>();
}

} // namespace strata::host
