// Reading a group of an HDF5 file: what lies in it goes to its receiver in shared memory.
#include "Groups.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Hdf5Records.h"

#include <algorithm>
#include <cstdlib>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::hdf5 {
namespace {

using namespace runtime;
using RecordKind = Hdf5RecordKind;

/// Lives until the process ends, which closes nothing before.
class Reader {
public:
  Reader(void *image, int64_t fileBytes, int memory)
      : image(image), fileBytes(fileBytes), memory(memory) {}

  [[noreturn]] void read(const std::string &attribute, std::span<const std::string> prefixes) {
    limit(0);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t file = open();
    if (file < 0)
      fail("this is not an HDF5 file that the library can open");
    hid_t group = H5Gopen2(file, "/", H5P_DEFAULT);
    if (group >= 0 && H5Aexists(group, attribute.c_str()) <= 0)
      group = groupBelow(group, attribute);
    if (group < 0)
      fail("no group of the file has the attribute '" + attribute + "'");
    const std::string text = attributeText(group, attribute);
    put(RecordKind::text, attribute, 0, static_cast<int64_t>(text.size()),
        static_cast<int64_t>(text.size()), [&](void *to) {
          std::memcpy(to, text.data(), text.size());
          return true;
        });
    for (const std::string &name : linksOf(group))
      if (std::ranges::any_of(prefixes,
                              [&](const std::string &prefix) { return name.starts_with(prefix); }))
        readArray(group, name);
    put(RecordKind::end, "", 0, 0, 0, [](void *) { return true; });
    _exit(0);
  }

private:
  [[noreturn]] void fail(const std::string &message) {
    put(RecordKind::error, "", 0, static_cast<int64_t>(message.size()),
        static_cast<int64_t>(message.size()), [&](void *to) {
          std::memcpy(to, message.data(), message.size());
          return true;
        });
    _exit(0);
  }

  /// Bounds memory to what is in use, some room for the library, the file and `more`; and time.
  void limit(int64_t more) {
    long pages = 0;
    if (FILE *facts = std::fopen("/proc/self/statm", "r")) {
      (void)!std::fscanf(facts, "%ld", &pages);
      std::fclose(facts);
    }
    rlimit limits;
    if (pages > 0 && getrlimit(RLIMIT_AS, &limits) == 0) {
      constexpr int64_t room = int64_t{256} << 20;
      limits.rlim_cur = std::min<rlim_t>(
          limits.rlim_max, static_cast<rlim_t>(int64_t{pages} * sysconf(_SC_PAGESIZE) + room +
                                               2 * fileBytes + more));
      setrlimit(RLIMIT_AS, &limits);
    }
    if (getrlimit(RLIMIT_CPU, &limits) == 0) {
      limits.rlim_cur =
          std::min<rlim_t>(limits.rlim_max, static_cast<rlim_t>(3 + (fileBytes + more) / 10000000));
      setrlimit(RLIMIT_CPU, &limits);
    }
  }

  /// Opens the bytes of the file where they lie: the library copies nothing that it is given so.
  hid_t open() {
    H5FD_file_image_callbacks_t inPlace{};
    inPlace.image_malloc = [](size_t, H5FD_file_image_op_t, void *image) { return image; };
    inPlace.image_memcpy = [](void *to, const void *, size_t, H5FD_file_image_op_t, void *) {
      return to;
    };
    inPlace.image_free = [](void *, H5FD_file_image_op_t, void *) { return herr_t(0); };
    inPlace.udata_copy = [](void *image) { return image; };
    inPlace.udata_free = [](void *) { return herr_t(0); };
    inPlace.udata = image;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fapl_core(access, 1 << 16, 0) < 0 ||
        H5Pset_file_image_callbacks(access, &inPlace) < 0 ||
        H5Pset_file_image(access, image, static_cast<size_t>(fileBytes)) < 0)
      return -1;
    return H5Fopen("image", H5F_ACC_RDONLY, access);
  }

