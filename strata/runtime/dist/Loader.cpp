// Knows the libraries of MPI by their names, and loads the plugin of each.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Loader.h"

#include "strata/runtime/Variables.h"
#include "strata/runtime/dist/Self.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <limits.h>
#include <link.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace strata::runtime::dist {
namespace {

/// A library of MPI, and the plugin for its binary interface.
struct Known {
  const char *library, *plugin;
};

// Debian has a name of its own for MPICH's library.
constexpr Known standard = {"libmpi_abi.so.1", "mpi-abi"}, openMpi = {"libmpi.so.40", "openmpi"},
                mpich = {"libmpi.so.12", "mpich"}, debianMpich = {"libmpich.so.12", "mpich"};

std::string variable(const char *name) {
  const char *value = runtime::variable(name);
  return value ? value : "";
}

int64_t number(const char *name) { return std::atoll(variable(name).c_str()); }

bool isSet(const char *name) { return std::getenv(name) != nullptr; }

bool exists(const std::string &file) { return access(file.c_str(), R_OK) == 0; }

std::string lastError() {
  const char *why = dlerror();
  return why ? why : "the loader does not say why";
}

// Lists the libraries that a launcher's processes use, in the order in which they are tried.
std::vector<Known> librariesOfLauncher() {
  if (isSet("OMPI_COMM_WORLD_SIZE"))
    return {openMpi, standard};
  if (isSet("PMI_SIZE") || isSet("PMI_RANK"))
    return {standard, mpich, debianMpich};
  return {standard, openMpi, mpich, debianMpich};
}

std::string folderOf(const std::string &file) { return file.substr(0, file.rfind('/') + 1); }

// Lists where the plugins lie, from where Strata's library or program does.
std::string pluginFile(const std::string &name) {
  Dl_info facts;
  if (dladdr(reinterpret_cast<const void *>(&findEngine), &facts) == 0 || !facts.dli_fname)
    return "";
  for (const char *from : {"strata/", "../lib/strata/", "../lib64/strata/"})
    if (std::string file = folderOf(facts.dli_fname) + from + name + ".so"; exists(file))
      return file;
  return "";
}

// Lists the folders of libraries beside the programs that started this one, the nearest first: MPI
// can be installed where the loader does not look, as in a virtual environment of Python.
std::vector<std::string> foldersOfAncestors() {
  std::vector<std::string> folders;
  pid_t process = getppid();
  for (int generation = 0; generation < 8 && process > 1; ++generation) {
    const std::string facts = "/proc/" + std::to_string(process);
    char program[PATH_MAX] = {};
    if (readlink((facts + "/exe").c_str(), program, sizeof program - 1) > 0)
      folders.push_back(folderOf(program) + "../lib/");
    // The parent stands second behind the name, which is in parentheses and may have blanks.
    std::ifstream stat(facts + "/stat");
    std::string line, state;
    std::getline(stat, line);
    const size_t end = line.rfind(')');
    if (end == std::string::npos || end + 4 >= line.size())
      break;
    process = std::atoi(line.c_str() + end + 4);
  }
  return folders;
}

std::string fileOf(void *library) {
  link_map *map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map ? map->l_name : "";
}

Result<Engine> providerIn(void *plugin, const std::string &file, const std::string &library) {
  auto *provider = static_cast<const strata_provider *>(dlsym(plugin, STRATA_PROVIDER_SYMBOL));
  if (!provider)
    return Error{Error::Library,
                 "'" + file + "' is no plugin of Strata's: it lacks " STRATA_PROVIDER_SYMBOL};
  if (provider->abi != STRATA_PROVIDER_ABI)
    return Error{Error::Library,
                 "'" + file + "' is a plugin of another version, " + std::to_string(provider->abi),
                 std::to_string(STRATA_PROVIDER_ABI) +
                     ": 'strata ranks --source' prints its source"};
  return Engine{provider, library, file};
}

// Loads the plugin of this name, for a library that has been loaded.
Result<Engine> engineOf(void *library, const std::string &name) {
  const std::string file = pluginFile(name);
  if (file.empty())
    return Error{Error::Library,
                 "this Strata has no plugin for '" + fileOf(library) + "' (" + name + ".so)",
                 "one made of what 'strata ranks --source' prints, in STRATA_MPI"};
  void *plugin = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    return Error{Error::Library,
                 "the plugin for '" + fileOf(library) + "' cannot be loaded: " + lastError()};
  return providerIn(plugin, file, fileOf(library));
}

// MPI's own parts find its names only if these are global.
constexpr int mode = RTLD_NOW | RTLD_GLOBAL;

// Loads what STRATA_MPI names: a plugin, which brings its library, or a library of a known
// interface.
Result<Engine> engineNamed(const std::string &name) {
  void *library = dlopen(name.c_str(), mode);
  if (!library)
    return Error{Error::Library, "STRATA_MPI cannot be loaded: " + lastError(),
                 "self, a library of MPI, or a plugin"};
  if (dlsym(library, STRATA_PROVIDER_SYMBOL))
    return providerIn(library, name, "");
  if (!dlsym(library, "MPI_Init_thread"))
    return Error{Error::Library,
                 "STRATA_MPI is '" + name + "', which is no library of MPI and no plugin",
                 "self, a library of MPI, or a plugin"};
  const std::string file = fileOf(library);
  const bool isStandard = file.find("libmpi_abi") != std::string::npos;
  return engineOf(library, isStandard                              ? standard.plugin
                           : dlsym(library, "ompi_mpi_comm_world") ? openMpi.plugin
                                                                   : mpich.plugin);
}

std::string listOf(const std::vector<Known> &libraries) {
  std::string list;
  for (const Known &known : libraries)
    list += (list.empty() ? "" : ", ") + std::string(known.library);
  return list;
}

// Loads a library of those that a plugin is there for.
Result<Engine> engineOfLauncher(const Launcher &launcher) {
  std::vector<Known> libraries = librariesOfLauncher();
  std::vector<std::string> folders = foldersOfAncestors();
  folders.push_back(""); // where the loader looks
  for (const std::string &folder : folders)
    for (const Known &known : libraries) {
      const std::string file = folder + known.library;
      if ((!folder.empty() && !exists(file)) || pluginFile(known.plugin).empty())
        continue;
      if (void *library = dlopen(file.c_str(), mode))
        return engineOf(library, known.plugin);
    }
  return Error{Error::Library,
               "the process was started by " + launcher.name +
                   ", but no library of its MPI is found that this Strata has a plugin for",
               "one of " + listOf(libraries) + " where the loader looks, or a library in " +
                   "STRATA_MPI; STRATA_MPI=self runs each process by itself"};
}

} // namespace

