// Checks what comes from a page.
#include "serve/ViewRequest.h"

#include "strata/runtime/JsonNesting.h"
#include "strata/runtime/io/FileFormats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata::tool {

static bool isName(StringRef text) {
  return !text.empty() && text.size() <= 64 && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// A text that the command line passes on as it is.
static bool isText(StringRef text) { return !text.contains('\0'); }

// Reads an object of texts; null and empty ones are not given. False where it is something else.
static bool readTexts(const llvm::json::Object &from, StringRef key,
                      std::map<std::string, std::string> &to) {
  const llvm::json::Value *value = from.get(key);
  if (!value)
    return true;
  const llvm::json::Object *texts = value->getAsObject();
  if (!texts)
    return false;
  for (const auto &[name, content] : *texts) {
    std::optional<StringRef> text = content.getAsString();
    if (!text || !isName(name) || !isText(*text))
      return false;
    if (!text->trim().empty())
      to[name.str()] = text->trim().str();
  }
  return true;
}

Result<std::string> fileBelow(const std::string &folder, StringRef name) {
  llvm::SmallString<256> path(folder), real;
  llvm::sys::path::append(path, name);
  bool inside = !name.contains('\0') && !llvm::sys::fs::real_path(path, real) &&
                StringRef(real).starts_with(folder == "/" ? "/" : folder + "/") &&
                llvm::sys::fs::is_regular_file(real);
  if (!inside)
    return Error{Error::Request, ("there is no file '" + name + "' below the folder").str()};
  return std::string(real);
}

Result<ViewRequest> readViewRequest(StringRef json, const std::string &folder) {
  const Error malformed{Error::Request, "the request is malformed"};
  if (runtime::isJsonTooDeep(json))
    return malformed;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(json);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return malformed;
  }
  const llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return malformed;
  ViewRequest request;
  for (auto [key, field] :
       {std::pair("view", &request.view), std::pair("schedule", &request.schedule),
        std::pair("statement", &request.statement)})
    if (std::optional<StringRef> text = object->getString(key); text && isText(*text))
      *field = text->str();
    else if (object->get(key))
      return malformed;
  if (!readTexts(*object, "formats", request.formats) ||
      !readTexts(*object, "types", request.types) || !readTexts(*object, "sizes", request.sizes) ||
      !readTexts(*object, "data", request.data) || !readTexts(*object, "files", request.files))
    return malformed;
  StringRef first = StringRef(request.statement).ltrim();
  if (!first.empty() && !llvm::isAlpha(first.front()) && first.front() != '_')
    return Error{Error::Request, "a statement begins with a name: y(i) = A(i,j) * x(j)"};
  for (auto &[tensor, name] : request.files) {
    Result<std::string> file = fileBelow(folder, name);
    if (!file)
      return file.takeStatus();
    name = std::move(*file);
  }
  return request;
}

static bool isTensorFile(StringRef name) {
  for (StringRef packed : {".gz", ".zst", ".bz2", ".xz"})
    if (name.consume_back(packed))
      break;
  return llvm::any_of(runtime::fileFormats(), [&](const runtime::FileFormat &format) {
    return format.reader && runtime::hasEnding(format, std::string_view(name));
  });
}

std::vector<std::string> dataFilesBelow(const std::string &folder, size_t most) {
  constexpr int mostFolders = 5;
  constexpr size_t mostSeen = 20000;
  std::vector<std::string> names;
  std::error_code error;
  size_t seen = 0;
  for (llvm::sys::fs::recursive_directory_iterator at(folder, error, /*follow_symlinks=*/false),
       end;
       at != end && !error && names.size() < most && seen < mostSeen; at.increment(error), ++seen) {
    StringRef name = llvm::sys::path::filename(at->path());
    bool isFolder = at->type() == llvm::sys::fs::file_type::directory_file;
    if (name.starts_with(".") || (isFolder && at.level() >= mostFolders))
      at.no_push();
    else if (!isFolder && isTensorFile(name) &&
             fileBelow(folder, StringRef(at->path()).drop_front(folder.size())))
      names.push_back(StringRef(at->path()).drop_front(folder.size()).ltrim('/').str());
  }
  llvm::sort(names);
  return names;
}

} // namespace strata::tool
