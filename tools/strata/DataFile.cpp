// Reading data files for commands.
#include "DataFile.h"
#include "Messages.h"
#include "Progress.h"

#include "llvm/Option/Arg.h"

using llvm::StringRef;

namespace strata::tool {

std::optional<int64_t> parseBase(const llvm::opt::InputArgList &list,
                                 llvm::opt::OptSpecifier base) {
  const llvm::opt::Arg *arg = list.getLastArg(base);
  if (!arg)
    return 1;
  StringRef text = arg->getValue();
  if (text == "0" || text == "1")
    return text == "0" ? 0 : 1;
  refuse("indices cannot count from '" + text + "'", "--base=0 or --base=1");
  return std::nullopt;
}

std::optional<std::vector<int64_t>> parseSizes(const llvm::opt::Arg &argument) {
  llvm::SmallVector<StringRef> parts;
  StringRef(argument.getValue()).split(parts, ',');
  std::vector<int64_t> sizes;
  for (StringRef part : parts)
    if (int64_t &size = sizes.emplace_back(-1);
        part != "?" && (part.getAsInteger(10, size) || size < 0)) {
      refuse("'" + part + "' is not a size", "a size for each dimension, or '?' where the file is "
                                             "to decide: --sizes=100,200,?");
      return std::nullopt;
    }
  return sizes;
}

runtime::Result<runtime::TensorFileContent> readData(const std::string &file,
                                                     runtime::TensorFileOptions options) {
  options.progress = progressOf(file);
  runtime::Result<runtime::TensorFileContent> content = runtime::readTensorFile(file, options);
  if (content)
    for (const std::string &remark : content->remarks)
      warn(remark);
  return content;
}

} // namespace strata::tool
