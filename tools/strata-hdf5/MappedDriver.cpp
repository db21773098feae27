// The functions that the library calls to read a file, and the notes that they take.
#include "MappedDriver.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace strata::hdf5 {
namespace {

using runtime::Hdf5Piece;

/// Names what the library is told to open.
struct Source {
  const char *bytes;
  haddr_t size;
};

struct MappedFile {
  H5FD_t common; ///< the library's own, which must be first
  Source source;
  haddr_t endOfAddresses = 0;
};

/// Notes of where elements lie, while they are taken.
struct Notes {
  char *to = nullptr; ///< where the library believes that it copies elements to; null: none taken
  size_t bytes = 0;
  size_t most = 0;                                       ///< pieces
  std::vector<std::pair<size_t, Hdf5Piece>> pieces = {}; ///< each with where it belongs

  bool areOf(const void *address, size_t size) const {
    const auto *at = static_cast<const char *>(address);
    return to && at >= to && at < to + bytes && size <= bytes - static_cast<size_t>(at - to);
  }
  bool add(haddr_t start, size_t size, const void *address) {
    pieces.push_back({static_cast<size_t>(static_cast<const char *>(address) - to),
                      {static_cast<int64_t>(start), static_cast<int64_t>(size)}});
    return pieces.size() <= most;
  }
};

Notes notes; // of this process, which has one file

const MappedFile *mapped(const H5FD_t *file) { return reinterpret_cast<const MappedFile *>(file); }

H5FD_t *openFile(const char *, unsigned, hid_t access, haddr_t) {
  const auto *source = static_cast<const Source *>(H5Pget_driver_info(access));
  return source ? &(new MappedFile{.common = {}, .source = *source})->common : nullptr;
}

herr_t closeFile(H5FD_t *file) {
  delete reinterpret_cast<MappedFile *>(file);
  return 0;
}

herr_t sayFeatures(const H5FD_t *, unsigned long *features) {
  *features = 0; // no buffers between the library's reads and this file
  return 0;
}

haddr_t endOfAddresses(const H5FD_t *file, H5FD_mem_t) { return mapped(file)->endOfAddresses; }

herr_t setEndOfAddresses(H5FD_t *file, H5FD_mem_t, haddr_t address) {
  reinterpret_cast<MappedFile *>(file)->endOfAddresses = address;
  return 0;
}

haddr_t endOfFile(const H5FD_t *file, H5FD_mem_t) { return mapped(file)->source.size; }

herr_t readBytes(H5FD_t *file, H5FD_mem_t kind, hid_t, haddr_t start, size_t size, void *to) {
  const Source &source = mapped(file)->source;
  const bool isThere = start <= source.size && size <= source.size - start;
  if (!isThere)
    return -1;
  if (kind == H5FD_MEM_DRAW && notes.areOf(to, size))
    return notes.add(start, size, to) ? 0 : -1;
  std::memcpy(to, source.bytes + start, size);
  return 0;
}

herr_t writeNothing(H5FD_t *, H5FD_mem_t, hid_t, haddr_t, size_t, const void *) { return -1; }

hid_t registerDriver() {
  static H5FD_class_t functions{};
#ifdef H5FD_CLASS_VERSION
  functions.version = H5FD_CLASS_VERSION;
  functions.value = static_cast<H5FD_class_value_t>(511); // one of those for tests and own use
#endif
  functions.name = "mapped";
  functions.maxaddr = static_cast<haddr_t>(INT64_MAX);
  functions.fc_degree = H5F_CLOSE_WEAK;
  functions.fapl_size = sizeof(Source);
  functions.open = openFile;
  functions.close = closeFile;
  functions.query = sayFeatures;
  functions.get_eoa = endOfAddresses;
  functions.set_eoa = setEndOfAddresses;
  functions.get_eof = endOfFile;
  functions.read = readBytes;
  functions.write = writeNothing;
  const H5FD_mem_t one[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(one), std::end(one), functions.fl_map);
  return H5FDregister(&functions);
}

/// Joins pieces that lie behind each other; nothing unless they are all of the elements.
std::optional<std::vector<Hdf5Piece>> joined(Notes taken) {
  std::ranges::sort(taken.pieces, {}, [](const auto &piece) { return piece.first; });
  std::vector<Hdf5Piece> joined;
  size_t at = 0;
  for (const auto &[place, piece] : taken.pieces) {
    if (place != at)
      return std::nullopt;
    at += static_cast<size_t>(piece.bytes);
    if (!joined.empty() && joined.back().start + joined.back().bytes == piece.start)
      joined.back().bytes += piece.bytes;
    else
      joined.push_back(piece);
  }
  return at == taken.bytes ? std::optional(std::move(joined)) : std::nullopt;
}

} // namespace

hid_t openMapped(std::string_view bytes) {
  const Source source{bytes.data(), bytes.size()};
  const hid_t driver = registerDriver(), access = H5Pcreate(H5P_FILE_ACCESS);
  if (driver < 0 || access < 0 || H5Pset_driver(access, driver, &source) < 0)
    return -1;
  return H5Fopen("file", H5F_ACC_RDONLY, access);
}

std::optional<std::vector<Hdf5Piece>> placesOf(int64_t bytes,
                                               const std::function<bool(void *to)> &read) {
  constexpr size_t fewPieces = 16, leastBytes = 4096; // a piece, on average
  const auto size = static_cast<size_t>(bytes);
  if (size == 0)
    return std::nullopt;
  // Room that the library may write to (elements without a place have the fill value).
  void *to = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (to == MAP_FAILED)
    return std::nullopt;
  notes = {
      .to = static_cast<char *>(to), .bytes = size, .most = std::max(fewPieces, size / leastBytes)};
  const bool done = read(to);
  Notes taken = std::exchange(notes, {});
  munmap(to, size);
  return done ? joined(std::move(taken)) : std::nullopt;
}

} // namespace strata::hdf5
