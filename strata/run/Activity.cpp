// Names the operation and the loops that a run is in.
#include "strata/run/Activity.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace strata {

void Activity::begin(Operation *op, StringRef doing) {
  std::lock_guard lock(mutex);
  operation = op;
  word = doing;
}

void Activity::enterLoop(Operation *loop) {
  std::lock_guard lock(mutex);
  loops.push_back({loop, 0});
}

void Activity::beginIteration(int64_t number) {
  std::lock_guard lock(mutex);
  loops.back().second = number;
}

void Activity::leaveLoop() {
  std::lock_guard lock(mutex);
  loops.pop_back();
}

void Activity::end() {
  std::lock_guard lock(mutex);
  operation = nullptr;
}

static std::string placeOf(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
                  Twine(place.getColumn()))
                     .str()
               : "?";
}

std::string Activity::text() const {
  std::lock_guard lock(mutex);
  if (!operation)
    return "";
  std::string text = word.str();
  if (auto named = dyn_cast<NameLoc>(operation->getLoc()))
    text += " '" + named.getName().str() + "'";
  text += " (" + placeOf(operation) + ")";
  for (auto [loop, iteration] : llvm::reverse(loops))
    text += ", in iteration " + std::to_string(iteration) + " of the loop at " + placeOf(loop);
  return text;
}

} // namespace strata
