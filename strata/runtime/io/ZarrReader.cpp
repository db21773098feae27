// Reading Zarr stores: the JSON of a group, that of each array, and chunk after chunk.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zarr.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/Compression.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <filesystem>
#include <limits>

namespace strata::runtime {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// The value under one key after the other; null if there is none.
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

bool looksLikeObject(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != head.npos && head[first] == '{';
}

Result<Json> readJson(const InputFile &file) {
  Result<std::string_view> text = file.whole(looksLikeObject);
  if (!text)
    return text.takeStatus();
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return file.errorAt(0, "this is not a JSON object", "the metadata of Zarr");
  return json;
}

Result<Json> readJson(const fs::path &path) {
  Result<InputFile> file = InputFile::open(path.string());
  return file ? readJson(*file) : file.takeStatus();
}

/// What the metadata of an array says, of either version.
struct ArrayMetadata {
  int64_t count = 0, chunk = 1;
  FileType type = FileType::float64;
  bool bigEndian = false;
  Compression compression = Compression::none;
  std::string keyPrefix = {}; ///< of the names of chunks, before their numbers
  bool single = false;        ///< of no dimension: one chunk, which has no number
  Json fill = {};
};

Error refusedCodec(const std::string &codec) {
  return {"its chunks are stored in the codec '" + codec + "'",
          "none, gzip or zstd (in Python: binsparse.save_binsparse(binsparse.load_binsparse(...), "
          "'file.bsp.h5'))"};
}

Status takeCodec(ArrayMetadata &array, const std::string &codec) {
  const bool gzip = codec == "gzip";
  if (array.compression != Compression::none || (!gzip && codec != "zstd"))
    return refusedCodec(codec);
  array.compression = gzip ? Compression::gzip : Compression::zstd;
  return {};
}

/// Sizes of an array and of its chunks, of one dimension or of none.
Status takeSizes(ArrayMetadata &array, const Json *shape, const Json *chunks) {
  const bool lists = shape && chunks && shape->is_array() && chunks->is_array() &&
                     shape->size() == chunks->size() && shape->size() <= 1;
  array.single = lists && shape->empty();
  std::optional<int64_t> count = 1, chunk = 1;
  if (lists && !array.single) {
    count = countOf(&shape->front());
    chunk = countOf(&chunks->front());
  }
  if (!lists || !count || !chunk || *chunk < 1)
    return Error{"its shape and the shape of its chunks do not fit", "one size each"};
  array.count = *count;
  array.chunk = *chunk;
  return {};
}

/// A type by the name that version 3 has for it.
bool takeType(ArrayMetadata &array, std::string name) {
  if (name == "bool")
    name = fileTypeName(FileType::boolean);
  for (int type = 0; type <= static_cast<int>(FileType::complex128); ++type)
    if (name == fileTypeName(static_cast<FileType>(type))) {
      array.type = static_cast<FileType>(type);
      return true;
    }
  return false;
}

Result<ArrayMetadata> arrayOfVersion3(const Json &json) {
  ArrayMetadata array;
  const std::string type = textOf(find(json, {"data_type"}));
  if (!takeType(array, type))
    return Error{"its elements are of type '" + type + "'", "integers, real or complex numbers"};
  if (Status fine = takeSizes(array, find(json, {"shape"}),
                              find(json, {"chunk_grid", "configuration", "chunk_shape"}));
      !fine.ok())
    return fine;
  const bool old = textOf(find(json, {"chunk_key_encoding", "name"})) == "v2";
  const std::string separator =
      textOf(find(json, {"chunk_key_encoding", "configuration", "separator"}));
  array.keyPrefix = old ? "" : array.single ? "c" : separator == "." ? "c." : "c/";
  if (const Json *fill = find(json, {"fill_value"}))
    array.fill = *fill;
  const Json *codecs = find(json, {"codecs"});
  if (!codecs || !codecs->is_array())
    return Error{"its metadata has no list 'codecs'"};
  bool plain = false;
  for (const Json &codec : *codecs) {
    const std::string name = textOf(find(codec, {"name"}));
    if (!plain && name != "bytes")
      return refusedCodec(name);
    if (!plain)
      array.bigEndian = textOf(find(codec, {"configuration", "endian"})) == "big";
    else if (Status fine = takeCodec(array, name); !fine.ok())
      return fine;
    plain = true;
  }
  return array;
}

Result<ArrayMetadata> arrayOfVersion2(const Json &json) {
  ArrayMetadata array;
  const std::string type = textOf(find(json, {"dtype"})); // "<f8"
  const std::string bytes =
      type.size() == 3 ? type.substr(2) : type.substr(std::min<size_t>(type.size(), 2));
  const std::string kind = type.size() < 3          ? ""
                           : type[1] == 'f'         ? "float"
                           : type[1] == 'c'         ? "complex"
                           : type[1] == 'i'         ? "int"
                           : type[1] == 'u'         ? "uint"
                           : type.substr(1) == "b1" ? "bool"
                                                    : "";
  const bool digits = !bytes.empty() && bytes.size() <= 2 &&
                      bytes.find_first_not_of("0123456789") == std::string::npos;
  if (kind.empty() || !digits ||
      !takeType(array, kind == "bool" ? kind : kind + std::to_string(8 * std::stoi(bytes))))
    return Error{"its elements are of type '" + type + "'", "integers, real or complex numbers"};
  array.bigEndian = type[0] == '>';
  if (Status fine = takeSizes(array, find(json, {"shape"}), find(json, {"chunks"})); !fine.ok())
    return fine;
  if (const Json *fill = find(json, {"fill_value"}))
    array.fill = *fill;
  if (const Json *filters = find(json, {"filters"}); filters && !filters->empty())
    return refusedCodec(textOf(find(filters->front(), {"id"})));
  if (const Json *compressor = find(json, {"compressor"}); compressor && !compressor->is_null())
    if (Status fine = takeCodec(array, textOf(find(*compressor, {"id"}))); !fine.ok())
      return fine;
  return array;
}

/// A real number of the fill value.
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
std::string bytesOfFill(const ArrayMetadata &array, bool swapped) {
  std::string bytes;
  if (isComplexType(array.type)) {
    const bool pair = array.fill.is_array() && array.fill.size() == 2;
    std::optional<double> parts[] = {realOf(pair ? array.fill[0] : array.fill),
                                     pair ? realOf(array.fill[1]) : 0};
    for (std::optional<double> part : parts)
      if (!part)
        return {};
      else if (array.type == FileType::complex64)
        append(bytes, static_cast<float>(*part), swapped);
      else
        append(bytes, *part, swapped);
    return bytes;
  }
  std::optional<double> real = realOf(array.fill);
  if (!real)
    return {};
  if (array.type == FileType::float64)
    append(bytes, *real, swapped);
  else if (array.type == FileType::float32)
    append(bytes, static_cast<float>(*real), swapped);
  else if (array.type == FileType::float16) // no other number occurs
    return *real == 0 ? std::string(2, '\0') : std::string();
  else if (array.fill.is_number_integer() || *real == 0 || *real == 1) {
    uint64_t number =
        array.fill.is_number_integer() ? array.fill.get<uint64_t>() : static_cast<uint64_t>(*real);
    append(bytes, number, std::endian::native == std::endian::big); // the lowest byte first
    bytes.resize(static_cast<size_t>(fileTypeBytes(array.type)));
    if (array.bigEndian)
      std::ranges::reverse(bytes);
  }
  return bytes;
}

/// One array, read chunk by chunk.
class ArrayReader {
public:
  ArrayReader(fs::path folder, ArrayMetadata metadata)
      : folder(std::move(folder)), metadata(std::move(metadata)),
        swapped(this->metadata.bigEndian != (std::endian::native == std::endian::big)) {}

