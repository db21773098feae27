// Keeps object files in a folder.
//
// A file is a line that says what it is, the digest of all that follows, a title, and the object:
//
//   strata kernel 1
//   5f0c…
//   C(i,k) = sum(j, A(i,j) * B(j,k)); A: CSR, B: CSR, result: CSR
//   \x7fELF…
#include "strata/compile/KernelCache.h"

#include "strata/compile/CompilerIdentity.h"
#include "strata/runtime/Variables.h"
#include "strata/tensor/Quantities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using llvm::MemoryBuffer;
using llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace strata {

/// LLVM's pruning takes files with this prefix, and no others.
static constexpr StringRef prefix = "llvmcache-";
static constexpr StringRef firstLine = "strata kernel 1\n";

static std::string hash(llvm::ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (StringRef part : parts) {
    uint64_t size = part.size(); // so that what is one part cannot be taken for two
    hasher.update(StringRef(reinterpret_cast<const char *>(&size), sizeof size));
    hasher.update(part);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

//===------------------------------------------------------------------------------------------===//
// The folder
//===------------------------------------------------------------------------------------------===//

std::string KernelCache::defaultFolder() {
  if (const char *given = runtime::variable("STRATA_CACHE_DIR"))
    return given;
  const char *caches = getenv("XDG_CACHE_HOME");
  llvm::SmallString<128> folder(caches ? caches : "");
  if (!path::is_absolute(folder)) {
    if (!path::home_directory(folder) || !path::is_absolute(folder))
      return "";
    path::append(folder, ".cache");
  }
  path::append(folder, "strata", "kernels");
  return std::string(folder);
}

Result<KernelCache> KernelCache::open(std::string folder, int64_t limit) {
  constexpr fs::perms onlyOwner = fs::owner_all;
  if (std::error_code error = fs::create_directories(folder, /*IgnoreExisting=*/true, onlyOwner))
    return Error{Error::FileAccess,
                 "the folder '" + folder + "' cannot be created: " + error.message()};
  fs::file_status status;
  if (std::error_code error = fs::status(folder, status))
    return Error{Error::FileAccess,
                 "the folder '" + folder + "' cannot be used: " + error.message()};
  if (status.type() != fs::file_type::directory_file)
    return Error{Error::FileAccess, "'" + folder + "' is not a folder"};
  if (status.getUser() != geteuid() ||
      (status.permissions() & (fs::group_write | fs::others_write)) != fs::no_perms)
    return Error{Error::FileAccess,
                 "others can write to the folder '" + folder + "', whose files would be run",
                 "one of your own, which only you can write to"};
  return KernelCache(std::move(folder), limit);
}

Result<KernelCache> KernelCache::openDefault() {
  std::string folder = defaultFolder();
  if (folder.empty())
    return Error{Error::Setting, "nothing is kept: there is no folder for it",
                 "STRATA_CACHE_DIR to name one"};
  int64_t limit = defaultLimit;
  if (const char *given = runtime::variable("STRATA_CACHE_SIZE")) {
    std::optional<int64_t> bytes = parseBytes(given);
    if (!bytes)
      return Error{Error::Setting,
                   "STRATA_CACHE_SIZE is '" + std::string(given) +
                       "', which is not a size of memory",
                   "500000, 64K or 1.5G, for example"};
    limit = *bytes;
  }
  return open(std::move(folder), limit);
}

std::string KernelCache::pathOf(StringRef digest) const {
  llvm::SmallString<256> file(folder);
  path::append(file, prefix + digest);
  return std::string(file);
}

std::string KernelCache::digest(StringRef kernel, StringRef target) {
  return hash({kernel, target, compilerIdentity()});
}

//===------------------------------------------------------------------------------------------===//
// The files
//===------------------------------------------------------------------------------------------===//

// A file taken apart; not whole if it is not what was written.
struct Parts {
  StringRef title, object;
  bool whole = false;
};

static Parts partsOf(StringRef file) {
  if (!file.consume_front(firstLine))
    return {};
  auto [written, contents] = file.split('\n');
  auto [title, object] = contents.split('\n');
  return {title, object, written == hash(contents)};
}

static std::unique_ptr<MemoryBuffer> read(const std::string &file, fs::OpenFlags flags) {
  llvm::Expected<fs::file_t> handle = fs::openNativeFileForRead(file, flags);
  if (!handle) {
    llvm::consumeError(handle.takeError());
    return nullptr;
  }
  auto buffer = MemoryBuffer::getOpenFile(*handle, file, /*FileSize=*/-1,
                                          /*RequiresNullTerminator=*/false);
  fs::closeFile(*handle);
  return buffer ? std::move(*buffer) : nullptr;
}

std::unique_ptr<MemoryBuffer> KernelCache::find(StringRef digest) const {
  std::string file = pathOf(digest);
  std::unique_ptr<MemoryBuffer> buffer = read(file, fs::OF_UpdateAtime);
  if (!buffer)
    return nullptr;
  Parts parts = partsOf(buffer->getBuffer());
  if (!parts.whole) {
    fs::remove(file);
    return nullptr;
  }
  return MemoryBuffer::getMemBufferCopy(parts.object, digest); // which is aligned
}

// Looking at all files takes a while where there are many. So each time a sixteenth of the folder
// is left free, which this process may then fill without looking.
static void makeRoom(const std::string &folder, int64_t limit, int64_t written) {
  static std::mutex mutex;
  static auto &rooms =
      *new std::map<std::string, int64_t>; // the process may end while others write
  const std::lock_guard lock(mutex);
  int64_t &room = rooms[folder], slack = limit / 16;
  room = std::min(room, slack) - written;
  if (room >= 0)
    return;
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::hours(24 * 90);
  policy.MaxSizeBytes = uint64_t(std::max<int64_t>(limit - slack, 1)); // 0 would be no limit
  llvm::pruneCache(folder, policy);
  room = slack;
}

void KernelCache::keep(StringRef digest, StringRef title, StringRef object) const {
  std::string contents = (title + "\n" + object).str();
  auto file = fs::TempFile::create(pathOf("%%%%%%%%.new"));
  if (!file)
    return llvm::consumeError(file.takeError());
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << firstLine << hash(StringRef(contents)) << "\n" << contents;
  stream.flush();
  auto written = int64_t(stream.tell());
  bool failed = stream.has_error();
  stream.clear_error();
  llvm::consumeError(failed ? file->discard() : file->keep(pathOf(digest)));
  makeRoom(folder, limit, written);
}

// All claims are bytes of one file, which has none: a byte for each digest. The system gives them
// back when a process ends, however that happens.
KernelCache::Claim KernelCache::claim(StringRef digest) const {
  llvm::SmallString<256> path(folder);
  path::append(path, "claims");
  Claim claim;
  claim.file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = off_t(llvm::xxh3_64bits(digest) >> 1);
  byte.l_len = 1;
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 1min;
  auto pause = 100us;
  while (claim.file >= 0 && fcntl(claim.file, F_OFD_SETLK, &byte) != 0 &&
         (errno == EAGAIN || errno == EACCES) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(2 * pause, 20ms);
  }
  return claim;
}

KernelCache::Claim::~Claim() {
  if (file >= 0)
    ::close(file);
}

std::vector<KernelCache::Entry> KernelCache::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error)) {
    fs::file_status status;
    if (!path::filename(file->path()).starts_with(prefix) || fs::status(file->path(), status))
      continue;
    std::unique_ptr<MemoryBuffer> buffer = read(file->path(), fs::OF_None);
    if (!buffer)
      continue;
    Parts parts = partsOf(buffer->getBuffer());
    found.push_back({file->path(), parts.title.str(), int64_t(status.getSize()),
                     status.getLastAccessedTime(), parts.whole});
  }
  llvm::sort(found, [](const Entry &a, const Entry &b) { return a.used > b.used; });
  return found;
}

} // namespace strata
