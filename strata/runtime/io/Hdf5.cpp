// Reading and writing a group of an HDF5 file by the program strata-hdf5. What it reads comes in
// shared memory, where arrays stay; what it writes goes to it through a socket.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5.h"
#include "strata/runtime/io/Hdf5Process.h"
#include "strata/runtime/io/Hdf5Records.h"
#include "strata/runtime/io/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::runtime {

bool looksLikeHdf5(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\x89HDF\r\n\x1a\n", 8));
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
  return {"the HDF5 library cannot read this file: it is damaged, or uses what the library lacks"};
}

/// Takes the records apart; what a program that went astray left there is not believed.
Result<ArrayGroup> takeRecords(const std::shared_ptr<Mapping> &mapping) {
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
      return Error{std::string(content, static_cast<size_t>(record.bytes))};
    case Hdf5RecordKind::end:
      return group;
    case Hdf5RecordKind::array: {
      if (record.type < 0 || record.type > static_cast<int32_t>(FileType::complex128))
        return damaged();
      const auto type = static_cast<FileType>(record.type);
      if (record.count != record.bytes / fileTypeBytes(type))
        return damaged();
      group.arrays.push_back({.name = record.name,
                              .type = type,
                              .elementBytes = fileTypeBytes(type),
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

Result<ArrayGroup> mapRecords(int memory) {
  struct stat facts;
  if (fstat(memory, &facts) != 0 || facts.st_size == 0)
    return damaged();
  auto mapping = std::make_shared<Mapping>();
  void *data = mmap(nullptr, static_cast<size_t>(facts.st_size), PROT_READ, MAP_SHARED, memory, 0);
  if (data == MAP_FAILED)
    return outOfMemory("the arrays of an HDF5 file", facts.st_size);
  mapping->data = static_cast<char *>(data);
  mapping->bytes = facts.st_size;
  return takeRecords(mapping);
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

Result<ArrayGroup> readHdf5Group(std::string_view file, const std::string &attribute,
                                 std::span<const std::string_view> prefixes) {
  Result<Descriptor> image = makeMemoryFile(), memory = makeMemoryFile();
  if (!image)
    return image.takeStatus();
  if (!memory)
    return memory.takeStatus();
  for (size_t at = 0; at < file.size();) {
    const ssize_t written = ::write(image->get(), file.data() + at, file.size() - at);
    if (written < 0 && errno != EINTR)
      return outOfMemory("an HDF5 file", static_cast<int64_t>(file.size()));
    at += static_cast<size_t>(std::max<ssize_t>(written, 0));
  }
  std::vector<std::string> arguments = {"read", attribute};
  arguments.insert(arguments.end(), prefixes.begin(), prefixes.end());
  Result<Hdf5Process> process = Hdf5Process::start(arguments, image->get(), memory->get());
  if (!process)
    return process.takeStatus();
  process->wait();
  return mapRecords(memory->get());
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
    return Error{"the HDF5 library cannot write this file; is the disk full?", "", path, 0};
  return output->commit();
}

} // namespace strata::runtime