  Result<FileArray> read(int64_t &fileBytes) {
    for (int64_t first = 0, number = 0; first < metadata.count; first += metadata.chunk, ++number) {
      const fs::path path =
          folder / (metadata.keyPrefix +
                    (metadata.single && !metadata.keyPrefix.empty() ? "" : std::to_string(number)));
      const int64_t wanted = std::min(metadata.chunk, metadata.count - first);
      std::error_code ignored;
      Status fine = fs::exists(path, ignored) ? readChunk(path, wanted, fileBytes)
                                              : repeatFill(wanted, fileBytes);
      if (!fine.ok())
        return fine;
      if (metadata.count - first <= metadata.chunk)
        break;
    }
    auto owner = std::make_shared<Buffer>(std::move(content));
    const char *data = static_cast<const char *>(owner->data());
    return FileArray{.name = folder.filename().string(),
                     .type = metadata.type,
                     .elementBytes = elementBytes(),
                     .swapped = swapped,
                     .sizes = {metadata.count},
                     .count = metadata.count,
                     .data = data,
                     .owner = std::move(owner)};
  }

private:
  int64_t elementBytes() const { return fileTypeBytes(metadata.type); }

  Status reserve(int64_t more) {
    if (size + more <= content.count())
      return {};
    return content.resize(std::max(size + more, 2 * content.count()));
  }
  char *end() { return static_cast<char *>(content.data()) + size; }

