// Reading the elements of arrays in files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileArray.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <atomic>

namespace strata::runtime {

const char *fileTypeName(FileType type) {
  switch (type) {
  case FileType::boolean:
    return "bool";
  case FileType::int8:
    return "int8";
  case FileType::int16:
    return "int16";
  case FileType::int32:
    return "int32";
  case FileType::int64:
    return "int64";
  case FileType::uint8:
    return "uint8";
  case FileType::uint16:
    return "uint16";
  case FileType::uint32:
    return "uint32";
  case FileType::uint64:
    return "uint64";
  case FileType::float16:
    return "float16";
  case FileType::float32:
    return "float32";
  case FileType::float64:
    return "float64";
  case FileType::complex64:
    return "complex64";
  case FileType::complex128:
    return "complex128";
  case FileType::bfloat16:
    return "bfloat16";
  case FileType::text:
  case FileType::wideText:
    return "text";
  }
  return "?";
}

int64_t fileTypeBytes(FileType type) {
  switch (type) {
  case FileType::boolean:
  case FileType::int8:
  case FileType::uint8:
    return 1;
  case FileType::int16:
  case FileType::uint16:
  case FileType::float16:
  case FileType::bfloat16:
    return 2;
  case FileType::int32:
  case FileType::uint32:
  case FileType::float32:
    return 4;
  case FileType::int64:
  case FileType::uint64:
  case FileType::float64:
  case FileType::complex64:
    return 8;
  case FileType::complex128:
    return 16;
  case FileType::text:
  case FileType::wideText:
    return 0;
  }
  return 0;
}

bool isIntegerType(FileType type) { return type <= FileType::uint64; }

bool isComplexType(FileType type) {
  return type == FileType::complex64 || type == FileType::complex128;
}

Result<FileType> fileTypeOf(strata_type type) {
  switch (type) {
  case STRATA_I8:
    return FileType::int8;
  case STRATA_I16:
    return FileType::int16;
  case STRATA_I32:
    return FileType::int32;
  case STRATA_I64:
    return FileType::int64;
  case STRATA_F32:
    return FileType::float32;
  case STRATA_F64:
    return FileType::float64;
  case STRATA_C128:
    return FileType::complex128;
  case STRATA_BOOL:
    return FileType::boolean;
  case STRATA_U8:
    return FileType::uint8;
  case STRATA_U16:
    return FileType::uint16;
  case STRATA_U32:
    return FileType::uint32;
  case STRATA_U64:
    return FileType::uint64;
  case STRATA_F16:
    return FileType::float16;
  case STRATA_C64:
    return FileType::complex64;
  case STRATA_BF16:
    break;
  }
  return Error{Error::ElementType, "values of type bfloat16, which no such file has",
               "another type, such as float"};
}

Result<FileArray> arrayOf(const Buffer &buffer) {
  Result<FileType> type = fileTypeOf(buffer.type());
  if (!type)
    return type.takeStatus();
  return FileArray{.type = *type,
                   .elementBytes = fileTypeBytes(*type),
                   .sizes = {buffer.count()},
                   .count = buffer.count(),
                   .data = static_cast<const char *>(buffer.data())};
}

strata_type valueTypeFor(FileType type) {
  switch (type) {
  case FileType::boolean:
    return STRATA_BOOL;
  case FileType::int8:
    return STRATA_I8;
  case FileType::int16:
    return STRATA_I16;
  case FileType::int32:
    return STRATA_I32;
  case FileType::uint8:
    return STRATA_U8;
  case FileType::uint16:
    return STRATA_U16;
  case FileType::uint32:
    return STRATA_U32;
  case FileType::uint64:
    return STRATA_U64;
  case FileType::int64:
  case FileType::text:
  case FileType::wideText:
    return STRATA_I64;
  case FileType::float16:
    return STRATA_F16;
  case FileType::float32:
    return STRATA_F32;
  case FileType::float64:
    return STRATA_F64;
  case FileType::complex64:
    return STRATA_C64;
  case FileType::complex128:
    return STRATA_C128;
  case FileType::bfloat16:
    return STRATA_BF16;
  }
  return STRATA_F64;
}

std::optional<int64_t> productOf(std::span<const int64_t> sizes) {
  int64_t product = 1;
  bool empty = false, fits = true;
  for (int64_t size : sizes) {
    if (size < 0)
      return std::nullopt;
    empty |= size == 0;
    fits &= !__builtin_mul_overflow(product, std::max<int64_t>(size, 1), &product);
  }
  if (empty)
    return 0;
  return fits ? std::optional(product) : std::nullopt;
}

Error badElement(const FileArray &array, int64_t element, int64_t value, std::string expected) {
  return {Error::EntryIndex,
          "element " + std::to_string(element) + " of '" + array.name + "' is " +
              std::to_string(value),
          std::move(expected)};
}

namespace {

constexpr int64_t grain = 1 << 15;

/// Calls `body(at, first, last)` for all runs of the elements from `begin` to `end` that lie behind
/// each other: those from `first` to `last`, from the address `at` on.
template <typename Body>
void forEachRun(const FileArray &array, int64_t begin, int64_t end, Body body) {
  if (array.pieces.empty())
    return body(array.data + begin * array.elementBytes, begin, end);
  auto next = std::ranges::upper_bound(array.pieces, begin, {}, &FilePiece::first);
  while (begin < end) {
    const FilePiece &piece = *(next - 1);
    const int64_t last = next == array.pieces.end() ? end : std::min(end, next->first);
    body(piece.data + (begin - piece.first) * array.elementBytes, begin, last);
    begin = last;
    ++next;
  }
}

/// Calls `body(load, first, last)` for the same runs; `load(e)` returns element `e` of the array.
template <typename From, typename Body>
void forEachNumberRun(const FileArray &array, int64_t begin, int64_t end, Body body) {
  forEachRun(array, begin, end, [&](const char *at, int64_t first, int64_t last) {
    if (array.elementBytes == sizeof(From) && !array.swapped) // a loop in vectors
      return body(
          [=](int64_t e) {
            return loadNumber<From>(at + (e - first) * int64_t{sizeof(From)}, false);
          },
          first, last);
    body([=, width = array.elementBytes, swapped = array.swapped](
             int64_t e) { return loadNumber<From>(at + (e - first) * width, swapped); },
         first, last);
  });
}

/// Copies the elements as they are.
void copyElements(const FileArray &array, char *to) {
  const int64_t width = array.elementBytes;
  inParts({0, array.count, grain}, [&](int64_t begin, int64_t end) {
    forEachRun(array, begin, end, [&](const char *at, int64_t first, int64_t last) {
      std::memcpy(to + first * width, at, static_cast<size_t>((last - first) * width));
    });
  });
}

/// Element by element: `load` gives what stands at an address.
template <typename To, typename Load> Result<Buffer> loadAll(const FileArray &array, Load load) {
  Result<Buffer> buffer = Buffer::allocate(typeOf<To>(), array.count);
  if (!buffer)
    return buffer;
  To *out = buffer->as<To>();
  inParts({0, array.count, grain}, [&](int64_t begin, int64_t end) {
    forEachRun(array, begin, end, [&](const char *at, int64_t first, int64_t last) {
      for (int64_t e = first; e < last; ++e, at += array.elementBytes)
        out[e] = load(at);
    });
  });
  return buffer;
}

template <typename From, typename To> Result<Buffer> loadNumbers(const FileArray &array) {
  Result<Buffer> buffer = Buffer::allocate(typeOf<To>(), array.count);
  if (!buffer)
    return buffer;
  To *out = buffer->as<To>();
  if (std::is_same_v<From, To> && array.elementBytes == sizeof(From) && !array.swapped) {
    copyElements(array, reinterpret_cast<char *>(out));
    return buffer;
  }
  inParts({0, array.count, grain}, [&](int64_t begin, int64_t end) {
    forEachNumberRun<From>(array, begin, end, [out](auto load, int64_t first, int64_t last) {
      for (int64_t e = first; e < last; ++e)
        out[e] = static_cast<To>(load(e));
    });
  });
  return buffer;
}

template <typename Part> Result<Buffer> loadComplex(const FileArray &array) {
  return loadAll<std::complex<Part>>(array, [swapped = array.swapped](const char *at) {
    return std::complex<Part>(loadNumber<Part>(at, swapped),
                              loadNumber<Part>(at + sizeof(Part), swapped));
  });
}

Result<Buffer> loadIntegers(const FileArray &array, bool floating) {
  return withIntegerType(array.type, [&]<typename From>(From *) -> Result<Buffer> {
    if (array.type == FileType::boolean) {
      auto isTrue = [](const char *at) { return *at != 0; };
      return floating ? loadAll<double>(array, isTrue) : loadAll<bool>(array, isTrue);
    }
    if (floating)
      return loadNumbers<From, double>(array);
    return loadNumbers<From, From>(array);
  });
}

Error notIntegers(const FileArray &array) {
  return {Error::ElementType,
          "the elements of '" + array.name + "' are of type " + fileTypeName(array.type),
          "integers"};
}

} // namespace

Result<Buffer> readValues(const FileArray &array, bool floating) {
  if (isIntegerType(array.type))
    return loadIntegers(array, floating);
  if (array.type == FileType::float16)
    return loadNumbers<Float16, Float16>(array);
  if (array.type == FileType::bfloat16)
    return loadNumbers<BFloat16, BFloat16>(array);
  if (array.type == FileType::float32)
    return loadNumbers<float, float>(array);
  if (array.type == FileType::float64)
    return loadNumbers<double, double>(array);
  if (array.type == FileType::complex64)
    return loadComplex<float>(array);
  if (array.type == FileType::complex128)
    return loadComplex<double>(array);
  return Error{Error::ElementType, "the elements of '" + array.name + "' are texts", "numbers"};
}

Result<std::complex<double>> readFill(const FileArray &array) {
  if (array.count != 1)
    return Error{Error::Count, "'fill_value' has " + counted(array.count, "element"), "1"};
  Result<Buffer> value = readValues(array, true);
  if (!value)
    return value.takeStatus();
  return withValueType(value->type(), [&]<typename V>(V *) {
    if constexpr (isComplexNumber<V>)
      return std::complex<double>(value->as<V>()[0]);
    else
      return std::complex<double>(static_cast<double>(value->as<V>()[0]));
  });
}

/// Reads the elements from `begin` to `end` as coordinates, counted from `base`; false if one of
/// them does not lie in a dimension of this size.
template <typename From, typename C>
static bool loadCoordinates(const FileArray &array, int64_t begin, int64_t end, int64_t base,
                            int64_t size, C *out) {
  // Of unsigned numbers, one comparison finds what lies beyond either end.
  using Narrow = std::conditional_t<sizeof(From) <= 4, uint32_t, uint64_t>;
  const uint64_t last = static_cast<uint64_t>(size) - 1;
  bool beyond = false;
  forEachNumberRun<From>(array, begin, end, [&](auto load, int64_t first, int64_t stop) {
    if (base == 0) {
      const auto most =
          static_cast<Narrow>(std::min<uint64_t>(last, std::numeric_limits<From>::max()));
      for (int64_t e = first; e < stop; ++e) {
        const auto number = static_cast<Narrow>(load(e));
        out[e] = static_cast<C>(number);
        beyond |= number > most;
      }
    } else {
      for (int64_t e = first; e < stop; ++e) {
        const uint64_t number = static_cast<uint64_t>(load(e)) - static_cast<uint64_t>(base);
        out[e] = static_cast<C>(number);
        beyond |= number > last;
      }
    }
  });
  return !beyond;
}

/// Finds the first element that is no coordinate.
template <typename From>
static Error badCoordinate(const FileArray &array, int64_t base, int64_t size) {
  int64_t bad = -1, number = 0;
  forEachNumberRun<From>(array, 0, array.count, [&](auto load, int64_t first, int64_t last) {
    for (int64_t e = first; e < last && bad < 0; ++e)
      if (static_cast<uint64_t>(load(e)) - static_cast<uint64_t>(base) >=
          static_cast<uint64_t>(size)) {
        bad = e;
        number = static_cast<int64_t>(load(e));
      }
  });
  return badElement(array, bad, number,
                    "from " + std::to_string(base) + " to " + std::to_string(size - 1 + base));
}

Result<Buffer> readCoordinates(const FileArray &array, strata_type width, int64_t size,
                               int64_t base) {
  if (!isIntegerType(array.type))
    return notIntegers(array);
  return withIntegerType(array.type, [&]<typename From>(From *) -> Result<Buffer> {
    if (size <= 0 && array.count > 0)
      return badCoordinate<From>(array, base, size);
    Result<Buffer> buffer = Buffer::allocate(width, array.count);
    if (!buffer)
      return buffer;
    std::atomic<bool> fine = true;
    withIndexType(width, [&]<typename C>(C *) {
      C *out = buffer->as<C>();
      inParts({0, array.count, grain}, [&](int64_t begin, int64_t end) {
        if (fine && !loadCoordinates<From>(array, begin, end, base, size, out))
          fine = false;
      });
    });
    if (!fine)
      return badCoordinate<From>(array, base, size);
    return buffer;
  });
}

Result<FileArray> gathered(FileArray array) {
  if (array.pieces.empty())
    return array;
  Result<Buffer> bytes = Buffer::allocate(STRATA_I8, array.count * array.elementBytes);
  if (!bytes)
    return bytes.takeStatus();
  auto owner = std::make_shared<Buffer>(std::move(*bytes));
  copyElements(array, static_cast<char *>(owner->data()));
  array.data = static_cast<const char *>(owner->data());
  array.owner = std::move(owner);
  array.pieces.clear();
  return array;
}

Result<std::vector<int64_t>> readIntegers(const FileArray &array) {
  if (!isIntegerType(array.type))
    return notIntegers(array);
  return withIntegerType(array.type, [&]<typename From>(From *) -> Result<std::vector<int64_t>> {
    std::vector<int64_t> numbers(static_cast<size_t>(array.count));
    for (int64_t e = 0; e < array.count; ++e) {
      const From number = loadNumber<From>(array.data + e * array.elementBytes, array.swapped);
      if constexpr (std::is_same_v<From, uint64_t>)
        if (number > INT64_MAX)
          return Error{Error::EntryIndex,
                       "element " + std::to_string(e) + " of '" + array.name +
                           "' does not fit 63 bits",
                       "at most 2^63 - 1"};
      numbers[static_cast<size_t>(e)] = static_cast<int64_t>(number);
    }
    return numbers;
  });
}

Result<std::string> readText(const FileArray &array) {
  if ((array.type != FileType::text && array.type != FileType::wideText) || array.count != 1)
    return Error{Error::ElementType, "'" + array.name + "' is not a string", "one string"};
  std::string text;
  const int64_t width = array.type == FileType::text ? 1 : 4;
  for (int64_t at = 0; at + width <= array.elementBytes; at += width) {
    const uint32_t letter = width == 1 ? static_cast<unsigned char>(array.data[at])
                                       : loadNumber<uint32_t>(array.data + at, array.swapped);
    if (letter != 0)
      text += letter < 128 ? static_cast<char>(letter) : '?';
  }
  return text;
}

} // namespace strata::runtime
