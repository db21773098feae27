// The table of all level formats, made from the list in CMakeLists.txt.
#include "strata/level/LevelFormat.h"

#include <cstring>
#include <memory>
#include <vector>

namespace strata {

#define STRATA_LEVEL(Name) std::unique_ptr<LevelFormat> create##Name##Level();
#include "strata/level/Levels.def"
#undef STRATA_LEVEL

namespace {
struct Registry {
  std::vector<std::unique_ptr<LevelFormat>> formats;
  std::vector<llvm::StringRef> names;
  Registry() {
#define STRATA_LEVEL(Name) formats.push_back(create##Name##Level());
#include "strata/level/Levels.def"
#undef STRATA_LEVEL
    for (const auto &format : formats)
      names.push_back(format->traits.name);
  }
};

const Registry &registry() {
  static const Registry instance;
  return instance;
}
} // namespace

const LevelFormat *findLevelFormat(llvm::StringRef name) {
  for (const auto &format : registry().formats)
    if (format->traits.name == name)
      return format.get();
  return nullptr;
}

const LevelTraits *findLevelTraits(llvm::StringRef name) {
  const LevelFormat *format = findLevelFormat(name);
  return format ? &format->traits : nullptr;
}

static bool stores(llvm::StringRef name, BufferKind kind) {
  const LevelFormat *format = findLevelFormat(name);
  return format && llvm::any_of(format->buffers(),
                                [&](const BufferSpec &spec) { return spec.kind == kind; });
}

bool storesPositions(llvm::StringRef name) { return stores(name, BufferKind::Position); }
bool storesCoordinates(llvm::StringRef name) { return stores(name, BufferKind::Coordinate); }

llvm::ArrayRef<llvm::StringRef> levelNames() { return registry().names; }

int64_t StoredLevel::Numbers::operator[](int64_t at) const {
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(data) + at * bytes, bytes);
  unsigned unused = 64 - 8 * bytes; // the host is little-endian
  return isSigned ? int64_t(value << unused) >> unused : int64_t(value);
}

} // namespace strata
