// Arrays of numbers as they lie in binary files: their element types, their byte order, and how
// they become coordinates and values.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FILEARRAY_H
#define STRATA_RUNTIME_IO_FILEARRAY_H

#include "strata/runtime/InternalError.h"
#include "strata/runtime/storage/Coordinates.h"

#include <complex>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace strata::runtime {

/// The element types that arrays in files have.
enum class FileType {
  boolean, ///< a byte, 0 or 1
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  complex64,  ///< two float32
  complex128, ///< two float64
  bfloat16,
  text,     ///< characters of one byte, filled up with zeros
  wideText, ///< characters of four bytes
};

/// Elements of an array that lie behind each other.
struct FilePiece {
  const char *data;
  int64_t first; ///< the number of the first of them in the array
};

/// One array of a file. Its elements stay where they lie (in a mapped file, or in `owner`).
struct FileArray {
  std::string name = {}; ///< what messages call it
  FileType type = FileType::float64;
  int64_t elementBytes = 8; ///< from one element to the next
  bool swapped = false;     ///< the bytes of its numbers are in the other order than this machine's
  bool columnMajor = false; ///< the first index runs fastest
  std::vector<int64_t> sizes = {};
  int64_t count = 0;
  const char *data = nullptr; ///< `count` elements, at any alignment
  /// Where the elements lie instead, in their order; empty: they lie at `data`. Only arrays that
  /// are asked for in pieces (ArrayRequest) come so, and only the functions below that read values
  /// and coordinates take them.
  std::vector<FilePiece> pieces = {};
  std::shared_ptr<const void> owner = nullptr;
};

/// `float64`, …
const char *fileTypeName(FileType type);
/// 0 for texts.
int64_t fileTypeBytes(FileType type);
bool isIntegerType(FileType type);
bool isComplexType(FileType type);
/// How values of this type lie in memory, in a file that this machine writes. An error for
/// bfloat16, which no file has.
Result<FileType> fileTypeOf(strata_type type);
/// A buffer's elements, as a file of this machine has them. They stay where they are.
Result<FileArray> arrayOf(const Buffer &buffer);
/// The type of a tensor's elements that holds exactly these.
strata_type valueTypeFor(FileType type);

/// The product of sizes; nothing if one is negative or it does not fit 63 bits.
std::optional<int64_t> productOf(std::span<const int64_t> sizes);

/// Copies elements that lie in pieces to one place, on several threads.
Result<FileArray> gathered(FileArray array);
/// The elements, in the order of the file, as valueTypeFor says, or integers as f64 if `floating`.
Result<Buffer> readValues(const FileArray &array, bool floating);
/// The one element of an array that says what is worth what is not stored.
Result<std::complex<double>> readFill(const FileArray &array);
/// Integers from `base` to `base + size - 1`, counted from 0, as coordinates of any width that
/// holds them: of 8 and 16 bits without a sign.
Result<Buffer> readCoordinates(const FileArray &array, strata_type width, int64_t size,
                               int64_t base = 0);
/// Integers as they are.
Result<std::vector<int64_t>> readIntegers(const FileArray &array);
/// The characters of a text.
Result<std::string> readText(const FileArray &array);

/// An error about one element: `element 3 of 'indices' is 7`.
Error badElement(const FileArray &array, int64_t element, int64_t value, std::string expected);

/// A number of the file, in this machine's byte order.
template <typename T> T loadNumber(const char *from, bool swapped) {
  T number;
  std::memcpy(&number, from, sizeof(T));
  if (swapped) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &number, sizeof(T));
    for (size_t i = 0; i < sizeof(T) / 2; ++i)
      std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    std::memcpy(&number, bytes, sizeof(T));
  }
  return number;
}

/// Calls `body` with a null pointer to the integer type of a width in which storages keep positions
/// and coordinates.
template <typename Body> auto withIndexType(strata_type type, Body body) {
  switch (strata_type_bytes(type)) {
  case 1:
    return body(static_cast<int8_t *>(nullptr));
  case 2:
    return body(static_cast<int16_t *>(nullptr));
  case 4:
    return body(static_cast<int32_t *>(nullptr));
  default:
    return body(static_cast<int64_t *>(nullptr));
  }
}

/// Calls `body`, which returns a Result, with a null pointer to the C++ type of an integer type of
/// files.
template <typename Body>
auto withIntegerType(FileType type, Body body) -> decltype(body(static_cast<int64_t *>(nullptr))) {
  switch (type) {
  case FileType::int8:
    return body(static_cast<int8_t *>(nullptr));
  case FileType::int16:
    return body(static_cast<int16_t *>(nullptr));
  case FileType::int32:
    return body(static_cast<int32_t *>(nullptr));
  case FileType::boolean:
  case FileType::uint8:
    return body(static_cast<uint8_t *>(nullptr));
  case FileType::uint16:
    return body(static_cast<uint16_t *>(nullptr));
  case FileType::uint32:
    return body(static_cast<uint32_t *>(nullptr));
  case FileType::uint64:
    return body(static_cast<uint64_t *>(nullptr));
  case FileType::int64:
    return body(static_cast<int64_t *>(nullptr));
  case FileType::float16:
  case FileType::float32:
  case FileType::float64:
  case FileType::complex64:
  case FileType::complex128:
  case FileType::bfloat16:
  case FileType::text:
  case FileType::wideText:
    break;
  }
  return internalError("elements are read as integers that are none");
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FILEARRAY_H