  /// The last chunk is as long as the others; its end is not used.
  Status readChunk(const fs::path &path, int64_t wanted, int64_t &fileBytes) {
    Result<InputFile> file = InputFile::open(path.string());
    if (!file)
      return file.takeStatus();
    fileBytes += static_cast<int64_t>(file->raw().size());
    const bool plain = metadata.compression == Compression::none;
    if (!plain && file->compression() != metadata.compression)
      return file->errorAt(0, "the chunk is not compressed as the metadata of its array says");
    const std::optional<int64_t> whole = productOf(std::array{metadata.chunk, elementBytes()});
    if (plain && (!whole || file->raw().size() != static_cast<size_t>(*whole)))
      return file->errorAt(0, "the chunk has " + counted(int64_t(file->raw().size()), "byte"),
                           "as many as the metadata of its array says");
    constexpr int64_t piece = int64_t{1} << 18;
    ByteReader reader(*file);
    for (int64_t left = wanted * elementBytes(), taken = 0; left > 0; left -= taken) {
      const int64_t room = std::min(left, piece);
      if (Status fine = reserve(room); !fine.ok())
        return fine;
      if (plain) {
        std::memcpy(end(), file->raw().data() + (wanted * elementBytes() - left),
                    static_cast<size_t>(room));
        taken = room;
      } else {
        Result<int64_t> got = reader.fill(end(), room);
        if (!got)
          return got.takeStatus();
        if (*got < room)
          return file->errorAt(0, "the chunk has fewer elements than its array needs");
        taken = *got;
      }
      size += taken;
    }
    return {};
  }

  Status repeatFill(int64_t wanted, int64_t fileBytes) {
    constexpr int64_t most = int64_t{1} << 26, mostPerByte = 1032;
    repeated += static_cast<double>(wanted) * double(elementBytes());
    if (repeated > double(most) + mostPerByte * double(fileBytes))
      return Error{"chunks of '" + folder.filename().string() + "' are not there",
                   "no more than 64 MiB of elements that no file holds", folder.string(), 0};
    const std::string one = bytesOfFill(metadata, swapped);
    if (one.empty())
      return Error{"a chunk is not there, and the fill value is none that can be read", "a number",
                   folder.string(), 0};
    if (Status fine = reserve(wanted * elementBytes()); !fine.ok())
      return fine;
    for (int64_t at = 0; at < wanted; ++at) {
      std::memcpy(end(), one.data(), one.size());
      size += elementBytes();
    }
    return {};
  }

