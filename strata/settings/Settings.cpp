// What holds of the settings: the command line, the environment, and the files strata.toml.
#include "strata/settings/Settings.h"

#include "strata/frontend/Suggest.h"
#include "strata/runtime/Variables.h"
#include "strata/tensor/Quantities.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using llvm::SmallString, llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace strata::settings {
namespace {

constexpr StringRef fileName = "strata.toml";

struct State {
  bool isRead = false;
  std::vector<File> files = {};
  std::map<std::string, Value> fromFiles = {}, fromCommandLine = {};
};

State &state() {
  static State one;
  return one;
}

// Says what users write for a kind, with which a mistake is answered.
std::string expectedOf(const Setting &setting) {
  switch (setting.kind) {
  case Kind::Count:
    return "an integer from 0";
  case Kind::Bytes:
    return "a size of memory: 500000, \"64K\" or \"1.5G\", for example";
  case Kind::Switch:
    return "true or false";
  case Kind::Word:
    return setting.values.empty() ? "a text"
                                  : frontend::quotedList(std::vector<StringRef>(
                                        setting.values.begin(), setting.values.end()));
  case Kind::Words:
    return "a list of texts";
  case Kind::Path:
    return "a path";
  }
  return "";
}

Error wrong(const Setting &setting, StringRef text) {
  return {Error::Setting, "'" + text.str() + "' is no value of " + setting.key.str(),
          expectedOf(setting)};
}

// Returns the value as options spell it, if the setting has such a value.
Result<std::string> spelled(const Setting &setting, StringRef text) {
  unsigned count;
  switch (setting.kind) {
  case Kind::Count:
    if (text.getAsInteger(10, count) || count > INT32_MAX)
      return wrong(setting, text);
    return std::to_string(count);
  case Kind::Bytes:
    if (!parseBytes(text))
      return wrong(setting, text);
    return text.str();
  case Kind::Switch:
    for (StringRef word : {"true", "1", "yes", "on"})
      if (text.equals_insensitive(word))
        return std::string("true");
    for (StringRef word : {"false", "0", "no", "off"})
      if (text.equals_insensitive(word))
        return std::string("false");
    return wrong(setting, text);
  case Kind::Word:
    if (!setting.values.empty() && !llvm::is_contained(setting.values, text))
      return wrong(setting, text);
    return text.str();
  case Kind::Words:
  case Kind::Path:
    return text.str();
  }
  return wrong(setting, text);
}

// ---- Files ----

Error unknownKey(StringRef key, const std::string &file, int64_t line) {
  std::vector<StringRef> keys;
  for (const Setting &setting : all())
    keys.push_back(setting.key);
  std::string underlined = key.str();
  std::replace(underlined.begin(), underlined.end(), '_', '-');
  std::string hint =
      find(underlined) ? "did you mean '" + underlined + "'?" : frontend::didYouMean(key, keys);
  std::string message = "'" + key.str() + "' is no setting";
  return hint.empty()
             ? Error{Error::Setting, message, "one that 'strata config --list' shows", file, line}
             : Error{Error::Setting, message + ": " + hint, "", file, line};
}

/// Returns the text of a node of TOML, if nodes of its type are values of the setting.
std::optional<std::string> textOf(const Setting &setting, const toml::node &node) {
  if (const auto *value = node.as_integer();
      value && (setting.kind == Kind::Count || setting.kind == Kind::Bytes ||
                (setting.kind == Kind::Word && !setting.values.empty())))
    return std::to_string(value->get());
  if (const auto *value = node.as_boolean(); value && setting.kind == Kind::Switch)
    return std::string(value->get() ? "true" : "false");
  if (const auto *value = node.as_string();
      value && setting.kind != Kind::Count && setting.kind != Kind::Switch)
    return value->get();
  const toml::array *list = node.as_array();
  if (!list || setting.kind != Kind::Words)
    return std::nullopt;
  std::vector<std::string> words;
  for (const toml::node &one : *list) {
    if (!one.is_string())
      return std::nullopt;
    words.push_back(one.as_string()->get());
  }
  return llvm::join(words, ",");
}

// Returns the value as the file has it, for messages.
std::string sourceOf(const toml::node &node) {
  if (const auto *text = node.as_string())
    return '"' + text->get() + '"';
  std::ostringstream out;
  node.visit([&](const auto &one) { out << one; });
  return out.str();
}

Result<std::string> valueIn(const Setting &setting, const toml::node &node, const File &file) {
  const auto line = int64_t(node.source().begin.line);
  auto at = [&](Error error) {
    error.file = file.path;
    error.line = line;
    return error;
  };
  if (setting.isLoaded && file.origin == Origin::Project)
    return at({Error::Setting,
               "a project's file may not give " + setting.key.str() + ", which names code to run",
               "the user's file, or " + setting.variable.str()});
  std::optional<std::string> text = textOf(setting, node);
  if (!text)
    return at({Error::Setting, sourceOf(node) + " is no value of " + setting.key.str(),
               expectedOf(setting)});
  Result<std::string> value = spelled(setting, *text);
  if (!value)
    return at(value.error());
  if (setting.kind == Kind::Path && !value->empty()) {
    SmallString<128> whole(path::parent_path(file.path));
    path::append(whole, *value);
    return path::is_absolute(*value) ? *value : std::string(whole);
  }
  return value;
}

// Reads no more of a file than settings can take: a device may never end.
Result<std::string> contentOf(const std::string &file) {
  constexpr size_t most = size_t(1) << 20;
  auto failed = [&](std::error_code code) {
    return Error{Error::FileAccess, "cannot read '" + file + "': " + code.message()};
  };
  llvm::Expected<fs::file_t> opened = fs::openNativeFileForRead(file);
  if (!opened)
    return failed(llvm::errorToErrorCode(opened.takeError()));
  auto close = llvm::make_scope_exit([&] { fs::closeFile(*opened); });
  std::string content(most + 1, '\0');
  size_t length = 0;
  while (length < content.size()) {
    llvm::Expected<size_t> got = fs::readNativeFile(
        *opened, llvm::MutableArrayRef<char>(content.data() + length, content.size() - length));
    if (!got)
      return failed(llvm::errorToErrorCode(got.takeError()));
    if (*got == 0)
      break;
    length += *got;
  }
  if (length > most)
    return Error{Error::Setting, "'" + file + "' is too long for settings", "1 MiB at most"};
  content.resize(length);
  return content;
}

Status readFile(const File &file, std::map<std::string, Value> &values) {
  Result<std::string> content = contentOf(file.path);
  if (!content)
    return content.takeStatus();
  const toml::parse_result parsed = toml::parse(std::string_view(*content), file.path);
  if (!parsed)
    return Error{Error::Setting, std::string(parsed.error().description()), "", file.path,
                 int64_t(parsed.error().source().begin.line)};
  for (const auto &[key, node] : parsed.table()) {
    StringRef name(key.str().data(), key.str().size());
    const auto line = int64_t(key.source().begin.line);
    const Setting *setting = find(name);
    if (!setting)
      return unknownKey(name, file.path, line);
    Result<std::string> value = valueIn(*setting, node, file);
    if (!value)
      return value.takeStatus();
    values[setting->key.str()] = {*value, file.origin, file.path + ":" + std::to_string(line)};
  }
  return {};
}

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string userFile() {
  SmallString<128> folder(environment("XDG_CONFIG_HOME"));
  if (!path::is_absolute(folder)) {
    if (!path::home_directory(folder) || !path::is_absolute(folder))
      return "";
    path::append(folder, ".config");
  }
  path::append(folder, "strata", fileName);
  return std::string(folder);
}

// Finds the first in the working folder and those above; where there is none, that of the former.
std::string projectFile() {
  SmallString<128> working;
  if (fs::current_path(working))
    return "";
  for (StringRef folder = working; !folder.empty(); folder = path::parent_path(folder)) {
    SmallString<128> file(folder);
    path::append(file, fileName);
    if (fs::is_regular_file(file))
      return std::string(file);
  }
  path::append(working, fileName);
  return std::string(working);
}

std::vector<File> filesToRead() {
  std::vector<File> files;
  auto add = [&](Origin origin, const std::string &file) {
    if (!file.empty())
      files.push_back({origin, file, fs::is_regular_file(file)});
  };
  if (const char *given = std::getenv("STRATA_CONFIG")) {
    if (*given)
      files.push_back({Origin::User, given, true}); // an error if it cannot be read
    return files;
  }
  std::string users = userFile(), project = projectFile();
  add(Origin::User, users);
  if (project != users)
    add(Origin::Project, project);
  return files;
}

} // namespace

