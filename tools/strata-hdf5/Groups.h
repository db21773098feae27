// What the program does: reads a group of an HDF5 file, or writes one.
//
// The HDF5 library was not made for files that lie: some of those make it crash or loop. Here it
// does so in a process of its own, whose memory and time are bounded, and which is not the one that
// computes. Its archive is made for programs alone, besides, not for shared libraries.
#ifndef STRATA_TOOLS_HDF5_GROUPS_H
#define STRATA_TOOLS_HDF5_GROUPS_H

#include <span>
#include <string>

namespace strata::hdf5 {

/// Reads the file that `image` is: of the group that has the attribute (the root, or else one
/// directly below it) its text, and the arrays whose names begin with one of the prefixes. Appends
/// records (Hdf5Records.h) to the file of memory `memory`, the last of which is `end` or `error`.
[[noreturn]] void readGroup(int image, int memory, const std::string &attribute,
                            std::span<const std::string> prefixes);

/// Writes a file of one group, the root, with what comes as records from a socket, to which a byte
/// is sent when the file is complete. Returns the exit status of the program.
int writeGroup(int socket, const std::string &path);

} // namespace strata::hdf5
#endif // STRATA_TOOLS_HDF5_GROUPS_H
