// Tensors as pictures: their storages in characters, their patterns in pixels.
#include "strata/api/Ranks.h"

#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/PatternPicture.h"
#include "strata/runtime/io/PngWriter.h"
#include "strata/tensor/StorageDump.h"

#include "llvm/Support/FormatVariadic.h"

using namespace strata;
using namespace strata::api;
using strata::runtime::Coordinates;
using strata::runtime::Result;

strata_error *strata_tensor_draw_storage(strata_tensor *tensor, char **text) {
  return inTurn(*tensor->session, [&]() -> strata_error * {
    if (strata_error *error = refusePieces(*tensor))
      return error;
    std::string drawn;
    llvm::raw_string_ostream out(drawn);
    dumpStorage(tensor->value, "tensor", out);
    *text = strdup(drawn.c_str());
    return nullptr;
  });
}

static strata_error *checkPicture(int64_t order, int32_t down, int32_t across, int32_t pixels) {
  if (order < 2)
    return makeError(STRATA_ERROR_SHAPE, runtime::Error::Order,
                     llvm::formatv("a picture has two dimensions, the tensor {0}", order).str());
  for (int32_t axis : {down, across})
    if (axis < 0 || axis >= order)
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                       llvm::formatv("there is no dimension {0} among {1}", axis, order).str());
  if (pixels != 0 && (pixels < runtime::leastPixels || pixels > runtime::mostPixels))
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                     llvm::formatv("a picture has from {0} to {1} pixels, not {2}",
                                   runtime::leastPixels, runtime::mostPixels, pixels)
                         .str());
  return nullptr;
}

strata_error *strata_tensor_spy(strata_tensor *tensor, int32_t down, int32_t across, int32_t pixels,
                                const char *file) {
  strata_session &session = *tensor->session;
  return inTurn(session, [&]() -> strata_error * {
    if (strata_error *error = refusePieces(*tensor))
      return error;
    if (strata_error *error = checkPicture(tensor->value.type.getRank(), down, across, pixels))
      return error;
    Reports reports(session);
    Result<Coordinates> list = unpack(session.compiler, tensor->value);
    if (!list)
      return reports.error(list.error());
    runtime::PatternPicture picture = runtime::drawPattern(
        *list, {down, across}, pixels == 0 ? runtime::usualPixels : int64_t(pixels));
    runtime::Status written =
        runtime::writePng(file, picture.pixels, picture.width, picture.height);
    return written.ok() ? nullptr : makeError(STRATA_ERROR_FILE, written.error());
  });
}
