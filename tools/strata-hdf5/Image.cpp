// Opening a file in memory, within bounds, and handing over what is found in it.
#include "Image.h"

#include "MappedDriver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::hdf5 {

using namespace runtime;

Image::Image(int image, int memory) : memory(memory) {
  struct stat facts;
  if (fstat(image, &facts) != 0)
    _exit(1);
  fileBytes = facts.st_size;
  void *mapped = mmap(nullptr, std::max<size_t>(static_cast<size_t>(fileBytes), 1), PROT_READ,
                      MAP_PRIVATE, image, 0);
  if (mapped == MAP_FAILED)
    _exit(1);
  limit(0);
  H5open();
  H5Lunregister(H5L_TYPE_EXTERNAL); // links lead to no other file
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  opened = openMapped({static_cast<const char *>(mapped), static_cast<size_t>(fileBytes)});
  if (opened < 0)
    fail("this is not an HDF5 file that the library can open");
}

void Image::fail(const std::string &message) {
  putText(Hdf5RecordKind::error, message);
  _exit(0);
}

void Image::finish() {
  put(Hdf5RecordKind::end, "", 0, 0, 0, [](void *) { return true; });
  _exit(0);
}

void Image::limit(int64_t more) {
  long pages = 0;
  if (FILE *facts = std::fopen("/proc/self/statm", "r")) {
    (void)!std::fscanf(facts, "%ld", &pages);
    std::fclose(facts);
  }
  rlimit limits;
  if (pages > 0 && getrlimit(RLIMIT_AS, &limits) == 0) {
    constexpr int64_t room = int64_t{256} << 20;
    limits.rlim_cur = std::min<rlim_t>(
        limits.rlim_max,
        static_cast<rlim_t>(int64_t{pages} * sysconf(_SC_PAGESIZE) + room + 2 * fileBytes + more));
    setrlimit(RLIMIT_AS, &limits);
  }
  if (getrlimit(RLIMIT_CPU, &limits) == 0) {
    limits.rlim_cur =
        std::min<rlim_t>(limits.rlim_max, static_cast<rlim_t>(3 + (fileBytes + more) / 10000000));
    setrlimit(RLIMIT_CPU, &limits);
  }
}

void Image::put(Hdf5RecordKind kind, const std::string &name, int32_t type, int64_t count,
                int64_t bytes, const std::function<bool(void *to)> &fill) {
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

void Image::putText(Hdf5RecordKind kind, const std::string &text) {
  const auto bytes = static_cast<int64_t>(text.size());
  put(kind, "", 0, bytes, bytes, [&](void *to) {
    std::memcpy(to, text.data(), text.size());
    return true;
  });
}

/// Finds the type of integers and numbers with a fraction, of the widths that tensors have.
static std::optional<FileType> numberType(hid_t native) {
  const size_t bytes = H5Tget_size(native);
  const H5T_class_t kind = H5Tget_class(native);
  if (kind == H5T_FLOAT && (bytes == 4 || bytes == 8))
    return bytes == 4 ? FileType::float32 : FileType::float64;
  if (kind != H5T_INTEGER)
    return std::nullopt;
  const bool isSigned = H5Tget_sign(native) == H5T_SGN_2;
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
  return std::nullopt;
}

/// IEEE's numbers of 16 bits, which are no native type of this library.
static bool isHalf(hid_t stored) {
  size_t sign = 0, exponent = 0, exponentBits = 0, fraction = 0, fractionBits = 0;
  return H5Tget_class(stored) == H5T_FLOAT && H5Tget_size(stored) == 2 &&
         H5Tget_fields(stored, &sign, &exponent, &exponentBits, &fraction, &fractionBits) >= 0 &&
         exponentBits == 5 && fractionBits == 10;
}

/// Tells whether 0 and 1 have names, and nothing else: so h5py stores booleans.
static bool isBoolean(hid_t native) {
  if (H5Tget_class(native) != H5T_ENUM || H5Tget_size(native) != 1 || H5Tget_nmembers(native) != 2)
    return false;
  int8_t first = -1, second = -1;
  return H5Tget_member_value(native, 0, &first) >= 0 &&
         H5Tget_member_value(native, 1, &second) >= 0 && std::min(first, second) == 0 &&
         std::max(first, second) == 1;
}

std::optional<ElementType> elementTypeOf(hid_t stored) {
  const H5T_class_t kind = H5Tget_class(stored);
  if (kind == H5T_STRING)
    return ElementType{FileType::text, stored};
  if (isHalf(stored)) {
    const hid_t native = H5Tcopy(stored);
    H5Tset_order(native, H5Tget_order(H5T_NATIVE_FLOAT));
    return ElementType{FileType::float16, native};
  }
  const hid_t native = H5Tget_native_type(stored, H5T_DIR_ASCEND);
  const size_t bytes = H5Tget_size(native);
  if (isBoolean(native))
    return ElementType{FileType::boolean, native};
  if (kind == H5T_COMPOUND && H5Tget_nmembers(native) == 2 && (bytes == 8 || bytes == 16) &&
      H5Tget_member_class(native, 0) == H5T_FLOAT && H5Tget_member_class(native, 1) == H5T_FLOAT)
    return ElementType{bytes == 8 ? FileType::complex64 : FileType::complex128, native};
  if (std::optional<FileType> number = numberType(native))
    return ElementType{*number, native};
  return std::nullopt;
}

} // namespace strata::hdf5
