// Reading data files for commands.
#include "DataFile.h"
#include "Messages.h"
#include "Progress.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/host/Print.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/FillBytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"

using llvm::ArrayRef;
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

runtime::Status checkSizes(const std::string &file, ArrayRef<int64_t> sizes,
                           ArrayRef<int64_t> given) {
  auto fits = [](auto pair) {
    return std::get<1>(pair) < 0 || std::get<0>(pair) == std::get<1>(pair);
  };
  if (sizes.size() == given.size() && llvm::all_of(llvm::zip(sizes, given), fits))
    return {};
  auto text = [](ArrayRef<int64_t> list) {
    return llvm::join(
        llvm::map_range(list, [](int64_t size) { return size < 0 ? "?" : std::to_string(size); }),
        " x ");
  };
  return runtime::Error{runtime::Error::Extent, "the tensor is " + text(sizes),
                        text(given) + ", as --sizes says", file, 0};
}

std::optional<std::vector<int>> parseDimensions(const llvm::opt::Arg &argument, int64_t order,
                                                bool repeatable) {
  llvm::SmallVector<StringRef> parts;
  StringRef(argument.getValue()).split(parts, ',');
  std::vector<int> dimensions;
  for (StringRef part : parts) {
    int dimension = 0;
    if (part.getAsInteger(10, dimension) || dimension < 1 || dimension > order) {
      refuse("'" + part + "' is not a dimension of this tensor, which has " +
                 counted(order, "dimension"),
             "dimensions count from 1: --dims=1,2");
      return std::nullopt;
    }
    if (!repeatable && llvm::is_contained(dimensions, dimension - 1)) {
      refuse("dimension " + part + " is given twice");
      return std::nullopt;
    }
    dimensions.push_back(dimension - 1);
  }
  return dimensions;
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

std::optional<mlir::Attribute> takeFill(const runtime::TensorFileContent &content,
                                        mlir::RankedTensorType &type) {
  if (content.fill == 0.0)
    return mlir::Attribute();
  std::optional<mlir::TypedAttr> fill = constantOf(type.getElementType(), content.fill);
  if (!fill || ta::sumOf(type) || (hasFill(type) && *fill != ta::fillOf(type))) {
    refuse("the file has the fill value " + host::fillText(content.fill) + ", which " +
               (fill ? "is not that of the format" : "the type cannot hold"),
           "'fill = " + host::fillText(content.fill) + "' in the format");
    return std::nullopt;
  }
  ta::FormatAttr format = ta::formatOf(type);
  if (!format.isFull())
    type = ta::withFormat(type, format.withFill(*fill));
  return *fill;
}

runtime::Status dropFills(runtime::TensorFileContent &content, mlir::RankedTensorType type) {
  bool isFull = !ta::sumOf(type) && ta::formatOf(type).isFull();
  return content.isArray && !isFull ? runtime::dropFills(content.list, fillBytes(type))
                                    : runtime::Status();
}

} // namespace strata::tool
