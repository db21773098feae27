// The settings of a process: what they are, and what the command line, the environment and the
// files strata.toml say of them.
#ifndef STRATA_SETTINGS_SETTINGS_H
#define STRATA_SETTINGS_SETTINGS_H

#include "strata/runtime/Status.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::settings {

/// What values of a setting are like. In a file: an integer; an integer or a text like "1.5G"; true
/// or false; one of some texts, or any; a list of such; a path, from the folder of the file.
enum class Kind { Count, Bytes, Switch, Word, Words, Path };

/// Who takes a setting.
enum class User { CommandLine, All };

/// A row of the table that help, files, environment and documentation are made of.
struct Setting {
  llvm::StringLiteral key;      ///< in files: "max-memory"
  llvm::StringLiteral option;   ///< of commands: "--max-memory"; empty: none
  llvm::StringLiteral variable; ///< of the environment: "STRATA_MAX_MEMORY"
  Kind kind;
  User user = User::CommandLine;
  llvm::ArrayRef<llvm::StringLiteral> values = {}; ///< of words; empty: any
  llvm::StringLiteral otherwise;                   ///< what holds where nothing gives a value
  llvm::StringLiteral meaning;
  bool isLoaded = false; ///< names code that is run, so that a project's file may not give it
  /// Whoever needs it asks for the variable, so that commands need not be given the option.
  bool isAskedFor = false;
};

llvm::ArrayRef<Setting> all();
/// Null if there is none of this key.
const Setting *find(llvm::StringRef key);

/// Where a value comes from: each takes precedence over those before it.
enum class Origin { User, Project, Environment, CommandLine };

/// A value as options and variables spell it, and its origin as users read it:
/// "/home/a/strata.toml:3", "STRATA_CPU", "--config".
struct Value {
  std::string text;
  Origin origin;
  std::string place;
};

/// A file that was looked for.
struct File {
  Origin origin;
  std::string path;
  bool exists;
};

/// Reads the files, and lets them stand in for variables of the environment. The user's is
/// strata/strata.toml in $XDG_CONFIG_HOME or ~/.config; the project's is the first strata.toml in
/// the working folder and those above it. STRATA_CONFIG names one file instead of both, which
/// counts as the user's; if it is empty, none is read. Later calls do nothing, unless it has
/// failed: with the line of what is wrong, so that nothing of any file holds.
runtime::Status read();
/// Leaves the files out from now on: to be called in place of read().
void isolate();
/// Sets a value over all others: "threads=4".
runtime::Status set(llvm::StringRef keyAndValue);

/// Tells whether read() was called and has not failed.
bool wasRead();

/// Returns what holds; nothing if no file, variable or option gives a value.
std::optional<Value> valueOf(const Setting &setting);
/// Checks the value of the environment, as those of files are checked when they are read.
runtime::Status check(const Setting &setting);
/// Returns the files in the order in which they were read.
std::vector<File> files();

} // namespace strata::settings

#endif // STRATA_SETTINGS_SETTINGS_H