  std::vector<std::string> linksOf(hid_t group) {
    std::vector<std::string> names;
    H5G_info_t facts;
    if (H5Gget_info(group, &facts) < 0)
      return names;
    for (hsize_t at = 0; at < std::min<hsize_t>(facts.nlinks, fileBytes); ++at) {
      char name[longestHdf5Name + 1];
      const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, at, name,
                                                sizeof name, H5P_DEFAULT);
      if (length < 0)
        break;
      if (length <= longestHdf5Name)
        names.emplace_back(name);
    }
    return names;
  }

  hid_t groupBelow(hid_t root, const std::string &attribute) {
    for (const std::string &name : linksOf(root)) {
      const hid_t group = H5Gopen2(root, name.c_str(), H5P_DEFAULT);
      if (group >= 0 && H5Aexists(group, attribute.c_str()) > 0)
        return group;
    }
    return -1;
  }

  std::string attributeText(hid_t group, const std::string &name) {
    const hid_t attribute = H5Aopen(group, name.c_str(), H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    if (attribute < 0 || H5Tget_class(type) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space) != 1)
      fail("the attribute '" + name + "' is not a string");
    if (H5Tis_variable_str(type) > 0) {
      char *text = nullptr;
      if (H5Aread(attribute, type, &text) < 0 || !text)
        fail("the attribute '" + name + "' cannot be read");
      return text;
    }
    const size_t bytes = H5Tget_size(type);
    if (bytes == 0 || bytes > static_cast<size_t>(fileBytes))
      fail("the attribute '" + name + "' is longer than the file");
    std::string text(bytes, '\0');
    if (H5Aread(attribute, type, text.data()) < 0)
      fail("the attribute '" + name + "' cannot be read");
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  /// The type of an array's elements in this machine's memory, and what files call it.
  static std::optional<FileType> fileType(hid_t native) {
    const size_t bytes = H5Tget_size(native);
    const H5T_class_t kind = H5Tget_class(native);
    const bool isSigned = kind == H5T_INTEGER && H5Tget_sign(native) == H5T_SGN_2;
    if (kind == H5T_ENUM && bytes == 1)
      return FileType::boolean;
    if (kind == H5T_INTEGER)
      switch (bytes) {
      case 1:
        return isSigned ? FileType::int8 : FileType::uint8;
      case 2:
        return isSigned ? FileType::int16 : FileType::uint16;
      case 4:
        return isSigned ? FileType::int32 : FileType::uint32;
      case 8:
        return isSigned ? FileType::int64 : FileType::uint64;
      }
    if (kind == H5T_FLOAT && (bytes == 4 || bytes == 8))
      return bytes == 4 ? FileType::float32 : FileType::float64;
    if (kind == H5T_COMPOUND && H5Tget_nmembers(native) == 2 && (bytes == 8 || bytes == 16) &&
        H5Tget_member_class(native, 0) == H5T_FLOAT && H5Tget_member_class(native, 1) == H5T_FLOAT)
      return bytes == 8 ? FileType::complex64 : FileType::complex128;
    return std::nullopt;
  }

  /// Are there as many bytes in the file as `wanted` elements' bytes need?
  bool isStored(hid_t data, int64_t wanted) {
    constexpr int64_t bestRatio = 1032;
    const hid_t creation = H5Dget_create_plist(data);
    const auto stored =
        static_cast<int64_t>(std::min<hsize_t>(H5Dget_storage_size(data), fileBytes));
    return wanted <= stored * (H5Pget_nfilters(creation) > 0 ? bestRatio : 1);
  }

  void readArray(hid_t group, const std::string &name) {
    const hid_t data = H5Dopen2(group, name.c_str(), H5P_DEFAULT);
    if (data < 0)
      fail("'" + name + "' cannot be opened as an array");
    const hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::optional<FileType> kind = fileType(native);
    if (H5Sget_simple_extent_ndims(space) > 1 || count < 0)
      fail("'" + name + "' is not an array of one dimension");
    if (!kind)
      fail("the elements of '" + name + "' are no numbers of a known type");
    const int64_t width = fileTypeBytes(*kind);
    int64_t bytes = 0;
    if (__builtin_mul_overflow(int64_t{count}, width, &bytes) || !isStored(data, bytes))
      fail("'" + name + "' has " + counted(count, "element") +
           " by its description, but too few bytes in the file");
    limit(2 * bytes);
    put(RecordKind::array, name, static_cast<int32_t>(*kind), count, bytes, [&](void *to) {
      return count == 0 || H5Dread(data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    });
  }

  /// Appends a record and what `fill` writes behind it.
  template <typename Fill>
  void put(RecordKind kind, const std::string &name, int32_t type, int64_t count, int64_t bytes,
           Fill fill) {
    Hdf5Record record{kind, type, count, bytes, {}};
    std::memcpy(record.name, name.data(), std::min<size_t>(name.size(), longestHdf5Name));
    const int64_t content = position + hdf5Alignment, end = content + alignedHdf5Bytes(bytes);
    if (ftruncate(memory, end) != 0)
      _exit(1);
    void *mapped = mmap(nullptr, static_cast<size_t>(end - position), PROT_READ | PROT_WRITE,
                        MAP_SHARED, memory, position);
    if (mapped == MAP_FAILED)
      _exit(1);
    std::memcpy(mapped, &record, sizeof record);
    if (!fill(static_cast<char *>(mapped) + hdf5Alignment)) {
      munmap(mapped, static_cast<size_t>(end - position));
      fail("'" + name + "' cannot be read");
    }
    munmap(mapped, static_cast<size_t>(end - position));
    position = end;
  }

  void *image;
  int64_t fileBytes;
  int memory;
  int64_t position = 0;
};

} // namespace

void readGroup(int image, int memory, const std::string &attribute,
               std::span<const std::string> prefixes) {
  struct stat facts;
  if (fstat(image, &facts) != 0)
    _exit(1);
  void *mapped = mmap(nullptr, std::max<size_t>(static_cast<size_t>(facts.st_size), 1),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE, image, 0);
  if (mapped == MAP_FAILED)
    _exit(1);
  Reader(mapped, facts.st_size, memory).read(attribute, prefixes);
}

} // namespace strata::hdf5
