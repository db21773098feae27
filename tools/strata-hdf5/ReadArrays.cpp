// Reading arrays, whole or some places of their first dimension: their receiver is told where they
// lie in the file, or else gets them in shared memory.
#include "Groups.h"
#include "Image.h"
#include "MappedDriver.h"

#include "strata/runtime/Counted.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <vector>

namespace strata::hdf5 {
namespace {

using namespace runtime;

class ArrayReader {
public:
  ArrayReader(Image &image, const std::string &path) : image(image), path(path) {
    data = H5Dopen2(image.file(), path.c_str(), withoutCache());
    if (data < 0)
      image.fail("'" + path + "' cannot be opened as an array");
    space = H5Dget_space(data);
    const hid_t type = H5Dget_type(data);
    const std::optional<ElementType> known = elementTypeOf(type);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const int order = H5Sget_simple_extent_ndims(space);
    if (!known)
      image.fail("the elements of '" + path + "' are neither numbers of a known type nor texts");
    if (order < 0 || points < 0)
      image.fail("'" + path + "' is not an array");
    element = *known;
    sizes.resize(static_cast<size_t>(order));
    if (order > 0)
      H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    count = points;
    checkStored();
  }

  void read(int64_t begin, int64_t end) {
    if (end >= 0)
      select(begin, end);
    const int64_t bytes = count * std::max<int64_t>(fileTypeBytes(element.type), 1);
    image.limit(2 * bytes);
    if (liesAsInMemory() && (putPlaces(bytes) || putChunks(end >= 0 ? begin : 0)))
      return;
    checkFilters();
    if (element.type == FileType::text)
      return readTexts();
    image.put(Hdf5RecordKind::array, path, static_cast<int32_t>(element.type), count, bytes,
              [&](void *to) { return load(to); });
  }

private:
  /// Has chunks, each of which is read once, read without keeping them.
  static hid_t withoutCache() {
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    return access;
  }

  /// Fails if elements lie in another file, or unless the file has as many bytes as they need; of
  /// those that no byte is stored for, which have the fill value, there may be 64 MiB.
  void checkStored() {
    constexpr int64_t bestRatio = 1032, mostUnstored = int64_t{1} << 26;
    const bool text = element.type == FileType::text;
    const bool variable = text && H5Tis_variable_str(element.native) > 0;
    const int64_t width = variable ? 16
                          : text   ? static_cast<int64_t>(H5Tget_size(element.native))
                                   : fileTypeBytes(element.type);
    creation = H5Dget_create_plist(data);
    if (H5Pget_external_count(creation) > 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
      image.fail("the elements of '" + path + "' lie elsewhere, where the file only points to");
    const hsize_t allocated = H5Dget_storage_size(data);
    const auto stored = static_cast<int64_t>(std::min<hsize_t>(allocated, image.bytes()));
    const int64_t ratio = H5Pget_nfilters(creation) > 0 ? bestRatio : 1;
    int64_t bytes = 0;
    if (__builtin_mul_overflow(count, width, &bytes) ||
        bytes > stored * ratio + (allocated < static_cast<hsize_t>(bytes) ? mostUnstored : 0))
      image.fail("'" + path + "' has " + counted(count, "element") +
                 " by its description, but too few bytes in the file");
  }

  /// Fails if elements are stored in a way that the library has no filter for.
  void checkFilters() {
    for (int at = 0; at < H5Pget_nfilters(creation); ++at) {
      unsigned flags = 0, settings = 0;
      size_t values = 0;
      char name[64] = {};
      const H5Z_filter_t filter =
          H5Pget_filter2(creation, static_cast<unsigned>(at), &flags, &values, nullptr,
                         sizeof name - 1, name, &settings);
      if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
        image.fail("'" + path + "' is stored through the filter '" +
                   (name[0] ? std::string(name) : std::to_string(filter)) +
                   "', which the HDF5 library lacks; expected none, gzip or szip");
    }
  }

  /// Tells whether the type of the elements in the file is theirs in memory.
  bool liesAsInMemory() const {
    return count > 0 && element.type != FileType::text &&
           H5Tequal(H5Dget_type(data), element.native) > 0;
  }

  /// Puts a record that says where things lie in the file: `head`, and then all of `items`.
  template <typename Head, typename Item>
  void putRecord(Hdf5RecordKind kind, const Head &head, const std::vector<Item> &items) {
    const auto begin = static_cast<int64_t>(std::is_empty_v<Head> ? 0 : sizeof head);
    const auto size = static_cast<int64_t>(items.size() * sizeof(Item));
    image.put(kind, path, static_cast<int32_t>(element.type), count, begin + size, [&](void *to) {
      std::memcpy(to, &head, static_cast<size_t>(begin));
      std::memcpy(static_cast<char *>(to) + begin, items.data(), static_cast<size_t>(size));
      return true;
    });
  }

  /// Says where elements lie that are not compressed; false if they lie nowhere or in too small
  /// pieces.
  bool putPlaces(int64_t bytes) {
    if (H5Pget_nfilters(creation) > 0)
      return false;
    const std::optional<std::vector<Hdf5Piece>> pieces =
        placesOf(bytes, [&](void *to) { return load(to); });
    if (pieces)
      putRecord(Hdf5RecordKind::pieces, std::tuple<>(), *pieces);
    return pieces.has_value();
  }

  /// Tells whether chunks are stored by gzip, before which nothing but a shuffling of bytes comes.
  bool isDeflated() const {
    const int filters = H5Pget_nfilters(creation);
    bool deflated = false;
    for (int at = 0; at < filters; ++at) {
      unsigned flags = 0, settings = 0;
      size_t values = 0;
      const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(at), &flags,
                                                 &values, nullptr, 0, nullptr, &settings);
      if (at + 1 == filters && filter == hdf5FilterDeflate)
        deflated = true;
      else if (filter != hdf5FilterShuffle || at > 0)
        return false;
    }
    return deflated;
  }

