// Blocks with a halo begin with a mark, which says whether that is lent:
//
//   mark   halo before   block   halo after
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Halo.h"

#include <atomic>
#include <cstring>
#include <new>
#include <vector>

namespace strata::runtime {
namespace {

constexpr int64_t alignment = 64; // of all blocks, abi.h

int64_t aligned(int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

using Mark = std::atomic<bool>;
static_assert(sizeof(Mark) <= alignment);

} // namespace

HaloMaker::HaloMaker(int64_t bytes, Halo halo)
    : bytes(bytes), halo{aligned(halo.before), aligned(halo.after)},
      memory(strata_default_allocator()), asked(this->halo) {}

HaloMaker *HaloMaker::make(int64_t bytes, Halo halo) {
  static std::mutex guard;
  static auto &all = *new std::vector<std::unique_ptr<HaloMaker>>;
  const std::lock_guard lock(guard);
  all.emplace_back(new HaloMaker(bytes, halo));
  return all.back().get();
}

HaloMaker *HaloMaker::of(strata_allocator allocator) {
  return allocator.reallocate == &HaloMaker::reallocate ? static_cast<HaloMaker *>(allocator.state)
                                                        : nullptr;
}

int64_t HaloMaker::bytesAround(strata_allocator allocator, int64_t blockBytes) {
  const HaloMaker *maker = of(allocator);
  return maker && maker->surrounds(size_t(blockBytes)) ? maker->bytesAround() : 0;
}

void HaloMaker::ask(Halo wanted) {
  const std::lock_guard lock(asking);
  asked = Halo::largerOf(asked, wanted);
}

HaloMaker *HaloMaker::nextMaker() {
  const std::lock_guard lock(asking);
  return halo.covers(asked) ? this : make(bytes, asked);
}

std::shared_ptr<void> HaloMaker::lend(void *block, Halo wanted) {
  if (!halo.covers(wanted) || !surrounds(size_t(bytes)))
    return nullptr;
  auto *mark = std::launder(reinterpret_cast<Mark *>(beginOf(block)));
  if (mark->exchange(true))
    return nullptr;
  return {block, [mark](void *) { mark->store(false); }};
}

// Tells whether blocks of so many bytes have a halo.
bool HaloMaker::surrounds(size_t blockBytes) const {
  return int64_t(blockBytes) == bytes && halo.before + halo.after > 0;
}

int64_t HaloMaker::bytesAround() const { return alignment + halo.before + halo.after; }

char *HaloMaker::beginOf(void *block) const {
  return static_cast<char *>(block) - halo.before - alignment;
}

void *HaloMaker::take() {
  void *begin = memory.reallocate(memory.state, nullptr, 0, size_t(bytes + bytesAround()));
  if (!begin)
    return nullptr;
  ::new (begin) Mark(false);
  return static_cast<char *>(begin) + alignment + halo.before;
}

void HaloMaker::release(void *block) {
  memory.reallocate(memory.state, beginOf(block), size_t(bytes + bytesAround()), 0);
}

void *HaloMaker::reallocate(void *state, void *block, size_t oldBytes, size_t newBytes) {
  auto &self = *static_cast<HaloMaker *>(state);
  const strata_allocator &memory = self.memory;
  const bool had = oldBytes > 0 && self.surrounds(oldBytes), has = self.surrounds(newBytes);
  if (!had && !has)
    return memory.reallocate(memory.state, block, oldBytes, newBytes);
  if (had && has)
    return block;
  void *made = nullptr;
  if (newBytes > 0) {
    made = has ? self.take() : memory.reallocate(memory.state, nullptr, 0, newBytes);
    if (!made)
      return nullptr;
  }
  if (oldBytes == 0)
    return made;
  if (made)
    std::memcpy(made, block, std::min(oldBytes, newBytes));
  if (had)
    self.release(block);
  else
    memory.reallocate(memory.state, block, oldBytes, 0);
  return made;
}

int64_t haloBytes(const Storage &storage) {
  int64_t bytes = 0;
  for (int64_t at = 0; at < storage.bufferCount(); ++at)
    if (const strata_buffer &buffer = storage.buffer(at); buffer.owned && buffer.capacity > 0)
      bytes += HaloMaker::bytesAround(storage.allocator(),
                                      buffer.capacity * strata_type_bytes(buffer.type));
  return bytes;
}

} // namespace strata::runtime
