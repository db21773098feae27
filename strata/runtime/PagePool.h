// Pages that were released, for the next large blocks.
//
// A page that a process has not written to before must be cleared by the system, which costs more
// than what a kernel then writes there. So the pages of large blocks are kept when these are
// released, whatever the sizes of the blocks: a new block, or the end of one that grows, is made of
// kept pages by moving them in the address space (mremap). They move in units of huge pages, so
// that these stay whole.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_PAGEPOOL_H
#define STRATA_RUNTIME_PAGEPOOL_H

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace strata::runtime {

/// Blocks, each of as many units as its bytes need. All functions may be called by several threads
/// at once.
class PagePool {
public:
  static constexpr size_t unit = size_t{2} << 20; ///< bytes of a huge page

  /// A block whose contents are undefined; null if there is no memory.
  void *take(size_t size);
  /// Takes a block back. What was never written to is no use to others, and the system's again.
  void keep(void *block, size_t size);
  /// A block with another size and the same contents, perhaps elsewhere; null if it cannot be had.
  void *resize(void *block, size_t oldSize, size_t newSize);
  /// Gives all that is kept back to the system.
  void giveBack();

private:
  struct Extent {
    char *begin = nullptr;
    size_t bytes = 0; ///< 0: none
    uint64_t kept = 0;
  };

  char *grown(char *block, size_t before, size_t newSize);
  void gather(char *begin, char *end);
  void addTouched(char *begin, size_t bytes);
  void add(char *begin, size_t bytes);
  Extent joined(Extent extent);
  Extent *unused();
  Extent *best(size_t bytes);
  Extent *oldest();
  char *cutFront(Extent &extent, size_t bytes);
  void drop(size_t bytes);
  void use(int64_t bytes);

  std::mutex mutex;
  Extent extents[256];
  size_t total = 0;            ///< bytes kept
  int64_t inUse = 0, peak = 0; ///< bytes of blocks
  uint64_t time = 0;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_PAGEPOOL_H
