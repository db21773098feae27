// Writing a group of arrays as an HDF5 file, in pieces as they come.
#include "Groups.h"

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Hdf5Records.h"

#include <algorithm>
#include <hdf5.h>
#include <sys/socket.h>

namespace strata::hdf5 {
namespace {

using namespace runtime;

/// An identifier of the library, closed at the end.
class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id(id), closer(close) {}
  Handle(const Handle &) = delete;
  ~Handle() { close(); }
  operator hid_t() const { return id; }
  bool ok() const { return id >= 0; }
  bool close() {
    const bool closed = id < 0 || closer(id) >= 0;
    id = -1;
    return closed;
  }

private:
  hid_t id;
  herr_t (*closer)(hid_t);
};

hid_t nativeType(FileType type) {
  switch (type) {
  case FileType::boolean:
  case FileType::uint8:
    return H5T_NATIVE_UINT8;
  case FileType::int8:
    return H5T_NATIVE_INT8;
  case FileType::int16:
    return H5T_NATIVE_INT16;
  case FileType::int32:
    return H5T_NATIVE_INT32;
  case FileType::int64:
    return H5T_NATIVE_INT64;
  case FileType::uint16:
    return H5T_NATIVE_UINT16;
  case FileType::uint32:
    return H5T_NATIVE_UINT32;
  case FileType::uint64:
    return H5T_NATIVE_UINT64;
  case FileType::float32:
  case FileType::complex64: // as twice as many parts
    return H5T_NATIVE_FLOAT;
  case FileType::float64:
  case FileType::complex128:
    return H5T_NATIVE_DOUBLE;
  case FileType::float16:
  case FileType::bfloat16:
  case FileType::text:
  case FileType::wideText:
    break;
  }
  return -1;
}

bool writeText(hid_t file, const std::string &name, const std::string &text) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  if (!type.ok() || !space.ok() || H5Tset_size(type, text.size()) < 0 ||
      H5Tset_cset(type, H5T_CSET_UTF8) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
    return false;
  Handle attribute(H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.ok() && H5Awrite(attribute, type, text.data()) >= 0;
}

/// Takes all of so many bytes from a socket.
bool receive(int socket, void *to, int64_t bytes) {
  return bytes == 0 || recv(socket, to, static_cast<size_t>(bytes), MSG_WAITALL) == bytes;
}

/// Creates an array, and writes its elements, of which at most so many bytes are in memory.
bool writeArray(hid_t file, const Hdf5Record &record, int socket) {
  constexpr int64_t pieceBytes = 1 << 20;
  const auto kind = static_cast<FileType>(record.type);
  const hid_t type = nativeType(kind);
  if (type < 0)
    return false;
  const auto width = static_cast<int64_t>(H5Tget_size(type));
  const auto count = static_cast<hsize_t>(record.bytes / width);
  Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  Handle data(H5Dcreate2(file, record.name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              H5Dclose);
  bool fine = space.ok() && data.ok();
  std::vector<char> piece(static_cast<size_t>(std::min(pieceBytes, record.bytes)));
  for (hsize_t at = 0; fine && at < count;) {
    const hsize_t some = std::min<hsize_t>(count - at, static_cast<hsize_t>(pieceBytes / width));
    Handle part(H5Screate_simple(1, &some, nullptr), H5Sclose);
    fine = receive(socket, piece.data(), static_cast<int64_t>(some) * width) && part.ok() &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, nullptr, &some, nullptr) >= 0 &&
           H5Dwrite(data, type, part, space, H5P_DEFAULT, piece.data()) >= 0;
    at += some;
  }
  return fine;
}

/// Writes all records up to the last.
bool writeRecords(hid_t file, int socket) {
  Hdf5Record record;
  while (receive(socket, &record, sizeof record)) {
    if (record.kind == Hdf5RecordKind::end)
      return true;
    std::string text;
    if (record.kind == Hdf5RecordKind::text) {
      text.resize(static_cast<size_t>(record.bytes));
      if (!receive(socket, text.data(), record.bytes) || !writeText(file, record.name, text))
        return false;
    } else if (!writeArray(file, record, socket)) {
      return false;
    }
  }
  return false;
}

} // namespace

int writeGroup(int socket, const std::string &path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const bool fine = file.ok() && writeRecords(file, socket);
  if (!file.close() || !fine)
    return 1;
  const char complete = 1;
  return send(socket, &complete, 1, MSG_NOSIGNAL) == 1 ? 0 : 1;
}

} // namespace strata::hdf5
