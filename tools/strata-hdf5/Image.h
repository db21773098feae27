// An HDF5 file that lies in memory, and the file of memory into which records are put.
#ifndef STRATA_TOOLS_HDF5_IMAGE_H
#define STRATA_TOOLS_HDF5_IMAGE_H

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Hdf5Records.h"

#include <functional>
#include <hdf5.h>
#include <optional>

namespace strata::hdf5 {

/// Lives until the process ends, which closes nothing before.
class Image {
public:
  /// Maps the file that a descriptor is, bounds memory and time, and opens it. Ends the process
  /// with a record that says why not.
  Image(int image, int memory);

  hid_t file() const { return opened; }
  int64_t bytes() const { return fileBytes; }

  /// Puts a record of an error, and ends the process.
  [[noreturn]] void fail(const std::string &message);
  /// Bounds memory to what is in use, some room for the library, the file and `more`; and time.
  void limit(int64_t more);
  /// Appends a record and what `fill` writes behind it.
  void put(runtime::Hdf5RecordKind kind, const std::string &name, int32_t type, int64_t count,
           int64_t bytes, const std::function<bool(void *to)> &fill);
  void putText(runtime::Hdf5RecordKind kind, const std::string &text);
  /// Puts the last record, and ends the process.
  [[noreturn]] void finish();

private:
  int64_t fileBytes = 0;
  int memory;
  int64_t position = 0;
  hid_t opened = -1;
};

/// The type of an array's elements in this machine's memory, and what files call it.
struct ElementType {
  runtime::FileType type;
  hid_t native; ///< what the library is told to make of them
};
/// Finds the type; nothing if the elements are neither numbers nor texts that can be read.
std::optional<ElementType> elementTypeOf(hid_t stored);

} // namespace strata::hdf5
#endif // STRATA_TOOLS_HDF5_IMAGE_H
