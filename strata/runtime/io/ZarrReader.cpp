// Reading Zarr stores: the JSON of groups and arrays, and the tensors in them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zarr.h"

#include "strata/runtime/io/ParseJson.h"
#include "strata/runtime/io/StoredTensor.h"
#include "strata/runtime/io/ZarrChunks.h"
#include "strata/runtime/io/ZarrStore.h"

#include <algorithm>
#include <filesystem>

namespace strata::runtime {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

bool looksLikeObject(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != head.npos && head[first] == '{';
}

Result<Json> readJson(const InputFile &file) {
  Result<std::string_view> text = file.whole(looksLikeObject);
  if (!text)
    return text.takeStatus();
  Json json = parseJson(*text);
  if (!json.is_object())
    return file.errorAt(0, Error::Header, "this is not a JSON object", "the metadata of Zarr");
  return json;
}

/// Reads the object of a file; nothing if there is no such file.
Result<std::optional<Json>> readJson(const fs::path &path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    return std::optional<Json>();
  Result<InputFile> file = InputFile::open(path.string());
  if (!file)
    return file.takeStatus();
  Result<Json> json = readJson(*file);
  return json ? Result(std::optional(std::move(*json)))
              : Result<std::optional<Json>>(json.takeStatus());
}

void addAttributes(StoreNode &node, const Json &attributes) {
  if (!attributes.is_object())
    return;
  for (const auto &[name, value] : attributes.items()) {
    StoreAttribute &attribute = node.attributes[name];
    auto isInteger = [](const Json &number) {
      return number.is_number_integer() && number >= INT64_MIN && number <= INT64_MAX;
    };
    if (value.is_string())
      attribute.text = value.get<std::string>();
    else if (isInteger(value))
      attribute.numbers = {value.get<int64_t>()};
    else if (value.is_array() && std::ranges::all_of(value, isInteger))
      attribute.numbers = value.get<std::vector<int64_t>>();
    else
      attribute.text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
}

/// The JSON of a group or an array, and its attributes.
struct Metadata {
  Json json, attributes;
  bool isGroup = true;
};

Result<std::optional<Metadata>> readMetadata(const fs::path &folder, int64_t version) {
  Metadata found;
  if (version == 3) {
    Result<std::optional<Json>> json = readJson(folder / "zarr.json");
    if (!json)
      return json.takeStatus();
    if (!*json)
      return std::optional<Metadata>();
    found.isGroup = (*json)->value("node_type", Json()) != "array";
    found.attributes = (*json)->value("attributes", Json());
    found.json = std::move(**json);
    return std::optional(std::move(found));
  }
  for (const char *name : {".zgroup", ".zarray"}) {
    Result<std::optional<Json>> json = readJson(folder / name);
    if (!json)
      return json.takeStatus();
    if (!*json)
      continue;
    found.isGroup = std::string_view(name) == ".zgroup";
    found.json = std::move(**json);
    Result<std::optional<Json>> attributes = readJson(folder / ".zattrs");
    if (!attributes)
      return attributes.takeStatus();
    if (*attributes)
      found.attributes = std::move(**attributes);
    return std::optional(std::move(found));
  }
  return std::optional<Metadata>();
}

StoreNode nodeOf(const Metadata &metadata, int64_t version) {
  StoreNode node{.isGroup = metadata.isGroup};
  addAttributes(node, metadata.attributes);
  if (node.isGroup)
    return node;
  Result<ZarrArray> array = parseZarrArray(metadata.json, version);
  if (array) {
    node.sizes = array->sizes;
    node.type = array->type;
  } else {
    node.fault = array.takeStatus().error();
  }
  return node;
}

/// Says which folder an error is about.
Status inFolder(Status failed, const std::string &folder) {
  if (failed.error().file.empty())
    failed.error().file = folder;
  return failed;
}

Result<ZarrArray> readArrayMetadata(const std::string &folder, int64_t version) {
  Result<std::optional<Metadata>> metadata = readMetadata(folder, version);
  if (!metadata)
    return metadata.takeStatus();
  if (!*metadata || (*metadata)->isGroup)
    return Error{Error::MissingPart, "there is no array of this name", "", folder, 0};
  Result<ZarrArray> array = parseZarrArray((*metadata)->json, version);
  return array ? std::move(array) : inFolder(array.takeStatus(), folder);
}

} // namespace

Result<ZarrStore> ZarrStore::open(const InputFile &file) {
  Result<Json> json = readJson(file);
  if (!json)
    return json.takeStatus();
  const Json version = json->value("zarr_format", Json());
  if (version != 2 && version != 3)
    return Error{Error::UnsupportedFile, "this is no version of Zarr that can be read", "2 or 3"};
  fs::path root = file.name();
  std::error_code ignored;
  if (!fs::is_directory(root, ignored))
    root = root.parent_path();
  return ZarrStore(root.string(), version.get<int64_t>());
}

Result<std::optional<StoreNode>> ZarrStore::describe(const std::string &path) {
  const fs::path folder = path.empty() ? fs::path(root) : fs::path(root) / path;
  Result<std::optional<Metadata>> metadata = readMetadata(folder, version);
  if (!metadata)
    return metadata.takeStatus();
  if (!*metadata)
    return std::optional<StoreNode>();
  StoreNode node = nodeOf(**metadata, version);
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; node.isGroup && !failed && at != end;
       at.increment(failed)) {
    std::error_code ignored;
    if (!at->is_directory(ignored))
      continue;
    Result<std::optional<Metadata>> child = readMetadata(at->path(), version);
    if (!child)
      return child.takeStatus();
    if (*child)
      node.children.emplace(at->path().filename().string(), nodeOf(**child, version));
  }
  if (failed)
    return Error{Error::FileAccess, "cannot list the arrays: " + failed.message(), "",
                 folder.string(), 0};
  return std::optional(std::move(node));
}

