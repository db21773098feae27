// A driver of the HDF5 library for a file that is mapped: what the library reads of it, and where
// that lies.
#ifndef STRATA_TOOLS_HDF5_MAPPEDDRIVER_H
#define STRATA_TOOLS_HDF5_MAPPEDDRIVER_H

#include "strata/runtime/io/Hdf5Records.h"

#include <functional>
#include <hdf5.h>
#include <optional>
#include <string_view>
#include <vector>

namespace strata::hdf5 {

/// Opens the file that these bytes are, of which the library copies what it asks for and no more;
/// negative if it cannot. They must stay until the process ends.
hid_t openMapped(std::string_view bytes);

/// Calls `read`, which has the library read so many bytes of elements to an address, and notes the
/// places in the file that they would be copied from; nothing is copied. Returns the places in the
/// order of the elements; nothing if elements do not lie in the file as they are asked for (in
/// compressed chunks, in none, of another type), or if they lie in too many small pieces, which are
/// copied sooner than they are told of.
std::optional<std::vector<runtime::Hdf5Piece>> placesOf(int64_t bytes,
                                                        const std::function<bool(void *to)> &read);

} // namespace strata::hdf5
#endif // STRATA_TOOLS_HDF5_MAPPEDDRIVER_H
