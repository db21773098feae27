// Reading and writing a group of an HDF5 file by the program strata-hdf5. Arrays that it reads stay
// in the file, if they lie there as in memory, or come in shared memory; what it writes goes to it
// through a socket.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5.h"

#include "strata/runtime/io/Hdf5Chunks.h"
#include "strata/runtime/io/Hdf5Process.h"
#include "strata/runtime/io/Hdf5Records.h"
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/io/ParseJson.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::runtime {

bool looksLikeHdf5(std::string_view bytes) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  // What the file's user put before it takes 512 bytes or twice as many, and so on.
  for (size_t at = 0; at + signature.size() <= bytes.size(); at = at == 0 ? 512 : 2 * at)
    if (bytes.substr(at).starts_with(signature))
      return true;
  return false;
}

namespace {

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

/// What the program left, mapped.
struct Mapping {
  char *data = nullptr;
  int64_t bytes = 0;
  ~Mapping() {
    if (data)
      munmap(data, static_cast<size_t>(bytes));
  }
};

Error damaged() {
  return {Error::Damaged,
          "the HDF5 library cannot read this file: it is damaged, or uses what the library lacks"};
}

/// Takes a record of an array that stays in the file.
Result<FileArray> takePieces(const Hdf5Record &record, const char *content, std::string_view file) {
  if (record.type < 0 || record.type > static_cast<int32_t>(FileType::complex128) ||
      record.bytes % static_cast<int64_t>(sizeof(Hdf5Piece)) != 0)
    return damaged();
  const auto type = static_cast<FileType>(record.type);
  const int64_t width = fileTypeBytes(type), size = static_cast<int64_t>(file.size());
  FileArray array{.name = record.name,
                  .type = type,
                  .elementBytes = width,
                  .sizes = {record.count},
                  .count = record.count};
  int64_t elements = 0, left = size; // no byte of the file belongs to two pieces
  for (int64_t at = 0; at < record.bytes; at += sizeof(Hdf5Piece)) {
    Hdf5Piece piece;
    std::memcpy(&piece, content + at, sizeof piece);
    if (piece.start < 0 || piece.start > size || piece.bytes <= 0 || piece.bytes % width != 0 ||
        piece.bytes > size - piece.start || (left -= piece.bytes) < 0)
      return damaged();
    array.pieces.push_back({file.data() + piece.start, elements});
    elements += piece.bytes / width;
    if (elements > record.count)
      return damaged();
  }
  if (elements != record.count)
    return damaged();
  if (array.pieces.size() == 1) {
    array.data = array.pieces.front().data;
    array.pieces.clear();
  }
  return array;
}

/// Takes the records apart; what a program that went astray left there is not believed.
Result<ArrayGroup> takeRecords(const std::shared_ptr<Mapping> &mapping, std::string_view file) {
  ArrayGroup group;
  int64_t at = 0;
  while (at + hdf5Alignment <= mapping->bytes) {
    Hdf5Record record;
    std::memcpy(&record, mapping->data + at, sizeof record);
    record.name[longestHdf5Name] = '\0';
    at += hdf5Alignment;
    if (record.bytes < 0 || record.bytes > mapping->bytes - at || record.count < 0)
      return damaged();
    const char *content = mapping->data + at;
    at += alignedHdf5Bytes(record.bytes);
    switch (record.kind) {
    case Hdf5RecordKind::text:
      group.text.assign(content, static_cast<size_t>(record.bytes));
      break;
    case Hdf5RecordKind::error:
      return Error{Error::UnsupportedFile, std::string(content, static_cast<size_t>(record.bytes))};
    case Hdf5RecordKind::end:
      return group;
    case Hdf5RecordKind::pieces:
    case Hdf5RecordKind::chunks: {
      Result<FileArray> array = record.kind == Hdf5RecordKind::chunks
                                    ? readHdf5Chunks(record, content, file)
                                    : takePieces(record, content, file);
      if (!array)
        return array.takeStatus();
      group.arrays.push_back(std::move(*array));
      break;
    }
    case Hdf5RecordKind::array: {
      if (record.type < 0 || record.type > static_cast<int32_t>(FileType::text))
        return damaged();
      const auto type = static_cast<FileType>(record.type);
      if (type != FileType::text && record.count != record.bytes / fileTypeBytes(type))
        return damaged();
      group.arrays.push_back(
          {.name = record.name,
           .type = type,
           .elementBytes = type == FileType::text ? record.bytes : fileTypeBytes(type),
           .sizes = {record.count},
           .count = record.count,
           .data = content,
           .owner = mapping});
      break;
    }
    }
  }
  return damaged();
}

Result<ArrayGroup> mapRecords(int memory, std::string_view file) {
  struct stat facts;
  if (fstat(memory, &facts) != 0 || facts.st_size == 0)
    return damaged();
  auto mapping = std::make_shared<Mapping>();
  void *data = mmap(nullptr, static_cast<size_t>(facts.st_size), PROT_READ, MAP_SHARED, memory, 0);
  if (data == MAP_FAILED)
    return outOfMemory("the arrays of an HDF5 file", facts.st_size);
  mapping->data = static_cast<char *>(data);
  mapping->bytes = facts.st_size;
  return takeRecords(mapping, file);
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

bool sendAll(int socket, const void *data, int64_t bytes) {
  const char *from = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t sent = send(socket, from, static_cast<size_t>(bytes), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR)
      return false;
    from += std::max<ssize_t>(sent, 0);
    bytes -= std::max<ssize_t>(sent, 0);
  }
  return true;
}

bool sendRecord(int socket, Hdf5RecordKind kind, const std::string &name, FileType type,
                int64_t count, std::string_view content) {
  Hdf5Record record{
      kind, static_cast<int32_t>(type), count, static_cast<int64_t>(content.size()), {}};
  std::memcpy(record.name, name.data(), std::min<size_t>(name.size(), longestHdf5Name));
  return sendAll(socket, &record, sizeof record) && sendAll(socket, content.data(), record.bytes);
}

bool sendGroup(int socket, const std::string &attribute, const ArrayGroup &group) {
  bool fine = sendRecord(socket, Hdf5RecordKind::text, attribute, FileType::text,
                         static_cast<int64_t>(group.text.size()), group.text);
  for (const FileArray &array : group.arrays)
    fine = fine && sendRecord(socket, Hdf5RecordKind::array, array.name, array.type, array.count,
                              {array.data, static_cast<size_t>(array.count * array.elementBytes)});
  return fine && sendRecord(socket, Hdf5RecordKind::end, "", FileType::text, 0, {});
}

/// The byte by which the program says that the file is complete.
bool isConfirmed(int socket) {
  char answer = 0;
  ssize_t got = 0;
  while ((got = recv(socket, &answer, 1, 0)) < 0 && errno == EINTR) {
  }
  return got == 1;
}

} // namespace

