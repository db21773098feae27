// What the program does: describes and reads what lies in an HDF5 file, or writes a group.
//
// The HDF5 library was not made for files that lie: some of those make it crash or loop. Here it
// does so in a process of its own, whose memory and time are bounded, and which is not the one that
// computes. Its archive is made for programs alone, besides, not for shared libraries.
#ifndef STRATA_TOOLS_HDF5_GROUPS_H
#define STRATA_TOOLS_HDF5_GROUPS_H

#include <span>
#include <string>

namespace strata::hdf5 {

/// Describes a group or an array of the file that `image` is, what lies directly in a group, and
/// what lies in groups in it, unless that is too much, as a text in JSON: `group`, `attributes`,
/// and `children` (of a group that is not too far below) or else `type` and `sizes`. Appends
/// records (Hdf5Records.h) to the file of memory `memory`, the last of which is `end` or `error`.
[[noreturn]] void describeNode(int image, int memory, const std::string &path);

/// Reads arrays of the file, three arguments for each: its path, and the first and one beyond the
/// last index of its first dimension to read (-1: all). Appends a record for each in the same way.
[[noreturn]] void readArrays(int image, int memory, std::span<const std::string> arguments);

/// Writes a file of one group, the root, with what comes as records from a socket, to which a byte
/// is sent when the file is complete. Returns the exit status of the program.
int writeGroup(int socket, const std::string &path);

} // namespace strata::hdf5
#endif // STRATA_TOOLS_HDF5_GROUPS_H
