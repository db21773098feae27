// Files keep every value that is not the fill, and no other.
#include "FileTrip.h"

#include "strata/dialect/ta/Ta.h"
#include "strata/host/Print.h"
#include "strata/reference/Tensor.h"
#include "strata/run/Output.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StoredFormats.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

namespace strata::test {

std::string drawFile(Random &random, const Case &c) {
  strata_type type = c.type;
  size_t order = c.out.size();
  if (order == 0) // a list of one value
    return "";
  std::vector<std::string> files = {".ttx"};
  if (!isComplex(type))
    files.insert(files.end(), {".tns", ".tns.gz"});
  bool numbers = type != STRATA_BOOL && type != STRATA_F16 && type != STRATA_BF16;
  if (numbers && c.resultFormat.text.empty())
    files.insert(files.end(), {".npy", ".npy"});
  if (order == 2) {
    files.insert(files.end(), {".mtx", ".mtx.zst"});
    if (numbers)
      files.insert(files.end(), {".npz", ".npz"});
  }
  if (numbers)
    files.insert(files.end(), {".bsp.h5", ".bsp.h5"});
  if (c.resultFill)
    std::erase_if(files, [](const std::string &file) { return !runtime::keepsFill(file); });
  if (files.empty())
    return "";
  return random.pick(files);
}

// A tensor, and what its elements are worth that it does not list.
struct Listed {
  reference::Tensor list;
  reference::Number fill;
};

// Two lists differ where one has an entry that the other lacks, and that is not worth its fill. (A
// dense tensor with a fill is a plain array in a file: its elements are all there.)
static std::string compare(const Listed &written, const Listed &read) {
  if (written.list.sizes() != read.list.sizes())
    return "the sizes differ";
  for (bool back : {false, true}) {
    const reference::Tensor &from = back ? read.list : written.list;
    const auto &[to, fill] = back ? written : read;
    std::vector<int64_t> coordinate(from.order());
    for (int64_t entry = 0; entry < from.count(); ++entry) {
      for (unsigned d = 0; d < from.order(); ++d)
        coordinate[d] = from.coordinate(d, entry);
      int64_t other = to.find(coordinate);
      reference::Number found = other < 0 ? fill : to.value(other);
      if (!reference::equal(from.type(), from.value(entry), found))
        return "at " + reference::text(coordinate) + ": " + (back ? "read " : "wrote ") +
               reference::text(from.type(), from.value(entry)) + (back ? ", wrote " : ", read ") +
               reference::text(from.type(), found);
    }
  }
  return "";
}

std::string differenceInFile(KernelCompiler &compiler, const TensorValue &tensor,
                             const runtime::Coordinates &content, const std::string &ending) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("strata-draw", folder))
    return "no folder for files";
  std::string path = (folder + "/tensor" + ending).str();
  llvm::scope_exit removed([&] { llvm::sys::fs::remove_directories(folder); });
  if (runtime::Status status = writeTensor(compiler, tensor, path); !status.ok())
    return "write: " + status.error().text();
  runtime::TensorFileOptions options{.order = int(tensor.sizes().size()), .sizes = tensor.sizes()};
  // Half of the files are read as the type that they hold, which loses nothing either.
  const bool typed = content.count() % 2 == 0;
  if (typed)
    options.valueType = content.valueType();
  runtime::Result<runtime::TensorFileContent> read = runtime::readTensorFile(path, options);
  if (!read)
    return "read: " + read.error().text();
  if (!typed)
    if (runtime::Status back = read->list.convertValues(content.valueType()); !back.ok())
      return std::string("read as ") + runtime::typeName(read->list.valueType()) + ": " +
             back.error().text();
  auto here = reference::Tensor::copyOf(content), there = reference::Tensor::copyOf(read->list);
  if (!here || !there)
    return (here ? there : here).error().text();
  auto asNumber = [&](std::complex<double> fill) {
    return reference::readAs(here->type(), {fill, int64_t(fill.real())});
  };
  const host::StoredFormat format =
      storedFormatOf((tensor.parts.empty() ? tensor : tensor.parts.front()).type);
  return compare({*here, asNumber(host::numberOf(format.fill, format.element))},
                 {*there, asNumber(read->fill)});
}

} // namespace strata::test
