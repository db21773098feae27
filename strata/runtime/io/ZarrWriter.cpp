// Writing Zarr stores: a directory of version 3, in which each array is one chunk.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/io/ParseJson.h"
#include "strata/runtime/io/Unfinished.h"
#include "strata/runtime/io/Zarr.h"

#include <filesystem>
#include <utility>

namespace strata::runtime {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Error failure(const char *what, const fs::path &path, const std::error_code &code) {
  return {Error::FileAccess, std::string("cannot ") + what + " it: " + code.message(), "",
          path.string(), 0};
}

/// Tells whether a directory is a store of binsparse, which another one may replace.
bool isStore(const fs::path &path) {
  for (const char *name : {"zarr.json", ".zattrs"})
    if (Result<InputFile> file = InputFile::open((path / name).string())) {
      Json json = parseJson(file->raw());
      const Json *attributes = &json;
      if (json.is_object() && json.contains("attributes"))
        attributes = &json["attributes"];
      if (attributes->is_object() && attributes->contains("binsparse"))
        return true;
    }
  return false;
}

/// A directory that appears complete or not at all: made beside its place, then renamed.
class OutputFolder {
public:
  static Result<OutputFolder> create(const std::string &path) {
    OutputFolder made;
    made.path = fs::path(path);
    if (made.path.filename().empty()) // of "m.zarr/"
      made.path = made.path.parent_path();
    std::error_code failed;
    if (fs::exists(made.path, failed) && !isStore(made.path))
      return Error{Error::FileAccess, "something else has this name",
                   "a new name, or a store of binsparse", path, 0};
    const UnfinishedHold hold = holdUnfinished();
    std::string name;
    do // what a process of the same number has left behind may have that name
      name = unfinishedName(made.path.string());
    while (!fs::create_directory(name, failed) && !failed);
    if (failed)
      return failure("make", path, failed);
    noteUnfinished(name);
    made.temporary = name;
    return made;
  }
  OutputFolder(OutputFolder &&other) noexcept
      : path(std::move(other.path)), temporary(std::exchange(other.temporary, {})) {}
  ~OutputFolder() {
    std::error_code ignored;
    if (temporary.empty())
      return;
    fs::remove_all(temporary, ignored);
    forgetUnfinished(temporary);
  }

  const fs::path &place() const { return temporary; }

  Status commit() {
    std::error_code failed, ignored;
    fs::path old;
    UnfinishedHold hold = holdUnfinished(); // nothing ends the process between the two names
    if (fs::exists(path, failed)) {
      fs::permissions(temporary, fs::status(path, ignored).permissions(), ignored);
      old = temporary.string() + ".old";
      fs::rename(path, old, failed);
      if (failed)
        return failure("replace", path, failed);
    }
    fs::rename(temporary, path, failed);
    if (failed) {
      if (!old.empty())
        fs::rename(old, path, ignored);
      return failure("make", path, failed);
    }
    forgetUnfinished(temporary);
    temporary.clear();
    if (old.empty())
      return {};
    noteUnfinished(old);
    hold.unlock();
    fs::remove_all(old, ignored);
    forgetUnfinished(old);
    return {};
  }

private:
  OutputFolder() = default;

  fs::path path, temporary;
};

Status writeWhole(const fs::path &path, std::string_view bytes) {
  Result<OutputFile> file = OutputFile::create(path.string());
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(bytes); !written.ok())
    return written;
  return file->commit();
}

Json metadataOf(const FileArray &array) {
  const Json size = Json::array({array.count});
  Json bytes = {{"name", "bytes"}};
  if (array.elementBytes > 1)
    bytes["configuration"] = {
        {"endian",
         array.swapped == (std::endian::native == std::endian::little) ? "big" : "little"}};
  const bool isReal = array.type == FileType::float32 || array.type == FileType::float64;
  return {
      {"zarr_format", 3},
      {"node_type", "array"},
      {"shape", size},
      {"data_type", fileTypeName(array.type)},
      {"chunk_grid",
       {{"name", "regular"},
        {"configuration", {{"chunk_shape", Json::array({std::max<int64_t>(array.count, 1)})}}}}},
      {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
      {"fill_value", isReal ? Json(0.0) : Json(0)},
      {"codecs", Json::array({bytes})},
      {"attributes", Json::object()}};
}

Status writeArray(const fs::path &root, const FileArray &array) {
  const fs::path folder = root / array.name;
  std::error_code failed;
  fs::create_directories(folder / "c", failed);
  if (failed)
    return failure("make", folder, failed);
  if (Status written = writeWhole(folder / "zarr.json", metadataOf(array).dump(2)); !written.ok())
    return written;
  if (array.count == 0)
    return {};
  return writeWhole(folder / "c" / "0",
                    {array.data, static_cast<size_t>(array.count * array.elementBytes)});
}

} // namespace

Status writeZarrGroup(const std::string &path, const std::string &name, const ArrayGroup &group) {
  if (withoutCompressionEnding(path).size() != path.size())
    return Error{Error::FileKind, "a store of Zarr is a directory, which is not compressed",
                 "a name that ends in .zarr", path, 0};
  Result<OutputFolder> folder = OutputFolder::create(path);
  if (!folder)
    return folder.takeStatus();
  for (const FileArray &array : group.arrays) {
    FileArray parts = array;
    if (isComplexType(array.type)) {
      parts.type = array.type == FileType::complex64 ? FileType::float32 : FileType::float64;
      parts.count *= 2;
      parts.elementBytes /= 2;
    } else if (array.type == FileType::boolean) {
      parts.type = FileType::uint8;
    }
    if (Status written = writeArray(folder->place(), parts); !written.ok())
      return written;
  }
  const Json text = Json::parse(group.text, nullptr, /*allow_exceptions=*/false);
  const Json description = {
      {"zarr_format", 3}, {"node_type", "group"}, {"attributes", {{name, text}}}};
  if (Status written = writeWhole(folder->place() / "zarr.json", description.dump(2));
      !written.ok())
    return written;
  return folder->commit();
}

} // namespace strata::runtime
