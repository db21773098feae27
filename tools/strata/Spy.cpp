// strata spy: a picture of where the entries of a matrix or tensor lie.
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "Interrupts.h"
#include "Messages.h"

#include "strata/runtime/io/PatternPicture.h"
#include "strata/runtime/io/PngWriter.h"

using llvm::StringRef;

namespace strata::tool {

namespace spy {
#define STRATA_OPTIONS "SpyOptions.inc"
#include "OptionTable.def"
} // namespace spy

const Command spyDescription{"spy", R"(
strata spy draws the pattern of a matrix, or of two dimensions of a tensor: darker where more
entries lie.

  strata spy m.mtx                         in characters
  strata spy m.mtx -o m.png                as a picture of at most 512 x 512 pixels
  strata spy m.mtx -o m.png --size=2000    of at most 2000
  strata spy t.tns -o t.png --dims=1,3     the first dimension down, the third across
)",
                             spy::table, "FILE", "a picture of where the entries lie"};

namespace {

// The dimensions to draw. Nothing after a mistake, which was reported.
std::optional<runtime::PictureAxes> parseAxes(const llvm::opt::InputArgList &list,
                                              const std::string &file, int order) {
  if (order < 2) {
    fail("'" + file + "' is of order " + llvm::Twine(order) + ", and a picture has two dimensions",
         "a matrix, or a tensor of a higher order");
    return std::nullopt;
  }
  const llvm::opt::Arg *dims = list.getLastArg(spy::OPT_dims);
  if (!dims)
    return runtime::PictureAxes{0, 1};
  std::optional<std::vector<int>> axes = parseDimensions(*dims, order);
  if (axes && axes->size() != 2) {
    refuse("a picture has two dimensions, and --dims names " + llvm::Twine(axes->size()),
           "--dims=1,2");
    axes.reset();
  }
  return axes ? std::optional(runtime::PictureAxes{(*axes)[0], (*axes)[1]}) : std::nullopt;
}

// Nothing after a mistake, which was reported.
std::optional<int64_t> parsePixels(const llvm::opt::Arg *argument) {
  if (!argument)
    return runtime::usualPixels;
  int64_t size = 0;
  if (!StringRef(argument->getValue()).getAsInteger(10, size) && size >= runtime::leastPixels &&
      size <= runtime::mostPixels)
    return size;
  refuse("'" + llvm::Twine(argument->getValue()) + "' is not a size of a picture",
         "from 8 to 8192 pixels: --size=1024");
  return std::nullopt;
}

} // namespace

int spyCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace spy;
  Arguments args = parseArguments(spyDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("spy", "one file");
  if (!file)
    return *args.exitCode;
  const llvm::opt::Arg *output = args.list.getLastArg(OPT_output);
  if (output && !StringRef(output->getValue()).ends_with_insensitive(".png"))
    return refuse("'" + llvm::Twine(output->getValue()) + "' is not the name of a picture",
                  "a name that ends in .png; -.png is standard output");
  if (!output && args.list.hasArg(OPT_size))
    return refuse("--size is for a picture in a file", "-o m.png");
  std::optional<int64_t> base = parseBase(args.list, OPT_base);
  std::optional<int64_t> size = parsePixels(args.list.getLastArg(OPT_size));
  if (!base || !size)
    return exitMisuse;
  watchInterrupts();
  runtime::Result<runtime::TensorFileContent> content = readData(*file, {.base = *base});
  if (!content)
    return fail(content.error().sentence());
  std::optional<runtime::PictureAxes> axes = parseAxes(args.list, *file, content->list.order());
  if (!axes)
    return content->list.order() < 2 ? exitFailure : exitMisuse;
  if (!output) {
    llvm::outs() << runtime::patternText(content->list, *axes);
    return exitSuccess;
  }
  runtime::PatternPicture picture = runtime::drawPattern(content->list, *axes, *size);
  runtime::Status written =
      runtime::writePng(output->getValue(), picture.pixels, picture.width, picture.height);
  return written.ok() ? exitSuccess : fail(written.error().sentence());
}

} // namespace strata::tool