Result<std::vector<FileArray>> ZarrStore::read(std::span<const ArrayRequest> requests) {
  std::vector<FileArray> arrays;
  for (const ArrayRequest &request : requests) {
    const std::string folder = (fs::path(root) / request.path).string();
    Result<ZarrArray> array = readArrayMetadata(folder, version);
    if (!array)
      return array.takeStatus();
    if (array->type == FileType::text)
      return Error{Error::ElementType, "the elements of '" + request.path + "' are texts",
                   "numbers", folder, 0};
    Result<FileArray> read = readZarrChunks(folder, *array, request.range, bytesRead);
    if (!read)
      return inFolder(read.takeStatus(), folder);
    arrays.push_back(std::move(*read));
  }
  return arrays;
}

Result<std::vector<std::string>> ZarrStore::readTexts(const ArrayRequest &request) {
  const std::string folder = (fs::path(root) / request.path).string();
  Result<ZarrArray> array = readArrayMetadata(folder, version);
  if (!array)
    return array.takeStatus();
  if (array->type != FileType::text)
    return Error{Error::ElementType, "the elements of '" + request.path + "' are no texts", "texts",
                 folder, 0};
  return readZarrTexts(folder, *array, request.range, bytesRead);
}

bool looksLikeZarr(std::string_view head) {
  return looksLikeObject(head) && head.find("\"zarr_format\"") != head.npos;
}

Result<TensorFileContent> readZarr(const InputFile &file, const TensorFileOptions &options) {
  Result<ZarrStore> store = ZarrStore::open(file);
  if (!store)
    return store.takeStatus();
  return readStoredTensor(*store, file.selection(), options);
}

std::optional<strata_type> zarrValueType(const InputFile &file) {
  Result<ZarrStore> store = ZarrStore::open(file);
  return store ? storedValueType(*store, file.selection()) : std::nullopt;
}

Result<std::vector<std::string>> zarrTensors(const InputFile &file) {
  Result<ZarrStore> store = ZarrStore::open(file);
  if (!store)
    return store.takeStatus();
  return tensorsOf(*store);
}

} // namespace strata::runtime
