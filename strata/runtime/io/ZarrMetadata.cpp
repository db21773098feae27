// Reading the metadata of arrays in Zarr stores.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/ZarrMetadata.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace strata::runtime {
namespace {

using Json = nlohmann::json;

/// Returns the value under one key after the other; null if there is none.
const Json *find(const Json &from, std::initializer_list<const char *> keys) {
  const Json *at = &from;
  for (const char *key : keys) {
    if (!at->is_object())
      return nullptr;
    auto found = at->find(key);
    if (found == at->end())
      return nullptr;
    at = &*found;
  }
  return at;
}

std::string textOf(const Json *value) {
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<int64_t> countOf(const Json *value) {
  if (!value || !value->is_number_integer() || *value < 0 ||
      *value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return value->get<int64_t>();
}

/// Reads a real number of the fill value.
std::optional<double> realOf(const Json &value) {
  if (value.is_null())
    return 0;
  if (value.is_boolean())
    return value.get<bool>();
  if (value.is_number())
    return value.get<double>();
  const std::string text = textOf(&value);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "NaN")
    return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity" || text == "-Infinity")
    return text[0] == '-' ? -infinity : infinity;
  return std::nullopt;
}

template <typename T> void append(std::string &bytes, T number, bool swapped) {
  number = loadNumber<T>(reinterpret_cast<const char *>(&number), swapped);
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// The bytes of an element that is worth the fill value; nothing where that is not one that is
/// known.
std::string bytesOfFill(const ZarrArray &array, const Json &given) {
  const bool swapped = array.bigEndian != (std::endian::native == std::endian::big);
  std::string bytes;
  if (isComplexType(array.type)) {
    const bool pair = given.is_array() && given.size() == 2;
    std::optional<double> parts[] = {realOf(pair ? given[0] : given), pair ? realOf(given[1]) : 0};
    for (std::optional<double> part : parts)
      if (!part)
        return {};
      else if (array.type == FileType::complex64)
        append(bytes, static_cast<float>(*part), swapped);
      else
        append(bytes, *part, swapped);
    return bytes;
  }
  std::optional<double> real = realOf(given);
  if (!real)
    return {};
  if (array.type == FileType::float64)
    append(bytes, *real, swapped);
  else if (array.type == FileType::float32)
    append(bytes, static_cast<float>(*real), swapped);
  else if (array.type == FileType::float16 || array.type == FileType::bfloat16)
    // no other number occurs
    return *real == 0 ? std::string(2, '\0') : std::string();
  else if (given.is_number_integer() || *real == 0 || *real == 1) {
    uint64_t number =
        given.is_number_integer() ? given.get<uint64_t>() : static_cast<uint64_t>(*real);
    append(bytes, number, std::endian::native == std::endian::big); // the lowest byte first
    bytes.resize(static_cast<size_t>(fileTypeBytes(array.type)));
    if (array.bigEndian)
      std::ranges::reverse(bytes);
  }
  return bytes;
}

Error refusedCodec(const std::string &codec) {
  return {Error::UnsupportedFile, "its chunks are stored in the codec '" + codec + "'",
          "none, gzip, zstd or blosc"};
}

Status takeCodec(ZarrArray &array, const std::string &codec) {
  if (array.codec == ZarrCodec::none) {
    if (codec == "gzip")
      array.codec = ZarrCodec::gzip;
    else if (codec == "zstd")
      array.codec = ZarrCodec::zstd;
    else if (codec == "blosc")
      array.codec = ZarrCodec::blosc;
    else
      return refusedCodec(codec);
    return {};
  }
  return refusedCodec(codec);
}

/// Takes the sizes of an array and of its chunks.
Status takeSizes(ZarrArray &array, const Json *shape, const Json *chunks) {
  constexpr size_t mostDimensions = 64;
  bool fits = shape && chunks && shape->is_array() && chunks->is_array() &&
              shape->size() == chunks->size() && shape->size() <= mostDimensions;
  for (size_t d = 0; fits && d < shape->size(); ++d) {
    const std::optional<int64_t> size = countOf(&(*shape)[d]), chunk = countOf(&(*chunks)[d]);
    fits = size && chunk && *chunk >= 1;
    if (fits) {
      array.sizes.push_back(*size);
      array.chunks.push_back(*chunk);
    }
  }
  if (!fits || !productOf(array.sizes) || !productOf(array.chunks))
    return Error{Error::Inconsistent, "its shape and the shape of its chunks do not fit",
                 "a size of each for each dimension"};
  return {};
}

/// Takes a type by the name that version 3 has for it.
bool takeType(ZarrArray &array, std::string name) {
  if (name == "string")
    name = fileTypeName(FileType::text);
  if (name == "bool")
    name = fileTypeName(FileType::boolean);
  for (int type = 0; type <= static_cast<int>(FileType::text); ++type)
    if (name == fileTypeName(static_cast<FileType>(type))) {
      array.type = static_cast<FileType>(type);
      return true;
    }
  return false;
}

Result<ZarrArray> arrayOfVersion3(const Json &json) {
  ZarrArray array;
  const std::string type = textOf(find(json, {"data_type"}));
  if (!takeType(array, type))
    return Error{Error::ElementType, "its elements are of type '" + type + "'",
                 "integers, real or complex numbers"};
  if (Status fine = takeSizes(array, find(json, {"shape"}),
                              find(json, {"chunk_grid", "configuration", "chunk_shape"}));
      !fine.ok())
    return fine;
  const bool old = textOf(find(json, {"chunk_key_encoding", "name"})) == "v2";
  const std::string separator =
      textOf(find(json, {"chunk_key_encoding", "configuration", "separator"}));
  array.separator = separator == "." || (old && separator.empty()) ? '.' : '/';
  array.prefix = old ? "" : "c";
  const Json *codecs = find(json, {"codecs"});
  if (!codecs || !codecs->is_array())
    return Error{Error::Header, "its metadata has no list 'codecs'"};
  bool plain = false;
  for (const Json &codec : *codecs) {
    const std::string name = textOf(find(codec, {"name"}));
    if (!plain && name != (array.type == FileType::text ? "vlen-utf8" : "bytes"))
      return refusedCodec(name);
    if (!plain)
      array.bigEndian = textOf(find(codec, {"configuration", "endian"})) == "big";
    else if (Status fine = takeCodec(array, name); !fine.ok())
      return fine;
    plain = true;
  }
  if (const Json *fill = find(json, {"fill_value"}))
    array.fill = bytesOfFill(array, *fill);
  return array;
}

Result<ZarrArray> arrayOfVersion2(const Json &json) {
  ZarrArray array;
  const std::string type = textOf(find(json, {"dtype"})); // "<f8"
  const std::string bytes = type.substr(std::min<size_t>(type.size(), 2));
  const std::string kind = type.size() < 3          ? ""
                           : type[1] == 'f'         ? "float"
                           : type[1] == 'c'         ? "complex"
                           : type[1] == 'i'         ? "int"
                           : type[1] == 'u'         ? "uint"
                           : type.substr(1) == "b1" ? "bool"
                                                    : "";
  const bool digits = !bytes.empty() && bytes.size() <= 2 &&
                      bytes.find_first_not_of("0123456789") == std::string::npos;
  const Json *filters = find(json, {"filters"});
  const bool filtered = filters && filters->is_array() && !filters->empty();
  const std::string filter = filtered ? textOf(find(filters->front(), {"id"})) : "";
  const bool texts = type == "|O" && filter == "vlen-utf8" && filters->size() == 1;
  array.separator = textOf(find(json, {"dimension_separator"})) == "/" ? '/' : '.';
  array.columnMajor = textOf(find(json, {"order"})) == "F";
  if (texts)
    array.type = FileType::text;
  else if (kind.empty() || !digits ||
           !takeType(array, kind == "bool" ? kind : kind + std::to_string(8 * std::stoi(bytes))))
    return Error{Error::ElementType, "its elements are of type '" + type + "'",
                 "integers, real or complex numbers"};
  array.bigEndian = type[0] == '>';
  if (Status fine = takeSizes(array, find(json, {"shape"}), find(json, {"chunks"})); !fine.ok())
    return fine;
  if (const Json *fill = find(json, {"fill_value"}))
    array.fill = bytesOfFill(array, *fill);
  if (filtered && !texts)
    return refusedCodec(filter);
  if (const Json *compressor = find(json, {"compressor"}); compressor && !compressor->is_null())
    if (Status fine = takeCodec(array, textOf(find(*compressor, {"id"}))); !fine.ok())
      return fine;
  return array;
}

} // namespace

std::string ZarrArray::chunkName(std::span<const int64_t> chunk) const {
  std::string name = prefix;
  for (int64_t number : chunk)
    name += (name.empty() ? "" : std::string(1, separator)) + std::to_string(number);
  return name.empty() ? "0" : name;
}

Result<ZarrArray> parseZarrArray(const Json &json, int64_t version) {
  return version == 2 ? arrayOfVersion2(json) : arrayOfVersion3(json);
}

} // namespace strata::runtime
