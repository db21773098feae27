// Moves pages between blocks.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // MREMAP_FIXED, dl_iterate_phdr
#endif
#include "strata/runtime/PagePool.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace strata::runtime {
namespace {

constexpr int protection = PROT_READ | PROT_WRITE;
constexpr int newPages = MAP_PRIVATE | MAP_ANONYMOUS;

size_t unitsOf(size_t bytes) {
  return (bytes + PagePool::unit - 1) / PagePool::unit * PagePool::unit;
}

/// Asks for huge pages, if the system has them: not for the first unit of a small block, of which
/// little may be used, and not for the last unit, of which little may be needed, where it is one of
/// few.
void adviseHugePages(char *block, size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr size_t some = 4, many = 8;
  const size_t begin = size < some * PagePool::unit ? PagePool::unit : 0;
  const size_t end =
      size < many * PagePool::unit ? size / PagePool::unit * PagePool::unit : unitsOf(size);
  if (end > begin)
    (void)madvise(block + begin, end - begin, MADV_HUGEPAGE);
#endif
}

/// New pages for `size` bytes; null if there is no room.
char *mapUnits(size_t size) {
  const size_t bytes = unitsOf(size);
  void *mapped = mmap(nullptr, bytes + PagePool::unit, protection, newPages, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(mapped), *end = begin + bytes + PagePool::unit;
  char *block = begin + (PagePool::unit - reinterpret_cast<uintptr_t>(begin) % PagePool::unit);
  munmap(begin, size_t(block - begin));
  if (end > block + bytes)
    munmap(block + bytes, size_t(end - (block + bytes)));
  adviseHugePages(block, size);
  return block;
}

bool watches(std::string_view library) {
  const std::string_view file = library.substr(library.rfind('/') + 1);
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"libucm", "libopen-pal", "libfabric", "libpsm"},
      [&](std::string_view name) { return file.starts_with(name); });
}

/// Tells whether a library is loaded that watches where pages lie, as those do that send messages
/// from memory that they have registered: pages must not move behind its back. (In the place of
/// mremap, UCX puts a function that loses the new address.) The pool's lock is held.
bool arePagesWatched() {
  struct Scan {
    unsigned long long changes = 0; // of the list of libraries
    bool watched = false;
  };
  static Scan last;
  if (last.watched)
    return true;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        Scan &scan = *static_cast<Scan *>(data);
        const unsigned long long changes = info->dlpi_adds + info->dlpi_subs;
        if (scan.changes == changes)
          return 1;
        scan.watched = info->dlpi_name && watches(info->dlpi_name);
        return scan.watched ? 1 : 0;
      },
      &last);
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        static_cast<Scan *>(data)->changes = info->dlpi_adds + info->dlpi_subs;
        return 1;
      },
      &last);
  return last.watched;
}

/// Puts pages at another place, with what they hold.
void movePages(char *from, size_t bytes, char *to) {
  if (arePagesWatched()) {
    std::memcpy(to, from, bytes);
    munmap(from, bytes);
    return;
  }
#ifdef MREMAP_MAYMOVE
  auto move = [](char *source, size_t count, char *target) {
    return syscall(SYS_mremap, source, count, count, MREMAP_MAYMOVE | MREMAP_FIXED, target) != -1;
  };
  if (move(from, bytes, to))
    return;
  // Before Linux 6.17 only pages of one mapping move at once. Those at the target may be gone.
  (void)mmap(to, bytes, protection, newPages | MAP_FIXED, -1, 0);
#else
  auto move = [](char *, size_t, char *) { return false; };
#endif
  for (size_t at = 0; at < bytes; at += PagePool::unit)
    if (!move(from + at, PagePool::unit, to + at)) {
      (void)mmap(to + at, PagePool::unit, protection, newPages | MAP_FIXED, -1, 0);
      std::memcpy(to + at, from + at, PagePool::unit);
      munmap(from + at, PagePool::unit);
    }
}

bool isTouched(char *page) {
  unsigned char resident = 1;
  (void)mincore(page, size_t(sysconf(_SC_PAGESIZE)), &resident);
  return resident & 1;
}

/// Blocks are written from their beginning on: as many bytes have pages. (Pages behind others that
/// were never written to are not found, and given back.)
size_t touchedBytes(char *block, size_t bytes) {
  size_t begin = 0, end = bytes / PagePool::unit;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (isTouched(block + middle * PagePool::unit))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin * PagePool::unit;
}

/// Bytes kept in all, at most: a sixteenth of the machine's memory, and 1 GiB.
size_t most() {
  static const size_t bytes = [] {
    const long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGESIZE);
    const size_t memory = pages > 0 && each > 0 ? size_t(pages) * size_t(each) : 0;
    return std::min(memory / 16, size_t{1} << 30);
  }();
  return bytes;
}

} // namespace

void *PagePool::take(size_t size) {
  const size_t bytes = unitsOf(size);
  const std::lock_guard lock(mutex);
  if (Extent *extent = best(bytes); extent && extent->bytes >= bytes) {
    char *block = cutFront(*extent, bytes);
    use(int64_t(bytes));
    return block;
  }
  char *block = mapUnits(size);
  if (!block)
    return nullptr;
  gather(block, block + bytes);
  use(int64_t(bytes));
  return block;
}

