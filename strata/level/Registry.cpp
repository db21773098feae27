// The table of all level formats, made from the list in CMakeLists.txt.
#include "strata/level/LevelFormat.h"

#include <cstring>
#include <vector>

namespace strata {

#define STRATA_LEVEL(Name) std::unique_ptr<LevelFormat> create##Name##Level();
#include "strata/level/Levels.def"
#undef STRATA_LEVEL

namespace {

// Do the traits say what the format can do?
bool agree(const LevelFormat &format) {
  const LevelTraits &traits = format.traits;
  return traits.iteratesPositions == (format.positionIteration() != nullptr) &&
         traits.iteratesCoordinates == (format.coordinateIteration() != nullptr) &&
         traits.iteratesSpans == (format.spanIteration() != nullptr) &&
         traits.locates == (format.locate() != nullptr) &&
         traits.counts == (format.countedBuild() != nullptr) &&
         (format.buffers().empty() || format.inspect() != nullptr);
}

struct Registry {
  std::vector<std::unique_ptr<LevelFormat>> formats;
  std::vector<llvm::StringRef> names;

  bool add(std::unique_ptr<LevelFormat> format) {
    if (!agree(*format))
      return false;
    names.push_back(format->traits.name);
    formats.push_back(std::move(format));
    return true;
  }
  Registry() {
#define STRATA_LEVEL(Name) add(create##Name##Level());
#include "strata/level/Levels.def"
#undef STRATA_LEVEL
  }
};

// Formats may be added before main, from other files.
Registry &registry() {
  static Registry instance;
  return instance;
}

} // namespace

bool registerLevelFormat(std::unique_ptr<LevelFormat> format) {
  if (findLevelFormat(format->traits.name))
    return false;
  return registry().add(std::move(format));
}

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
  return format &&
         llvm::any_of(format->buffers(), [&](const BufferSpec &spec) { return spec.kind == kind; });
}

bool storesPositions(llvm::StringRef name) { return stores(name, BufferKind::Position); }
bool storesCoordinates(llvm::StringRef name) { return stores(name, BufferKind::Coordinate); }

llvm::ArrayRef<llvm::StringRef> levelNames() { return registry().names; }

int64_t StoredLevel::Numbers::operator[](int64_t at) const {
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(data) + (at * stride + offset) * bytes, bytes);
  unsigned unused = 64 - 8 * bytes; // the host is little-endian
  return isSigned ? int64_t(value << unused) >> unused : int64_t(value);
}

// Compares bits, which a compiler turns into wide comparisons.
template <typename T> static int64_t countBits(const StoredLevel::Numbers &numbers, int64_t value) {
  const T *data = static_cast<const T *>(numbers.data) + numbers.offset;
  int64_t count = 0;
  for (int64_t at = 0; at < numbers.count; ++at)
    count += data[at * numbers.stride] == T(value);
  return count;
}

int64_t StoredLevel::Numbers::countOf(int64_t value) const {
  switch (bytes) {
  case 1:
    return countBits<uint8_t>(*this, value);
  case 2:
    return countBits<uint16_t>(*this, value);
  case 4:
    return countBits<uint32_t>(*this, value);
  default:
    return countBits<uint64_t>(*this, value);
  }
}

} // namespace strata