  /// Says where the compressed chunks lie of an array of one dimension, of which elements from
  /// `begin` on are read; false if one lies nowhere.
  bool putChunks(int64_t begin) {
    hsize_t elements = 0;
    unsigned options = 0; // partial chunks may be stored as they are, which no mask says
    if (!isDeflated() || sizes.size() != 1 || H5Pget_chunk(creation, 1, &elements) != 1 ||
        elements == 0 || H5Pget_chunk_opts(creation, &options) < 0 ||
        (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0)
      return false;
    // Chunks far larger than what is asked for are left to the library, whose memory is limited.
    constexpr int64_t largestChunk = int64_t{1} << 26;
    const int64_t width = fileTypeBytes(element.type);
    if (elements > static_cast<hsize_t>(std::max(largestChunk, 2 * count * width) / width))
      return false;
    const int filters = H5Pget_nfilters(creation);
    const auto first = static_cast<hsize_t>(begin) / elements * elements;
    std::vector<Hdf5Chunk> chunks;
    for (hsize_t at = first; at < static_cast<hsize_t>(begin + count); at += elements) {
      hsize_t bytes = 0;
      uint32_t skipped = 0; // filters
      if (H5Dget_chunk_storage_size(data, &at, &bytes) < 0 ||
          bytes > static_cast<hsize_t>(image.bytes()))
        return false;
      const std::optional<std::vector<Hdf5Piece>> place =
          placesOf(static_cast<int64_t>(bytes), [&](void *to) {
            return H5Dread_chunk(data, H5P_DEFAULT, &at, &skipped, to) >= 0;
          });
      if (!place || place->size() != 1)
        return false;
      chunks.push_back({.start = place->front().start,
                        .bytes = place->front().bytes,
                        .isPacked = (skipped >> (filters - 1) & 1) == 0,
                        .isShuffled = filters == 2 && (skipped & 1) == 0});
    }
    putRecord(Hdf5RecordKind::chunks,
              Hdf5Chunks{.elements = static_cast<int64_t>(elements),
                         .skipped = begin - static_cast<int64_t>(first)},
              chunks);
    return true;
  }

  std::string sizesText() const {
    std::string text;
    for (hsize_t size : sizes)
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "none" : text;
  }

  void select(int64_t begin, int64_t end) {
    if (sizes.empty() || begin < 0 || begin > end || static_cast<hsize_t>(end) > sizes[0])
      image.fail("'" + path + "' has no places from " + std::to_string(begin) + " to " +
                 std::to_string(end) + ": its sizes are " + sizesText());
    const int64_t inner = sizes[0] == 0 ? 0 : count / static_cast<int64_t>(sizes[0]);
    count = inner * (end - begin);
    std::vector<hsize_t> start(sizes.size()), extent = sizes;
    start[0] = static_cast<hsize_t>(begin);
    extent[0] = static_cast<hsize_t>(end - begin);
    if (count > 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr,
                                         extent.data(), nullptr) < 0)
      image.fail("'" + path + "' cannot be read in parts");
    isPart = true;
  }

  bool load(void *to) {
    if (count == 0)
      return true;
    const auto elements = static_cast<hsize_t>(count);
    const hid_t place = isPart ? H5Screate_simple(1, &elements, nullptr) : H5S_ALL;
    return H5Dread(data, element.native, place, isPart ? space : H5S_ALL, H5P_DEFAULT, to) >= 0;
  }

  /// Hands over one text behind the other, each with a zero behind it.
  void readTexts() {
    std::string all;
    if (H5Tis_variable_str(element.native) > 0) {
      image.limit(32 * count);
      std::vector<char *> texts(static_cast<size_t>(count));
      if (!load(texts.data()))
        image.fail("'" + path + "' cannot be read");
      for (const char *text : texts)
        all.append(text ? text : "").push_back('\0');
    } else {
      const size_t width = H5Tget_size(element.native);
      image.limit(2 * count * static_cast<int64_t>(width + 1));
      std::string content(static_cast<size_t>(count) * width, '\0');
      if (!load(content.data()))
        image.fail("'" + path + "' cannot be read");
      for (size_t at = 0; at < content.size(); at += width) {
        const std::string_view text = std::string_view(content).substr(at, width);
        all.append(text.substr(0, text.find('\0'))).push_back('\0');
      }
    }
    const auto bytes = static_cast<int64_t>(all.size());
    image.put(Hdf5RecordKind::array, path, static_cast<int32_t>(FileType::text), count, bytes,
              [&](void *to) {
                std::memcpy(to, all.data(), all.size());
                return true;
              });
  }

  Image &image;
  const std::string &path;
  hid_t data = -1, space = -1, creation = -1;
  ElementType element = {};
  std::vector<hsize_t> sizes;
  int64_t count = 0;
  bool isPart = false;
};

} // namespace

void readArrays(int descriptor, int memory, std::span<const std::string> arguments) {
  Image image(descriptor, memory);
  for (size_t at = 0; at + 2 < arguments.size(); at += 3)
    ArrayReader(image, arguments[at])
        .read(std::atoll(arguments[at + 1].c_str()), std::atoll(arguments[at + 2].c_str()));
  image.finish();
}

} // namespace strata::hdf5