std::optional<Launcher> findLauncher() {
  if (isSet("OMPI_COMM_WORLD_SIZE"))
    return Launcher{"Open MPI's launcher", number("OMPI_COMM_WORLD_SIZE"),
                    number("OMPI_COMM_WORLD_RANK")};
  const bool isSlurm = isSet("SLURM_STEP_ID");
  if (isSet("PMI_SIZE") || isSet("PMI_RANK"))
    return Launcher{isSlurm ? "srun" : "MPICH's launcher", number("PMI_SIZE"), number("PMI_RANK")};
  if (isSet("PMIX_RANK"))
    return Launcher{isSlurm ? "srun" : "a launcher with PMIx", number("SLURM_STEP_NUM_TASKS"),
                    number("PMIX_RANK")};
  return std::nullopt;
}

void letFirstSpeak() {
  if (std::optional<Launcher> launcher = findLauncher(); launcher && launcher->rank > 0)
    std::this_thread::sleep_for(std::chrono::seconds(2));
}

bool hasOthers() {
  const std::string name = variable("STRATA_MPI");
  std::optional<Launcher> launcher = findLauncher();
  return launcher && name != "self" && (launcher->processes != 1 || !name.empty());
}

Result<Engine> findEngine(bool hasCommunicator) {
  const std::string name = variable("STRATA_MPI");
  if (name == "self" && !hasCommunicator)
    return Engine{&selfProvider()};
  if (name == "self")
    return Error{Error::Library,
                 "STRATA_MPI=self turns MPI off, but there is a communicator of MPI",
                 "STRATA_MPI not set"};
  if (!name.empty())
    return engineNamed(name);
  for (const Known &known : {standard, openMpi, mpich, debianMpich})
    if (void *library = dlopen(known.library, mode | RTLD_NOLOAD))
      return engineOf(library, known.plugin);
  if (std::optional<Launcher> launcher = findLauncher())
    return engineOfLauncher(*launcher);
  if (hasCommunicator)
    return Error{
        Error::Library,
        "there is a communicator, but the process has loaded no library of MPI that is known",
        "one of " + listOf({standard, openMpi, mpich, debianMpich}) +
            ", or the library's name in STRATA_MPI"};
  return Engine{&selfProvider()};
}

std::string shortVersion(const std::string &text) {
  std::string line = text.substr(0, text.find_first_of("\n,")), result;
  if (const size_t at = line.find("Version:"); at != std::string::npos)
    line.erase(at, std::strlen("Version:"));
  for (char letter : line) {
    const bool blank = std::isspace(static_cast<unsigned char>(letter));
    if (!blank || (!result.empty() && result.back() != ' '))
      result += blank ? ' ' : letter;
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

} // namespace strata::runtime::dist
