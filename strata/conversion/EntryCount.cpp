// Counts entries, and values where padding cannot be told from them.
#include "strata/conversion/EntryCount.h"

#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/InternalError.h"
#include "strata/runtime/storage/EqualsFill.h"
#include "strata/tensor/FillBytes.h"
#include "strata/tensor/StoredLevels.h"

using namespace mlir;
using strata::runtime::Status;

namespace strata {

// Adds up what `count` gives for each part, or for the one storage.
static int64_t total(const TensorValue &tensor,
                     llvm::function_ref<int64_t(const TensorValue &)> count) {
  if (tensor.parts.empty())
    return count(tensor);
  int64_t sum = 0;
  for (const TensorValue &part : tensor.parts)
    sum += total(part, count);
  return sum;
}

static int64_t entriesOfOne(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  int64_t positions = tensor.storage->values().count;
  SmallVector<unsigned> given = format.givenLevels();
  if (given.empty())
    return positions;
  unsigned leaf = given.back();
  const Inspect *inspect = findLevelFormat(format.getLevels()[leaf].getName())->inspect();
  if (!inspect)
    return positions;
  // Only the buffers are looked at.
  return inspect->entries(storedLevel(tensor, leaf, 0, {0, 0}), positions);
}

int64_t entriesOf(const TensorValue &tensor) { return total(tensor, entriesOfOne); }

int64_t valuesBesideFill(const TensorValue &tensor) {
  return total(tensor, [](const TensorValue &one) {
    std::vector<char> fill = fillBytes(one.type);
    const strata_buffer &values = one.storage->values();
    int64_t count = 0;
    runtime::forEachBesideFill(strata_type(values.type), values.data, values.count, fill,
                               [&](int64_t) { ++count; });
    return count;
  });
}

bool mayRepeat(RankedTensorType type) {
  if (ta::SumAttr sum = ta::sumOf(type))
    return llvm::any_of(sum.getParts(), ta::repeatsEntries);
  return ta::repeatsEntries(ta::formatOf(type));
}

// Several entries that follow each other may be one there, and how many they are is not counted.
static bool sharesValues(RankedTensorType type) {
  auto shares = [](ta::FormatAttr format) {
    return llvm::any_of(format.getLevels(), [](ta::LevelAttr level) {
      return findLevelFormat(level.getName())->traits.sharesValues;
    });
  };
  ta::SumAttr sum = ta::sumOf(type);
  return sum ? llvm::any_of(sum.getParts(), shares) : shares(ta::formatOf(type));
}

static std::string nameOf(RankedTensorType type) {
  return ta::sumOf(type) ? "a hybrid format" : ta::formatName(ta::formatOf(type));
}

static runtime::Error lost(int64_t held, RankedTensorType from, int64_t kept,
                           RankedTensorType made) {
  return runtime::internalError(counted(held, "entry") + " in " + nameOf(from) + " became " +
                                std::to_string(kept) + " in " + nameOf(made));
}

// Memory of others may hold anything in its padding, also where the tensor has no element.
static bool isAdopted(const TensorValue &tensor) {
  return llvm::any_of(tensor.parts, isAdopted) ||
         (tensor.parts.empty() && !tensor.storage->values().owned);
}

Status checkNothingLost(const TensorValue &from, const TensorValue &made) {
  if (from.type.getRank() == 0 || Attribute(ta::fillOf(from.type)) != ta::fillOf(made.type) ||
      sharesValues(from.type) || sharesValues(made.type))
    return Status();
  bool exact = !hasPadding(from.type) && !hasPadding(made.type);
  int64_t held = exact ? entriesOf(from) : valuesBesideFill(from);
  int64_t kept = exact ? entriesOf(made) : valuesBesideFill(made);
  if (!exact && kept < held && isAdopted(from))
    return Status();
  // Of repetitions some are left, but in sums of values that may be the fill none need be.
  bool fits =
      mayRepeat(from.type) ? kept <= held && (!exact || (kept > 0) == (held > 0)) : kept == held;
  return fits ? Status() : lost(held, from.type, kept, made.type);
}

Status checkNothingLost(int64_t entries, const TensorValue &made) {
  if (made.type.getRank() == 0 || hasPadding(made.type) || sharesValues(made.type))
    return Status();
  int64_t kept = entriesOf(made);
  return kept == entries
             ? Status()
             : Status(runtime::internalError(counted(entries, "entry") + " became " +
                                             std::to_string(kept) + " in " + nameOf(made.type)));
}

} // namespace strata
