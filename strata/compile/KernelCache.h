// Machine code of kernels, kept on disk from one process to the next.
#ifndef STRATA_COMPILE_KERNELCACHE_H
#define STRATA_COMPILE_KERNELCACHE_H

#include "strata/runtime/Status.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strata {

/// A folder of object files, each under the digest of all that its kernel depends on: the kernel's
/// text, the processor, and the compiler's own identity. Files appear whole or not at all, and
/// are verified when they are read, so that processes share a folder without locks, and a broken
/// file costs no more than compiling again.
class KernelCache {
public:
  /// What a folder may hold where nobody says otherwise.
  static constexpr int64_t defaultLimit = int64_t(256) << 20;

  /// STRATA_CACHE_DIR, or strata/kernels in the user's folder of caches: $XDG_CACHE_HOME, else
  /// .cache in $HOME, of which one that is not absolute is ignored. Empty where the first variable
  /// is, and where there is no such folder: nothing is to be kept.
  static std::string defaultFolder();

  /// Opens or makes a folder. What is in it is going to be run, so it is an error if others than
  /// this user can write to it.
  static runtime::Result<KernelCache> open(std::string folder, int64_t limit = defaultLimit);
  /// The cache that the environment names: defaultFolder(), STRATA_CACHE_SIZE. An error says why
  /// there is none.
  static runtime::Result<KernelCache> openDefault();

  /// The name of a kernel in here.
  static std::string digest(llvm::StringRef kernel, llvm::StringRef target);

  /// An object file that keep() was given; null where there is none.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef digest) const;
  /// Keeps an object file. `title` is one line that tells people what it computes. What has not
  /// been used for the longest time makes room; where nothing can be written, nothing is kept.
  void keep(llvm::StringRef digest, llvm::StringRef title, llvm::StringRef object) const;

  /// While it lives, no other process has a claim to the same digest.
  class Claim {
  public:
    Claim() = default;
    Claim(Claim &&other) noexcept : file(std::exchange(other.file, -1)) {}
    Claim &operator=(Claim &&other) noexcept {
      std::swap(file, other.file);
      return *this;
    }
    ~Claim();

  private:
    friend class KernelCache;
    int file = -1;
  };
  /// Waits until no other process has a claim: one of several makes an object file, and the others
  /// find it then. Whoever has waited for a minute goes on without one, as the claim only saves
  /// work; so does everybody where files cannot be locked.
  Claim claim(llvm::StringRef digest) const;

  struct Entry {
    std::string path, title;
    int64_t bytes = 0;
    llvm::sys::TimePoint<> used;
    bool whole = false; ///< is it what was written once?
  };
  /// All there is, what was used last first.
  std::vector<Entry> entries() const;

  const std::string &path() const { return folder; }
  int64_t byteLimit() const { return limit; }

private:
  KernelCache(std::string folder, int64_t limit) : folder(std::move(folder)), limit(limit) {}
  std::string pathOf(llvm::StringRef digest) const;

  std::string folder;
  int64_t limit;
};

} // namespace strata

#endif // STRATA_COMPILE_KERNELCACHE_H