//===------------------------------------------------------------------------------------------===//
// The store
//===------------------------------------------------------------------------------------------===//

namespace {

using Json = nlohmann::json;

/// Makes a file of memory with these bytes.
Result<Descriptor> copyToMemory(std::string_view bytes) {
  Result<Descriptor> image = makeMemoryFile();
  if (!image)
    return image;
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t written = ::write(image->get(), bytes.data() + at, bytes.size() - at);
    if (written < 0 && errno != EINTR)
      return outOfMemory("an HDF5 file", static_cast<int64_t>(bytes.size()));
    at += static_cast<size_t>(std::max<ssize_t>(written, 0));
  }
  return image;
}

/// Opens the file itself, if it still is the one that is mapped.
Descriptor reopened(const InputFile &file) {
  Descriptor opened(file.isInMemory() ? ::open(file.name().c_str(), O_RDONLY | O_CLOEXEC) : -1);
  struct stat facts;
  if (opened && (fstat(opened.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
                 facts.st_size != static_cast<int64_t>(file.raw().size())))
    opened.close();
  return Descriptor(opened ? fcntl(opened.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1);
}

std::optional<FileType> typeNamed(const std::string &name) {
  for (int type = 0; type <= static_cast<int>(FileType::text); ++type)
    if (name == fileTypeName(static_cast<FileType>(type)))
      return static_cast<FileType>(type);
  return std::nullopt;
}

/// Reads a description by the program, which is not believed to be well-formed.
std::optional<StoreNode> nodeOf(const Json &json) {
  if (!json.is_object() || !json.contains("group") || !json["group"].is_boolean() ||
      !json.contains("attributes"))
    return std::nullopt;
  StoreNode node{.isGroup = json["group"].get<bool>()};
  for (const auto &[name, value] : json["attributes"].items())
    if (value.is_string())
      node.attributes[name].text = value.get<std::string>();
    else if (value.is_array())
      for (const Json &number : value)
        node.attributes[name].numbers.push_back(number.is_number() ? number.get<int64_t>() : 0);
  if (json.contains("children"))
    for (const auto &[name, value] : json["children"].items())
      if (std::optional<StoreNode> child = nodeOf(value))
        node.children.emplace(name, std::move(*child));
  if (json.contains("sizes"))
    for (const Json &size : json["sizes"])
      node.sizes.push_back(size.is_number() ? size.get<int64_t>() : -1);
  if (json.contains("place") && json["place"].is_number())
    node.place = json["place"].get<int64_t>();
  if (json.contains("type") && json["type"].is_string())
    node.type = typeNamed(json["type"].get<std::string>());
  return node;
}

/// Keeps the descriptions that are complete: of arrays, and of groups with their children.
void keepDescriptions(const Json &json, const std::string &path,
                      std::map<std::string, StoreNode> &described) {
  std::optional<StoreNode> node = nodeOf(json);
  if (!node || (node->isGroup && !json.contains("children")))
    return;
  if (node->isGroup)
    for (const auto &[name, child] : json["children"].items())
      keepDescriptions(child, childPath(path, name), described);
  described.insert_or_assign(path, std::move(*node));
}

} // namespace

Result<Hdf5Store> Hdf5Store::open(const InputFile &file) {
  Result<std::string_view> bytes = file.whole(looksLikeHdf5);
  if (!bytes)
    return bytes.takeStatus();
  if (Descriptor same = reopened(file))
    return Hdf5Store(std::move(same), *bytes);
  Result<Descriptor> image = copyToMemory(*bytes);
  return image ? Result(Hdf5Store(std::move(*image), *bytes)) : image.takeStatus();
}

Result<ArrayGroup> Hdf5Store::ask(const std::vector<std::string> &arguments) const {
  Result<Descriptor> memory = makeMemoryFile();
  if (!memory)
    return memory.takeStatus();
  Result<Hdf5Process> process = Hdf5Process::start(arguments, image.get(), memory->get());
  if (!process)
    return process.takeStatus();
  process->wait();
  return mapRecords(memory->get(), content);
}

Result<std::optional<StoreNode>> Hdf5Store::describe(const std::string &path) {
  if (auto known = described.find(path); known != described.end())
    return std::optional(known->second);
  Result<ArrayGroup> answer = ask({"describe", path.empty() ? "/" : path});
  if (!answer)
    return answer.takeStatus();
  if (answer->text.empty())
    return std::optional<StoreNode>();
  const Json json = parseJson(answer->text);
  std::optional<StoreNode> node = nodeOf(json);
  if (!node)
    return damaged();
  keepDescriptions(json, path, described);
  return node;
}

Result<ArrayGroup> Hdf5Store::readArrays(std::span<const ArrayRequest> requests) const {
  std::vector<std::string> arguments = {"read"};
  for (const ArrayRequest &request : requests) {
    const bool all = request.range.isAll();
    arguments.insert(arguments.end(), {request.path, std::to_string(request.range.begin),
                                       std::to_string(all ? -1 : request.range.end)});
  }
  Result<ArrayGroup> answer = ask(arguments);
  if (answer && answer->arrays.size() != requests.size())
    return damaged();
  return answer;
}

Result<std::vector<FileArray>> Hdf5Store::read(std::span<const ArrayRequest> requests) {
  if (requests.empty())
    return std::vector<FileArray>();
  Result<ArrayGroup> answer = readArrays(requests);
  if (!answer)
    return answer.takeStatus();
  for (size_t at = 0; at < requests.size(); ++at) {
    const std::string &path = requests[at].path;
    FileArray &array = answer->arrays[at];
    array.name = path.substr(path.rfind('/') + 1);
    if (!requests[at].inPieces && !array.pieces.empty()) {
      Result<FileArray> whole = gathered(std::move(array));
      if (!whole)
        return whole.takeStatus();
      array = std::move(*whole);
    }
    if (array.type == FileType::text)
      return Error{Error::ElementType, "the elements of '" + path + "' are texts", "numbers"};
  }
  return std::move(answer->arrays);
}

Result<std::vector<std::string>> Hdf5Store::readTexts(const ArrayRequest &request) {
  Result<ArrayGroup> answer = readArrays(std::span(&request, 1));
  if (!answer)
    return answer.takeStatus();
  const FileArray &array = answer->arrays.front();
  if (array.type != FileType::text)
    return Error{Error::ElementType,
                 "the elements of '" + request.path + "' are of type " + fileTypeName(array.type),
                 "texts"};
  std::vector<std::string> texts;
  const char *at = array.data, *end = at + array.elementBytes;
  while (at != end) {
    const char *stop = std::find(at, end, '\0');
    texts.emplace_back(at, stop);
    at = stop == end ? end : stop + 1;
  }
  return texts;
}

Status writeHdf5Group(const std::string &path, const std::string &attribute,
                      const ArrayGroup &group) {
  Result<OutputFile> output = OutputFile::create(path, OutputFile::Order::any);
  if (!output)
    return output.takeStatus();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return systemError("make a socket");
  Descriptor own(ends[0]), given(fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  ::close(ends[1]);
  Result<Hdf5Process> process =
      Hdf5Process::start({"write", output->placeholder()}, given.get(), given.get());
  if (!process)
    return process.takeStatus();
  given.close();
  const bool fine = sendGroup(own.get(), attribute, group) && isConfirmed(own.get());
  process->wait();
  if (!fine)
    return Error{Error::FileAccess, "the HDF5 library cannot write this file; is the disk full?",
                 "", path, 0};
  return output->commit();
}

} // namespace strata::runtime
