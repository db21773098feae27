// Files and folders that are being written under names of their own, beside the place where they
// are to appear: nobody wants them if the process ends before.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_UNFINISHED_H
#define STRATA_RUNTIME_IO_UNFINISHED_H

#include <mutex>
#include <string>

namespace strata::runtime {

/// Returns a name beside `path` that no other writer of this or another process uses.
std::string unfinishedName(const std::string &path);

/// While one lives, other threads neither begin what would be unfinished nor remove it. Whoever
/// makes a file and notes it holds both together, so that no file is overlooked in between.
using UnfinishedHold = std::unique_lock<std::recursive_mutex>;
UnfinishedHold holdUnfinished();

/// Notes that what has this name is unfinished, until it is forgotten.
void noteUnfinished(const std::string &name);
void forgetUnfinished(const std::string &name);

/// Removes all that is unfinished, for a process that is about to end, which keeps what is returned
/// until it does, so that nothing else is begun. Any thread may call it, but no handler of a
/// signal.
[[nodiscard]] UnfinishedHold removeUnfinished();

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_UNFINISHED_H