Status read() {
  State &now = state();
  if (now.isRead)
    return {};
  now.files = filesToRead();
  std::map<std::string, Value> values;
  for (const File &file : now.files)
    if (file.exists)
      if (Status status = readFile(file, values); !status.ok())
        return status;
  now.isRead = true;
  now.fromFiles = std::move(values);
  for (const auto &[key, value] : now.fromFiles)
    if (const Setting *setting = find(key); setting->variable.starts_with("STRATA_"))
      runtime::giveVariable(setting->variable.str(), value.text,
                            runtime::Precedence::UnderEnvironment);
  return {};
}

void isolate() { state().isRead = true; }

bool wasRead() { return state().isRead; }

Status set(StringRef keyAndValue) {
  auto [key, text] = keyAndValue.split('=');
  if (key.size() == keyAndValue.size())
    return Error{Error::Setting, "'" + keyAndValue.str() + "' gives no value",
                 "threads=4, for example"};
  const Setting *setting = find(key.trim());
  if (!setting)
    return unknownKey(key.trim(), "", 0);
  Result<std::string> value = spelled(*setting, text.trim());
  if (!value)
    return value.takeStatus();
  state().fromCommandLine[setting->key.str()] = {*value, Origin::CommandLine, "--config"};
  if (setting->variable.starts_with("STRATA_"))
    runtime::giveVariable(setting->variable.str(), *value, runtime::Precedence::OverEnvironment);
  return {};
}

// An empty variable says nothing, but of paths, for which it means none. NO_COLOR is the one that
// all programs know, and has no values but this.
static std::optional<std::string> textInEnvironment(const Setting &setting) {
  const char *given = std::getenv(setting.variable.data());
  if (!given || (!*given && setting.kind != Kind::Path))
    return std::nullopt;
  return setting.variable == "NO_COLOR" ? "never" : given;
}

std::optional<Value> valueOf(const Setting &setting) {
  const State &now = state();
  std::string key = setting.key.str();
  if (auto found = now.fromCommandLine.find(key); found != now.fromCommandLine.end())
    return found->second;
  if (std::optional<std::string> given = textInEnvironment(setting)) {
    Result<std::string> value = spelled(setting, *given);
    return Value{value ? *value : *given, Origin::Environment, setting.variable.str()};
  }
  if (auto found = now.fromFiles.find(key); found != now.fromFiles.end())
    return found->second;
  return std::nullopt;
}

Status check(const Setting &setting) {
  std::optional<std::string> given = textInEnvironment(setting);
  if (!given)
    return {};
  Result<std::string> value = spelled(setting, *given);
  if (value)
    return {};
  return within(setting.variable.str(), value.error());
}

std::vector<File> files() { return state().files; }

} // namespace strata::settings
