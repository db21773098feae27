// Writing a group of arrays as an HDF5 file.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5.h"
#include "strata/runtime/io/OutputFile.h"

#include <hdf5.h>

namespace strata::runtime {
namespace {

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

bool writeArray(hid_t file, const FileArray &array) {
  const hid_t type = nativeType(array.type);
  const hsize_t count = static_cast<hsize_t>(array.count) * (isComplexType(array.type) ? 2 : 1);
  Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  if (type < 0 || !space.ok())
    return false;
  Handle data(
      H5Dcreate2(file, array.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  return data.ok() &&
         (count == 0 || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data) >= 0);
}

} // namespace

Status writeHdf5Group(const std::string &path, const std::string &attribute,
                      const Hdf5Group &group) {
  Result<OutputFile> output = OutputFile::create(path, OutputFile::Order::any);
  if (!output)
    return output.takeStatus();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle file(H5Fcreate(output->placeholder().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
              H5Fclose);
  bool fine = file.ok() && writeText(file, attribute, group.text);
  for (const FileArray &array : group.arrays)
    fine = fine && writeArray(file, array);
  if (!file.close() || !fine)
    return Error{"the HDF5 library cannot write this file; is the disk full?", "", path, 0};
  return output->commit();
}

} // namespace strata::runtime