  fs::path folder;
  ArrayMetadata metadata;
  bool swapped;
  Buffer content{STRATA_I8};
  int64_t size = 0;    ///< bytes that are read
  double repeated = 0; ///< bytes of chunks that are not there
};

/// A store whose group a file in it describes.
class Store {
public:
  /// The file is the one in the folder, or, where the folder was opened, has its name.
  explicit Store(const InputFile &file) : file(file), root(file.name()) {
    std::error_code ignored;
    if (!fs::is_directory(root, ignored))
      root = root.parent_path();
  }

  /// The text that describes the arrays.
  Result<std::string> description() {
    Result<Json> group = readJson(file);
    if (!group)
      return group.takeStatus();
    const std::optional<int64_t> format = countOf(find(*group, {"zarr_format"}));
    if (format != 2 && format != 3)
      return Error{"this is no version of Zarr that can be read", "2 or 3"};
    version = *format;
    if (version == 3 && textOf(find(*group, {"node_type"})) != "group")
      return Error{"this is an array of Zarr", "a group with binsparse's description"};
    Result<Json> attributes = version == 2 ? readJson(root / ".zattrs") : std::move(*group);
    if (!attributes)
      return attributes.takeStatus();
    const Json *text = version == 2 ? find(*attributes, {binsparseName})
                                    : find(*attributes, {"attributes", binsparseName});
    if (!text)
      return Error{"the group has no attribute 'binsparse'", "the description of a sparse tensor"};
    return text->dump(-1, ' ', true, Json::error_handler_t::replace);
  }

  /// The arrays whose names begin as those of binsparse do; adds up the bytes of their files.
  Result<ArrayGroup> arrays(std::string text, int64_t &fileBytes) const {
    ArrayGroup group{.text = std::move(text)};
    std::error_code failed;
    for (fs::directory_iterator at(root, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (std::ranges::none_of(binsparsePrefixes, [&](std::string_view prefix) {
            return std::string_view(name).starts_with(prefix);
          }))
        continue;
      Result<FileArray> array = readArray(at->path(), fileBytes);
      if (!array) {
        Status status = array.takeStatus();
        if (status.error().file.empty())
          status.error().file = at->path().string();
        return status;
      }
      group.arrays.push_back(std::move(*array));
    }
    if (failed)
      return Error{"cannot list the arrays: " + failed.message(), "", root.string(), 0};
    return group;
  }

private:
  Result<FileArray> readArray(const fs::path &folder, int64_t &fileBytes) const {
    Result<Json> json = readJson(folder / (version == 2 ? ".zarray" : "zarr.json"));
    if (!json)
      return json.takeStatus();
    Result<ArrayMetadata> array = version == 2 ? arrayOfVersion2(*json) : arrayOfVersion3(*json);
    if (!array)
      return array.takeStatus();
    return ArrayReader(folder, std::move(*array)).read(fileBytes);
  }

  const InputFile &file;
  fs::path root;
  int64_t version = 3;
};

} // namespace

bool looksLikeZarr(std::string_view head) {
  return looksLikeObject(head) && head.find("\"zarr_format\"") != head.npos;
}

Result<TensorFileContent> readZarr(const InputFile &file, const TensorFileOptions &options) {
  auto failed = [&](Status status) {
    if (status.error().file.empty())
      status.error().file = file.name();
    return status;
  };
  Store store(file);
  Result<std::string> text = store.description();
  if (!text)
    return failed(text.takeStatus());
  int64_t fileBytes = 0;
  Result<ArrayGroup> group = store.arrays(std::move(*text), fileBytes);
  if (!group)
    return failed(group.takeStatus());
  Result<TensorFileContent> content = readBinsparse(std::move(*group), fileBytes, options);
  return content ? std::move(content) : failed(content.takeStatus());
}

std::optional<strata_type> zarrValueType(const InputFile &file) {
  Result<std::string> text = Store(file).description();
  return text ? binsparseValueType(*text) : std::nullopt;
}

} // namespace strata::runtime
