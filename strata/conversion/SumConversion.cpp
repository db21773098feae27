// Divides rows among the parts of a sum, and puts them together again.
#include "strata/conversion/SumConversion.h"

#include "strata/compile/Kernel.h"
#include "strata/conversion/Rows.h"
#include "strata/conversion/SumParts.h"
#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/estimate/Estimate.h"
#include "strata/host/Divide.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/runtime/Stopwatch.h"

using namespace mlir;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// Does the part take the first entries of each row of such rows? (In whatever order it stores the
// rows.)
static bool takesFirstOf(ta::FormatAttr part, ta::FormatAttr rows) {
  if (ta::divisionOf(part) != ta::Division::Slots)
    return false;
  std::optional<SlotNumbering> numbering = slotNumbering(
      ta::FormatAttr::get(part.getContext(), part.getDimToLvl(), part.getLevels(), part.getFill()));
  return numbering && numbering->counted.size() == 1 &&
         numbering->counted.front() == rows.getDimToLvl().getDimPosition(0) &&
         numbering->numbered == rows.getDimToLvl().getDimPosition(1);
}

RankedTensorType rowsOfSum(const Given &given, RankedTensorType to) {
  ta::SumAttr target = ta::sumOf(to);
  ta::FormatAttr format = target ? target.getParts().front() : ta::formatOf(to);
  // (Stored zeros of one part are kept no better than padding of another.)
  if (!(target || ta::sumOf(given.type)) || to.getRank() != 2 ||
      given.type.getElementType() != to.getElementType() || ta::formatOf(given.type).getFill() ||
      format.getFill() || (ta::sumOf(given.type) && hasPadding(given.type)))
    return {};
  RankedTensorType rows = rowsFor(ta::withFormat(to, format), given);
  if (canGrow(rows, given.sizes, given.entries))
    return {};
  bool divides = !target || llvm::all_of(target.getParts().drop_back(), [&](ta::FormatAttr part) {
    return takesFirstOf(part, ta::formatOf(rows));
  });
  return divides ? rows : RankedTensorType();
}

static int64_t usualSlotsOf(ArrayRef<int64_t> begins) {
  size_t rows = begins.size() - 1;
  std::vector<int64_t> filled; // in how many rows a slot holds an entry
  for (size_t row = 0; row < rows; ++row) {
    auto length = size_t(begins[row + 1] - begins[row]);
    filled.resize(std::max(filled.size(), length));
    if (length > 0)
      ++filled[length - 1]; // those behind it follow
  }
  for (size_t slot = filled.size(); slot-- > 1;)
    filled[slot - 1] += filled[slot];
  return host::usualSlots(filled, double(rows));
}

Result<TensorValue> divideRows(TensorValue rows, RankedTensorType type, Convert convert) {
  ta::SumAttr sum = ta::sumOf(type);
  std::vector<TensorValue> parts;
  for (auto [at, part] : llvm::enumerate(sum.getParts())) {
    TensorValue own = rows;
    if (at + 1 < sum.getParts().size()) {
      std::vector<int64_t> begins = rowBegins(rows), firsts, rests;
      int64_t limit = sum.getLimits()[at] ? sum.getLimits()[at] : usualSlotsOf(begins);
      std::vector<int64_t> middles;
      for (size_t row = 0; row + 1 < begins.size(); ++row) {
        firsts.push_back(std::min(limit, begins[row + 1] - begins[row]));
        middles.push_back(begins[row] + firsts.back());
        rests.push_back(begins[row + 1] - middles.back());
      }
      Result<TensorValue> first = selectRows(rows, begins, firsts),
                          rest = selectRows(rows, middles, rests);
      if (!first || !rest)
        return first ? std::move(rest) : std::move(first);
      own = std::move(*first);
      rows = std::move(*rest);
    }
    Result<TensorValue> converted = convert(own, ta::withFormat(type, part));
    if (!converted)
      return converted;
    parts.push_back(std::move(*converted));
  }
  return sumOfParts(type, std::move(parts));
}

// The sum of two tensors in such rows, in such rows.
static Result<TensorValue> add(KernelCompiler &compiler, const TensorValue &one,
                               const TensorValue &other, PackTimes &spent) {
  Stopwatch watch;
  const std::vector<int64_t> &sizes = one.sizes();
  Type element = one.type.getElementType();
  ta::FormatAttr open = one.format().withWidths(0, 0);
  RankedTensorType to = withDecidedWidths(ta::withFormat(one.type, open), sizes,
                                          one.storedCount() + other.storedCount());
  Result<CompiledKernel> kernel = compiler.compile(
      additionKernel(dynamicType(2, element, one.format()), dynamicType(2, element, other.format()),
                     dynamicType(2, element, ta::formatOf(to))),
      double(one.bytes() + other.bytes()));
  if (!kernel)
    return kernel.takeStatus();
  spent.parts += kernel->times;
  spent.compile += watch.lap();
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(to));
  Status status = compiler.run(*kernel, *storage, {one.storage.get(), other.storage.get()}, sizes);
  if (!status.ok())
    return status;
  spent.fill += watch.lap();
  return TensorValue{to, storage, nullptr};
}

Result<TensorValue> addParts(KernelCompiler &compiler, const TensorValue &sum,
                             RankedTensorType type, PackTimes &spent, Convert convert) {
  Result<TensorValue> whole = convert(sum.parts.front(), type);
  for (const TensorValue &part : ArrayRef(sum.parts).drop_front()) {
    if (!whole)
      return whole;
    Result<TensorValue> rows = convert(part, type);
    if (!rows)
      return rows;
    whole = add(compiler, *whole, *rows, spent);
  }
  return whole;
}

} // namespace strata
