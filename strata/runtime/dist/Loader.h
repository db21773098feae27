// Finds what carries messages between the processes of a run, and loads it: nothing of MPI is
// loaded before it is asked for.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_LOADER_H
#define STRATA_RUNTIME_DIST_LOADER_H

#include "strata/runtime/Status.h"
#include "strata/runtime/dist/Provider.h"

#include <optional>
#include <string>

namespace strata::runtime::dist {

/// What carries messages, and where it was found.
struct Engine {
  const strata_provider *provider;
  std::string library = {}; ///< the file of the MPI library; empty where there is none
  std::string plugin = {};  ///< the file of the provider; empty of the one that is built in
};

/// What started this process as one of several.
struct Launcher {
  std::string name;
  int64_t processes = 0; ///< how many it started; 0 where it does not say
  int64_t rank = 0;      ///< which of them this is
};

/// Reads the variables that launchers set; nothing where there are none.
std::optional<Launcher> findLauncher();

/// Of an error that all processes of a launcher find by themselves: waits in all but the first,
/// which says it, and whose end ends them.
void letFirstSpeak();

/// Tells whether this process was started with others, as far as is known, and is to join them.
bool hasOthers();

/// Takes the first of these that there is: what STRATA_MPI names (`self`, a library of MPI, or a
/// plugin), the library of MPI that the process has loaded, the one that belongs to its launcher;
/// without any of them the process is alone. Whoever has a communicator gets MPI or an error.
Result<Engine> findEngine(bool hasCommunicator);

/// The library's name and version in one short line, as "Open MPI v4.1.4", of what it says of
/// itself.
std::string shortVersion(const std::string &text);

/// The source of the plugin, complete in itself.
const char *pluginSource();

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_LOADER_H