void PagePool::keep(void *block, size_t size) {
  const size_t bytes = unitsOf(size);
  const std::lock_guard lock(mutex);
  addTouched(static_cast<char *>(block), bytes);
  use(-int64_t(bytes));
}

void *PagePool::resize(void *block, size_t oldSize, size_t newSize) {
  const size_t before = unitsOf(oldSize), after = unitsOf(newSize);
  if (before == after)
    return block;
  const std::lock_guard lock(mutex);
  char *begin = static_cast<char *>(block);
  if (after > before)
    begin = grown(begin, before, newSize);
  else if (before - after > after)
    addTouched(begin + after, before - after);
  else // room that the next one, too, will ask for in vain
    add(begin + after, before - after);
  if (begin)
    use(int64_t(after) - int64_t(before));
  return begin;
}

void PagePool::giveBack() {
  const std::lock_guard lock(mutex);
  drop(total);
}

char *PagePool::grown(char *block, size_t before, size_t newSize) {
  const size_t after = unitsOf(newSize);
  for (Extent &extent : extents)
    if (extent.begin == block + before && extent.bytes >= after - before) {
      cutFront(extent, after - before);
      return block;
    }
  char *region = mapUnits(newSize);
  if (!region)
    return nullptr;
  movePages(block, before, region);
  gather(region + before, region + after);
  return region;
}

/// Fills new pages with kept ones, as far as there are any that may move.
void PagePool::gather(char *begin, char *end) {
  if (arePagesWatched())
    return;
  while (begin < end) {
    Extent *extent = best(size_t(end - begin));
    if (!extent)
      return;
    const size_t bytes = std::min(extent->bytes, size_t(end - begin));
    movePages(cutFront(*extent, bytes), bytes, begin);
    begin += bytes;
  }
}

/// Keeps what was touched of a block.
void PagePool::addTouched(char *begin, size_t bytes) {
  const size_t touched = touchedBytes(begin, bytes);
  if (touched < bytes)
    munmap(begin + touched, bytes - touched);
  if (touched > 0)
    add(begin, touched);
}

/// Keeps pages; what was kept longest makes room.
void PagePool::add(char *begin, size_t bytes) {
  if (const size_t fitting = most() / unit * unit; bytes > fitting) {
    munmap(begin + fitting, bytes - fitting);
    bytes = fitting;
  }
  if (total + bytes > most())
    drop(total + bytes - most());
  total += bytes;
  const Extent extent = joined({begin, bytes, ++time});
  Extent *place = unused();
  if (!place) {
    drop(oldest()->bytes);
    place = unused();
  }
  *place = extent;
#ifdef MADV_FREE
  // Of much, the system may take some while nobody uses it.
  if (total > most() / 2)
    (void)madvise(begin, bytes, MADV_FREE);
#endif
}

/// With those that lie right before and behind it.
PagePool::Extent PagePool::joined(Extent extent) {
  for (Extent &other : extents) {
    const bool before = other.begin + other.bytes == extent.begin;
    const bool behind = extent.begin + extent.bytes == other.begin;
    if (other.bytes == 0 || !(before || behind))
      continue;
    extent.begin = std::min(extent.begin, other.begin);
    extent.bytes += other.bytes;
    other.bytes = 0;
  }
  return extent;
}

PagePool::Extent *PagePool::unused() {
  Extent *found = std::ranges::find(extents, size_t{0}, &Extent::bytes);
  return found == std::end(extents) ? nullptr : found;
}

/// The smallest extent with so many bytes, or else the largest one; null if there is none.
PagePool::Extent *PagePool::best(size_t bytes) {
  Extent *found = nullptr;
  for (Extent &extent : extents) {
    if (extent.bytes == 0)
      continue;
    const bool serves = extent.bytes >= bytes, served = found && found->bytes >= bytes;
    const bool smaller = found && extent.bytes < found->bytes;
    if (!found || (serves && (!served || smaller)) || (!serves && !served && !smaller))
      found = &extent;
  }
  return found;
}

PagePool::Extent *PagePool::oldest() {
  Extent *found = nullptr;
  for (Extent &extent : extents)
    if (extent.bytes != 0 && (!found || extent.kept < found->kept))
      found = &extent;
  return found;
}

char *PagePool::cutFront(Extent &extent, size_t bytes) {
  char *begin = extent.begin;
  extent.begin += bytes;
  extent.bytes -= bytes;
  total -= bytes;
  return begin;
}

/// Gives at least so many bytes back to the system, of those kept longest.
void PagePool::drop(size_t bytes) {
  while (bytes > 0 && total > 0) {
    Extent &extent = *oldest();
    const size_t some = std::min(extent.bytes, (bytes + unit - 1) / unit * unit);
    extent.bytes -= some;
    total -= some;
    munmap(extent.begin + extent.bytes, some);
    bytes -= std::min(bytes, some);
  }
}

/// The process never holds more than a quarter above what it once had in use.
void PagePool::use(int64_t bytes) {
  inUse += bytes;
  peak = std::max(peak, inUse);
  const int64_t excess = inUse + int64_t(total) - (peak + peak / 4);
  if (excess > 0)
    drop(size_t(excess));
}

} // namespace strata::runtime
